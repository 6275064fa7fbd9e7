"""A practice round as the procedure walks it: what each step takes and pays, and the correction of a trainee."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tables.games.limits import dollars
from tables.games.procedure import CARD_PROFILE, DueStep, Scene
from tables.games.uth.decide import WagerDecision
from tables.games.uth.rules import HouseRules
from tables.games.uth.settle import PlayedRound, RoundResult, SeatResult, settle

CHIP = "progressive"  # its chip is taken at the lock; what a hit brings later is an award, not a win


@dataclass(frozen=True, slots=True)
class WagerMove:
    """What one step does to one wager of one seat: paid above zero, taken below, given back at nothing."""

    seat: int
    wager: str
    amount: Fraction

    def __str__(self) -> str:
        wager = self.wager.replace("_", " ")
        if self.amount == 0:
            return f"{wager} back to seat {self.seat}"
        return f"{wager} {dollars(abs(self.amount))} {'to' if self.amount > 0 else 'from'} seat {self.seat}"


@dataclass(frozen=True, slots=True)
class Correction:
    """One wager as the trainee settled it, beside what is right, with the reason."""

    seat: int
    wager: str
    given: Fraction | None
    due: Fraction
    why: str

    @property
    def right(self) -> bool:
        return self.given == self.due


def training_rules(bank: str) -> HouseRules:
    """The switches of the training table: at a table that a player banks, losing hands as its rule sheet prints."""
    return HouseRules(losers_order="play_ante_blind" if bank == "player_dealer" else "ante_play_blind")


def scene_of(
    played: PlayedRound,
    shuffler: str,
    table_seats: int = 7,
    *,
    profile: str = CARD_PROFILE,
    rules: HouseRules | None = None,
) -> Scene:
    """The same round for the procedure walker, settled to know what its steps will meet."""
    bank = "player_dealer" if played.bank else "house"
    result = settle(played, rules or training_rules(bank))
    folded = frozenset(seat.seat for seat in result.seats if seat.result == "fold")
    return Scene(
        shuffler=shuffler,
        bank=bank,
        seats=tuple(seat.seat for seat in played.seats),
        progressive=any(CHIP in seat.wagers for seat in played.seats),
        player_dealer=played.bank.seat if played.bank else None,
        folded=folded,
        dealer_fails=not result.qualifies,
        table_seats=table_seats,
        profile=profile,
        tucked=frozenset(
            seat.seat
            for seat in result.seats
            if seat.result == "fold" and _lives_on(seat, bank, rules or training_rules(bank))
        ),
        hits=frozenset(
            seat.seat for seat in result.seats for one in seat.decisions if one.wager == CHIP and one.outcome == "won"
        ),
        lost=frozenset(seat.seat for seat in result.seats if seat.result == "lose"),
        tied=frozenset(seat.seat for seat in result.seats if seat.result == "tie"),
    )


def moves_of(dues: Sequence[DueStep], result: RoundResult) -> tuple[tuple[WagerMove, ...], ...]:
    """Due step by due step, what it takes, pays or gives back. Together they are the settlement of the whole round."""
    settled: set[tuple[int, str]] = set()
    found = []
    for due in dues:
        seats = result.seats if due.seat is None else (result.seat(due.seat),)
        moves = tuple(
            WagerMove(seat.seat, one.wager, _amount(due, one))
            for seat in seats
            for one in seat.decisions
            if _moves_here(due, one) and (seat.seat, one.wager) not in settled
        )
        # The chip moves twice: it is taken at the lock, and a hit brings an award later.
        settled |= {(move.seat, move.wager) for move in moves if move.wager != CHIP}
        found.append(moves)
    return tuple(found)


def correct(
    result: RoundResult, given: Mapping[int, Mapping[str, Fraction]], wagers: Collection[str] | None = None
) -> tuple[Correction, ...]:
    """Every wager of the round in settling order, or those named: what the trainee said, what is right, and why."""
    return tuple(
        Correction(
            seat.seat,
            decision.wager,
            given.get(seat.seat, {}).get(decision.wager),
            decision.net,
            f"{decision.reason} {_in_words(decision.net)}",
        )
        for seat in result.seats
        for decision in seat.decisions
        if wagers is None or decision.wager in wagers
    )


def _lives_on(seat: SeatResult, bank: str, rules: HouseRules) -> bool:
    """Whether a folded seat's cards must wait. With a player's bank a losing trips is taken at the fold."""
    alive = {"trips", "pairs"}
    alive |= {"bad_beat"} if rules.bad_beat_after_fold == "live" else set()
    alive |= {CHIP} if rules.progressive_after_fold == "live" else set()
    bets = [one for one in seat.decisions if one.wager in alive]
    if bank == "player_dealer":
        bets = [one for one in bets if one.wager != "trips" or one.outcome != "lost"]
    return bool(bets)


def _moves_here(due: DueStep, one: WagerDecision) -> bool:
    if one.wager == CHIP and due.seat is None:
        return CHIP in due.step.takes
    return one.wager in due.step.settles or (one.wager in due.step.takes and one.net < 0)


def _amount(due: DueStep, one: WagerDecision) -> Fraction:
    if one.wager != CHIP:
        return one.net
    return -one.stake if CHIP in due.step.takes else one.net + one.stake


def _in_words(net: Fraction) -> str:
    if net == 0:
        return "Nothing is paid or taken."
    return f"Pay {dollars(net)}." if net > 0 else f"Take {dollars(-net)}."
