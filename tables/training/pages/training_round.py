"""A practice round in the session: which round is dealt, what the trainee did, and how well."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from jackpot.money import UNIT, Money, NotAnAmount
from jackpot.reading import read_amount
from jackpot.refusals import NotUnderstood
from tables.games.procedure import DueStep, ProcedureWalk, begin
from tables.games.uth import GAME
from tables.games.uth.procedure import procedures
from tables.games.uth.rules import HouseRules
from tables.games.uth.settle import PlayedRound, PlayerDealer, RoundResult, SeatResult, settle
from tables.games.uth.training import Correction, correct, deal_practice, scene_of

SEATS: Final[Mapping[int, tuple[int, ...]]] = {2: (2, 5), 3: (1, 3, 6), 4: (1, 3, 4, 6), 5: (1, 2, 4, 5, 6)}
BANK: Final = PlayerDealer(7, Fraction(200))
METER: Final = Money.of(10_000)
SETTLES: Final = "settle_seat"
MOST_ACTS: Final = 500  # a round has some fifty; the session must not grow without end
IN_FORCE: Final = {"blind": "UTH-02", "trips": "UTH-02", "progressive": "PT01"}
BAD_BEAT: Final = {"house": "BBB-02", "player_dealer": "BBB-CA"}


@dataclass(frozen=True, slots=True)
class TrainerRemark:
    """What the trainee hears: right or wrong, why, and the settled wagers one by one."""

    right: bool
    why: str
    lines: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Practice:
    """One round under way. It is dealt anew from its seed whenever it is looked at; only the acts are kept."""

    seed: int
    shuffler: str
    bank: str
    players: int
    acts: list[tuple[str, int | None]] = field(default_factory=list)
    armed: str = ""
    settling: int | None = None
    remark: dict[str, Any] | None = None
    wagers: tuple[int, int] = (0, 0)

    @cached_property
    def played(self) -> PlayedRound:
        tables = {bet: GAME.table(bet, code) for bet, code in {**IN_FORCE, "bad_beat": BAD_BEAT[self.bank]}.items()}
        bank = BANK if self.bank == "player_dealer" else None
        return replace(deal_practice(self.seed, SEATS[self.players], tables, bank), meter=METER)

    @cached_property
    def walk(self) -> ProcedureWalk:
        walk = begin(procedures(), scene_of(self.played, self.shuffler))
        for key, seat in self.acts:
            walk = walk.act(key, seat)
        return walk

    @cached_property
    def result(self) -> RoundResult:
        return settle(self.played, HouseRules())

    @property
    def due(self) -> DueStep | None:
        return self.walk.next

    @property
    def score(self) -> tuple[int, int]:
        """Right acts and right wagers, of all."""
        (steps, of_steps), (wagers, of_wagers) = self.walk.score, self.wagers
        return steps + wagers, of_steps + of_wagers

    def choose(self, key: str) -> Practice:
        """A step is named. One that goes round the seats waits for its seat; any other is done at once."""
        if self.due is not None and key == self.due.step.key and self.due.seat is not None:
            return replace(self, armed=key, settling=None, remark=None)
        return self._act(key, None)

    def touch(self, seat: int) -> Practice:
        """A seat is touched for the step that was named."""
        due = self.due
        if not self.armed or due is None:
            return self._told(TrainerRemark(False, "Name the step first, then touch the seat."))
        if due.step.key == self.armed == SETTLES and due.seat == seat:
            return replace(self, settling=seat, remark=None)
        return self._act(self.armed, seat)

    def settled(self, given: Mapping[str, Fraction | None]) -> Practice:
        """The trainee settled a seat: every wager is compared, then the procedure goes on."""
        if self.settling is None:
            return self._told(TrainerRemark(False, "Touch the seat first, then settle it."))
        said = {wager: net for wager, net in given.items() if net is not None}
        lines = [one for one in correct(self.result, {self.settling: said}) if one.seat == self.settling]
        right = sum(one.right for one in lines)
        why = "All wagers right." if right == len(lines) else f"{right} of {len(lines)} wagers right."
        remark = TrainerRemark(right == len(lines), why, [_line(one) for one in lines])
        scored = (self.wagers[0] + right, self.wagers[1] + len(lines))
        after = replace(self, wagers=scored, settling=None)._act(SETTLES, self.settling)
        return replace(after, remark=asdict(remark))

    def seat_result(self, seat: int) -> SeatResult:
        return self.result.seat(seat)

    def plain(self) -> dict[str, Any]:
        """As the session keeps it."""
        return {**asdict(self), "acts": [list(act) for act in self.acts], "wagers": list(self.wagers)}

    def _act(self, key: str, seat: int | None) -> Practice:
        if self.due is None:
            return self._told(TrainerRemark(False, "The round is over. Deal the next one."))
        if len(self.acts) >= MOST_ACTS:
            raise NotUnderstood(f"That is {MOST_ACTS} acts in one round. Leave it and begin another.")
        after = replace(self, acts=[*self.acts, (key, seat)], settling=None)
        remark = after.walk.remarks[-1]
        still = after.due is not None and after.due.step.key == self.armed
        return replace(after, armed=self.armed if still else "", remark=asdict(TrainerRemark(remark.right, remark.why)))

    def _told(self, remark: TrainerRemark) -> Practice:
        return replace(self, remark=asdict(remark))


def new_practice(shuffler: str, bank: str, players: str, seed: int | None = None) -> Practice:
    """A fresh round by the chosen procedure; what the books do not have is refused in a sentence."""
    book = procedures()
    if shuffler not in book.shufflers or bank not in book.banks:
        raise NotUnderstood("Choose one of the shufflers and who banks the round.")
    if not players.isascii() or not players.isdigit() or int(players) not in SEATS:
        raise NotUnderstood(f"Choose {min(SEATS)} to {max(SEATS)} players.")
    return Practice(secrets.randbelow(10**9) if seed is None else seed, shuffler, bank, int(players))


def practice_of(kept: Mapping[str, Any]) -> Practice:
    acts = [(str(key), seat) for key, seat in kept["acts"]]
    return Practice(**{**kept, "acts": acts, "wagers": tuple(kept["wagers"])})


def given_of(typed: Mapping[str, str], stakes: Mapping[str, Fraction]) -> dict[str, Fraction | None]:
    """What the trainee said to each wager: take, push or pay, with the amount where it is not the stake."""
    return {wager: _net(typed, wager, stake) for wager, stake in stakes.items()}


def _net(typed: Mapping[str, str], wager: str, stake: Fraction) -> Fraction | None:
    said, amount = typed.get(f"said_{wager}", ""), typed.get(f"amount_{wager}", "").strip()[:20]
    match said:
        case "push":
            return Fraction(0)
        case "take":
            return -(_dollars(amount) if amount else stake)
        case "pay":
            paid = _dollars(amount) if amount else stake
            return paid - stake if wager == "progressive" else paid  # its chip is gone already: an award, not a win
        case _:
            return None


def _dollars(text: str) -> Fraction:
    try:
        return Fraction(read_amount(text.removeprefix("$"), "amount").units, UNIT)
    except NotAnAmount as why:
        raise NotUnderstood(str(why)) from None


def _line(one: Correction) -> dict[str, Any]:
    # The award is told before; what it nets beside the chip would only confuse who pays it.
    why = one.why.rpartition(" Pay ")[0] if one.wager == "progressive" and one.due > 0 else one.why
    return {"wager": one.wager.replace("_", " "), "right": one.right, "why": why}
