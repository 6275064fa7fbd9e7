"""Which hits stand, how they rank and from which entry they count: told by the numbers of the entries alone.

What a row adds to its entries (seat, line, whose envy) is said again in the request of its `log`, which is sealed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import Balances, Movement
from jackpot.canonical import digest_of_value
from jackpot.wins.rules.award_record import logged_forms
from jackpot.wins.rules.rank import PaidAct, StandingMark, ahead, is_counted, passed_by
from jackpot.wins.rules.sealed_mark import marked_forms
from jackpot.wins.rules.settlement import OverflowReturn
from jackpot.wins.rules.win_life import OPEN, Act, WinState, after

LIT: Final = 0  # the seat of a hand key whose seats are said later
KEPT_IN_STEP: Final = OPEN | {WinState.ASSIGNED}  # a lit key passes its frozen entry on to the seats it meant
STEPS: Final[Mapping[str, Act]] = {
    **{act.value: act for act in Act},
    EntryKind.AWARD: Act.MOVE,
    EntryKind.VOID: Act.VOID,
}
Place = tuple[str, str]


class WinFound(NamedTuple):
    """A win's row; numbers as entries spell them, amounts in units."""

    id: str
    table: str
    round: str
    seat: int
    line: str
    version: str
    state: str
    mark_seq: int
    frozen_seq: int
    ranked: bool
    front: int | None
    envy_of: str
    difference_of: str
    number: int | None
    slip: int | None
    amount: int | None
    award_seq: int | None
    page: Mapping[str, Any]
    day: str = ""
    approved: Sequence[int] = ()  # the numbers of the people who approved it
    said: str = ""  # what its mark said, as a digest; empty in a file from before

    @property
    def place(self) -> Place:
        return self.table, self.round

    @property
    def name(self) -> str:
        """As people call it: by its slip; by where it fell before it has one."""
        return name_of_win(self.slip, self.table, self.round, self.seat)

    @property
    def marked_requests(self) -> list[str]:
        """What `mark` seals of this row, the oldest form first."""
        return marked_forms(self.id, self.seat, self.line, self.said)

    @property
    def logged_requests(self) -> list[str]:
        """What `log` seals of this row, the oldest form first."""
        forms = logged_forms(
            self.id, self.approved, self.seat, self.line, self.envy_of, self.number, self.slip, self.amount
        )
        return [digest_of_value(each) for each in forms]


def name_of_win(slip: object, table: object, round_: object, seat: object) -> str:
    """The jackpot's running number of a win is the books' own: whoever reads a finding looks for the slip."""
    return f"slip {slip}" if slip else f"hit {table}/{round_}/{seat}"


class FrozenPoint(NamedTuple):
    """An entry and the balances after it."""

    seq: int
    balances: Balances


@dataclass(slots=True)
class BookedHit:
    """A win as its entries tell it."""

    win: WinFound
    state: WinState
    rank: int
    frozen: FrozenPoint
    part: bool
    at_approval: bool
    front: int | None = None
    lit: BookedHit | None = None
    award_seq: int | None = None


class CountedMoves(NamedTuple):
    """What hits that rank before a round have moved since its frozen entry."""

    meter: int
    reserve: int
    resets: Sequence[OverflowReturn]


@dataclass(slots=True)
class RankedMoves:
    """What acts that hold a part have moved, entry by entry; and of what their resets took back, as counted again."""

    seqs: list[int] = field(default_factory=list)
    moves: list[tuple[PaidAct, Movement]] = field(default_factory=list)
    resets: list[tuple[int, PaidAct, OverflowReturn]] = field(default_factory=list)

    def add(self, seq: int, paid: PaidAct, moved: Movement) -> None:
        self.seqs.append(seq)
        self.moves.append((paid, moved))

    def since(self, seq: int, mark: int, *, part: bool) -> CountedMoves:
        """Of what was posted after this entry and ranks before a round of this mark."""
        # Entries come in the order of their numbers, so this list is sorted as it grows.
        later = self.moves[bisect_right(self.seqs, seq) :]
        counted = [moved for paid, moved in later if is_counted(paid, mark, part=part)]
        resets = [reset for at, paid, reset in self.resets if at > seq and is_counted(paid, mark, part=part)]
        return CountedMoves(sum(moved.meter for moved in counted), sum(moved.reserve for moved in counted), resets)


class StandingHits:
    """Every win of one jackpot, by what its entries say."""

    def __init__(self) -> None:
        self.all: dict[str, BookedHit] = {}
        self.at: dict[Place, list[BookedHit]] = defaultdict(list)
        self.open: dict[str, BookedHit] = {}

    def begin(self, hit: BookedHit) -> BookedHit:
        """A mark, the page of an envied seat, or of a difference. A seat that a lit key meant has that key's rank."""
        win, state = hit.win, hit.state
        lit = self._lit(win) if state is WinState.MARKED and win.seat != LIT else None
        if lit is not None and win.mark_seq == lit.rank:
            hit.lit, hit.rank, hit.frozen = lit, lit.rank, lit.frozen
        self.all[win.id] = hit
        self.at[win.place].append(hit)
        self._place(hit)
        return hit

    def step(self, hit: BookedHit, kind: str) -> bool:
        """One step of its life; False where the entries do not allow it."""
        state = after(hit.state, STEPS[kind]) if kind in STEPS else hit.state
        if state is None:
            return False
        hit.state = state
        self._place(hit)
        return True

    def of(self, place: Place) -> list[BookedHit]:
        return [hit for hit in self.open.values() if hit.win.place == place]

    def in_front_of(self, place: Place) -> BookedHit | None:
        """What had to be settled before this round, as it stood before its own approval."""
        before = ahead(self._marks(asking=place), place)
        return min(self.of_round(before[0].place), key=lambda hit: hit.rank) if before else None

    def of_round(self, place: object) -> list[BookedHit]:
        """The open parts of a round."""
        return [hit for hit in self.open.values() if hit.part and hit.win.place == place]

    def freeze_anew(self, place: Place, frozen: FrozenPoint) -> None:
        """Every hit that was passed counts from where the passing one counted."""
        passed = set(passed_by(self._marks(), place, frozen.seq))
        for each in self.at.keys() & passed:
            for hit in self.at[each]:
                if hit.state in KEPT_IN_STEP and hit.frozen.seq < frozen.seq:
                    hit.frozen = frozen

    def _marks(self, asking: Place | None = None) -> list[StandingMark]:
        return [_mark_of(hit, hit.win.place == asking) for hit in self.open.values() if not hit.win.envy_of]

    def _place(self, hit: BookedHit) -> None:
        if hit.state in OPEN:
            self.open[hit.win.id] = hit
        else:
            self.open.pop(hit.win.id, None)

    def _lit(self, win: WinFound) -> BookedHit | None:
        """The key of this hand that is on: without its seats yet, or with a seat of it that stands marked."""
        of_hand = [hit for hit in self.at[win.place] if hit.win.line == win.line]
        held = {id(hit.lit) for hit in of_hand if hit.lit is not None and hit.state is WinState.MARKED}
        lit = [hit for hit in of_hand if hit.win.seat == LIT and (hit.state is WinState.MARKED or id(hit) in held)]
        return lit[-1] if lit else None


def _mark_of(hit: BookedHit, asking: bool) -> StandingMark:
    logged = hit.state is WinState.LOGGED and not asking
    return StandingMark(hit.win.place, hit.rank, hit.frozen.seq, hit.part, logged, hit.front, hit.at_approval)
