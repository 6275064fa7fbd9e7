"""A practice round in the session: which round is dealt, what the trainee did, and how well."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from jackpot.money import UNIT, Money, NotAnAmount
from jackpot.reading import read_amount
from jackpot.refusals import NotUnderstood
from tables.games.limits import BetRefused
from tables.games.procedure import CARD_PROFILE, DueStep, ProcedureWalk, begin
from tables.games.uth import GAME
from tables.games.uth.practice_deals import SITUATIONS, TRIES, PracticeSituation, deal_practice, refuse_situation
from tables.games.uth.procedure import procedures
from tables.games.uth.settle import PlayedRound, PlayerDealer, RoundResult, SeatResult, settle
from tables.games.uth.training import Correction, WagerMove, correct, moves_of, scene_of, training_rules

SEATS: Final[Mapping[int, tuple[int, ...]]] = {
    1: (4,),
    2: (2, 5),
    3: (1, 3, 6),
    4: (1, 3, 4, 6),
    5: (1, 2, 4, 5, 6),
    6: (1, 2, 3, 4, 5, 6),
    7: (1, 2, 3, 4, 5, 6, 7),
}
BANKERS_SEAT: Final = 7
HOUSE: Final = "house"
METER: Final = Money.of(10_000)
MOST_ACTS: Final = 500  # a round has some fifty; the session must not grow without end
IN_FORCE: Final = {"blind": "UTH-02", "trips": "UTH-02"}
# Where a player banks no jackpot is linked (the house may have no interest), so none is practised there.
BONUSES: Final = {
    "house": {"bad_beat": "BBB-02", "pairs": "PT1", "progressive": "PT01"},
    "player_dealer": {"bad_beat": "BBB-CA"},
}


@dataclass(frozen=True, slots=True)
class TrainerRemark:
    """What the trainee hears: right or wrong, why, and the settled wagers one by one."""

    right: bool
    why: str
    lines: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PracticeWish:
    """What the trainee chose before the deal; the seed then says which of all such rounds it is."""

    shuffler: str = "hand_held"
    bank: str = HOUSE
    players: int = 3
    profile: str = CARD_PROFILE
    situation: str = "any"

    @property
    def asked(self) -> PracticeSituation:
        return SITUATIONS[self.situation]

    def deal(self, seed: int) -> PlayedRound:
        tables = {bet: GAME.table(bet, code) for bet, code in {**IN_FORCE, **BONUSES[self.bank]}.items()}
        bank = None if self.bank == HOUSE else PlayerDealer(BANKERS_SEAT, self.asked.bank_wager)
        return replace(deal_practice(seed, SEATS[self.players], tables, bank, self.asked), meter=METER)

    def settle(self, played: PlayedRound) -> RoundResult:
        return settle(played, training_rules(self.bank))


@dataclass(frozen=True)
class Practice:
    """One round under way. It is dealt anew from its seed whenever it is looked at; only the acts are kept."""

    seed: int
    shuffler: str
    bank: str
    players: int
    profile: str = CARD_PROFILE
    situation: str = "any"
    acts: list[tuple[str, int | None]] = field(default_factory=list)
    armed: str = ""
    settling: int | None = None
    remark: dict[str, Any] | None = None
    wagers: tuple[int, int] = (0, 0)

    @property
    def wish(self) -> PracticeWish:
        return PracticeWish(self.shuffler, self.bank, self.players, self.profile, self.situation)

    @cached_property
    def played(self) -> PlayedRound:
        return self.wish.deal(self.seed)

    @cached_property
    def begun(self) -> ProcedureWalk:
        return begin(procedures(), scene_of(self.played, self.shuffler, profile=self.profile))

    @cached_property
    def walk(self) -> ProcedureWalk:
        walk = self.begun
        for key, seat in self.acts:
            walk = walk.act(key, seat)
        return walk

    @cached_property
    def result(self) -> RoundResult:
        return self.wish.settle(self.played)

    @cached_property
    def moves(self) -> tuple[tuple[WagerMove, ...], ...]:
        """What each due step of the round takes and pays."""
        return moves_of(self.begun.dues, self.result)

    @property
    def due(self) -> DueStep | None:
        return self.walk.next

    @property
    def due_moves(self) -> tuple[WagerMove, ...]:
        return self.moves[self.walk.done] if self.due else ()

    @property
    def score(self) -> tuple[int, int]:
        """Right acts and right wagers, of all."""
        (steps, of_steps), (wagers, of_wagers) = self.walk.score, self.wagers
        return steps + wagers, of_steps + of_wagers

    def choose(self, key: str) -> Practice:
        """A step is named. One that goes round the seats waits for its seat, but the next step of a seat's turn
        stays with that seat; any other is done at once."""
        due = self.due
        if due is not None and key == due.step.key and due.seat is not None:
            named = replace(self, armed=key, settling=None, remark=None)
            return named.touch(due.seat) if self._same_turn(due) else named
        return self._act(key, None)

    def touch(self, seat: int) -> Practice:
        """A seat is touched for the step that was named."""
        due = self.due
        if not self.armed or due is None:
            return self._with_remark(TrainerRemark(False, "Name the step first, then touch the seat."))
        if due.step.key == self.armed and due.seat == seat and due.step.judged and self.due_moves:
            return replace(self, settling=seat, remark=None)
        return self._act(self.armed, seat)

    def settled(self, given: Mapping[str, Fraction | None]) -> Practice:
        """The trainee settled a seat: every wager is compared, then the procedure goes on."""
        if self.settling is None or self.due is None:
            return self._with_remark(TrainerRemark(False, "Touch the seat first, then settle it."))
        said = {wager: net for wager, net in given.items() if net is not None}
        asked = {move.wager for move in self.due_moves}
        lines = [one for one in correct(self.result, {self.settling: said}, asked) if one.seat == self.settling]
        right = sum(one.right for one in lines)
        why = "All wagers right." if right == len(lines) else f"{right} of {len(lines)} wagers right."
        remark = TrainerRemark(right == len(lines), why, [_line(one) for one in lines])
        scored = (self.wagers[0] + right, self.wagers[1] + len(lines))
        after = replace(self, wagers=scored, settling=None)._act(self.due.step.key, self.settling)
        return replace(after, remark=asdict(remark))

    def seat_result(self, seat: int) -> SeatResult:
        return self.result.seat(seat)

    def plain(self) -> dict[str, Any]:
        """As the session keeps it."""
        return {**asdict(self), "acts": [list(act) for act in self.acts], "wagers": list(self.wagers)}

    def _same_turn(self, due: DueStep) -> bool:
        before = self.walk.dues[self.walk.done - 1] if self.walk.done else None
        return (
            before is not None and bool(due.step.turn) and (before.step.turn, before.seat) == (due.step.turn, due.seat)
        )

    def _act(self, key: str, seat: int | None) -> Practice:
        if self.due is None:
            return self._with_remark(TrainerRemark(False, "The round is over. Deal the next one."))
        if len(self.acts) >= MOST_ACTS:
            raise NotUnderstood(f"That is {MOST_ACTS} acts in one round. Leave it and begin another.")
        after = replace(self, acts=[*self.acts, (key, seat)], settling=None)
        remark = after.walk.remarks[-1]
        moved = f" {_moved(self.due_moves)}" if remark.right and self.due_moves else ""
        still = after.due is not None and after.due.step.key == self.armed
        told = asdict(TrainerRemark(remark.right, remark.why + moved))
        return replace(after, armed=self.armed if still else "", remark=told)

    def _with_remark(self, remark: TrainerRemark) -> Practice:
        return replace(self, remark=asdict(remark))


def new_practice(chosen: Mapping[str, str], seed: int | None = None) -> Practice:
    """A fresh round as it was chosen; what the books do not have is refused in a sentence."""
    wish = _wish(chosen)
    # From here deals are looked through in turn until one brings what was asked for; the seed then tells it again.
    first = secrets.randbelow(10**9) if seed is None else seed
    for tried in range(first, first + TRIES):
        if wish.asked.happens(wish.settle(wish.deal(tried))):
            return Practice(tried, wish.shuffler, wish.bank, wish.players, wish.profile, wish.situation)
    raise NotUnderstood(f"“{wish.asked.words}” did not come in {TRIES} deals. Choose more players.")


def _wish(chosen: Mapping[str, str]) -> PracticeWish:
    book, first = procedures(), PracticeWish()
    shuffler, bank = chosen.get("shuffler", first.shuffler), chosen.get("bank", first.bank)
    profile, situation = chosen.get("profile", first.profile), chosen.get("situation", first.situation)
    if shuffler not in book.shufflers or bank not in book.banks or profile not in book.profiles:
        raise NotUnderstood("Choose one of the shufflers, who banks the round, and one of the controllers.")
    if situation not in SITUATIONS:
        raise NotUnderstood("Choose one of the situations.")
    players = chosen.get("players", str(first.players))
    if not players.isascii() or not players.isdigit() or int(players) not in SEATS:
        raise NotUnderstood(f"Choose {min(SEATS)} to {max(SEATS)} players.")
    if bank != HOUSE and BANKERS_SEAT in SEATS[int(players)]:
        raise NotUnderstood(f"Seat {BANKERS_SEAT} banks the round: choose {max(SEATS) - 1} players at most.")
    try:
        refuse_situation(SITUATIONS[situation], bank, int(players))
    except BetRefused as why:
        raise NotUnderstood(str(why)) from None
    return PracticeWish(shuffler, bank, int(players), profile, situation)


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


def _moved(moves: Sequence[WagerMove]) -> str:
    said = ", ".join(map(str, moves))
    return f"{said[:1].upper()}{said[1:]}."


def _dollars(text: str) -> Fraction:
    try:
        return Fraction(read_amount(text.removeprefix("$"), "amount").units, UNIT)
    except NotAnAmount as why:
        raise NotUnderstood(str(why)) from None


def _line(one: Correction) -> dict[str, Any]:
    # The award is told before; what it nets beside the chip would only confuse who pays it.
    why = one.why.rpartition(" Pay ")[0] if one.wager == "progressive" and one.due > 0 else one.why
    return {"wager": one.wager.replace("_", " "), "right": one.right, "why": why}
