"""What happened on a stretch of a jackpot's books, for the equation: of an entry only its number and what it is about.

How much was played is read from the rounds, how much was won from the win records, what two people did from their
requests, under which terms from the versions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, LiteralString, assert_never

from accounting.days.queries.stretch import BooksStretch, holdings_after
from accounting.days.rules.equation import (
    AmountAdjusted,
    AwardBackedOut,
    AwardOnRecord,
    BooksEvent,
    ChipsTakenBack,
    CountedChips,
    DifferenceOwed,
    HouseAdvance,
    JackpotBegun,
    MoneySent,
    MoneyTaken,
    Reckoner,
)
from jackpot.adjusting.models import Adjustment
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.rules.entry_kind import EntryKind, known_kind
from jackpot.books.rules.kinds import ORDERING, STATES
from jackpot.books.rules.movement import NOTHING, Movement
from jackpot.database.raw import raw_cursor
from jackpot.money import Money, units_of
from jackpot.terms.rules.terms import Terms
from jackpot.trail.models import Trail
from jackpot.wins.models import Win

OfAWin = Literal[EntryKind.AWARD, EntryKind.ADVANCE, EntryKind.BACK_OUT, EntryKind.DIFFERENCE]
OfARequest = Literal[EntryKind.ADJUST, EntryKind.TRANSFER_OUT, EntryKind.TRANSFER_IN]
# Neither coin-ins, which are counted from their rounds, nor what moves nothing that a jackpot holds.
LEFT_OUT: Final = sorted(
    {*ORDERING, *STATES, EntryKind.PAY, EntryKind.RECEIPT, EntryKind.REPAY, EntryKind.CONFIGURE, EntryKind.COIN_IN}
)
ACTS: Final = """
SELECT e.seq, e.kind, e.corrects, e.win_id, e.version_id, e.table_code, e.round_number
  FROM jackpot_entry e
 WHERE e.jackpot_id = %(jackpot)s AND e.seq > %(after)s AND e.seq <= %(upto)s
   AND e.kind <> 'coin_in' AND NOT e.kind = ANY(%(left_out)s)
   AND NOT (e.kind = ANY('{void,recount}') AND e.key LIKE '%%/repay')
 ORDER BY e.seq
"""
# Coin-ins of this stretch that were taken back behind it: their rounds say something else by now.
TAKEN_BACK_LATER: Final = """
SELECT e.seq, e.kind, e.corrects, e.win_id, e.version_id, e.table_code, e.round_number
  FROM jackpot_entry e
 WHERE e.jackpot_id = %(jackpot)s AND e.corrects > %(after)s AND e.corrects <= %(upto)s AND e.seq > %(upto)s
   AND e.kind = ANY('{void,recount}') AND NOT e.key LIKE '%%/repay'
"""
# One row for all coin-ins between two acts under one version, from the key range of the day: rounds x wager. The chips
# are those of the wager that fed this jackpot: a further one's, or the first's. A long stretch is joined as the planner
# will; of a short one each coin-in finds its round by its key, for else the rounds of all days would be read for it.
_CHIPS: Final = """
SELECT min(e.seq), e.version_id, sum(length(coalesce(f.seats, r.seats)) * coalesce(f.chip, r.wager)),
       sum(length(coalesce(f.seats, r.seats))), count(*), count(r.number)
  FROM jackpot_entry e
  LEFT JOIN tables_table t ON t.code = e.table_code
  {rounds}
 WHERE e.jackpot_id = %(jackpot)s AND e.seq > %(after)s AND e.seq <= %(upto)s AND e.kind = 'coin_in'
   AND NOT e.seq = ANY(%(singled)s::bigint[])
 GROUP BY {place}, e.version_id
 ORDER BY 1
"""
_JOINED: Final = """LEFT JOIN tables_roundentry c ON c.table_id = t.id AND c.number = e.round_number
       AND c.jackpot_id = e.jackpot_id AND c.seq = e.seq
  LEFT JOIN tables_round r ON r.table_id = t.id AND r.number = e.round_number AND r.revision = c.revision
  LEFT JOIN tables_furthercoinin f ON f.table_id = t.id AND f.number = e.round_number AND f.revision = c.revision
       AND e.jackpot_id = ANY(f.jackpots)"""
_BY_KEY: Final = """LEFT JOIN LATERAL (
    SELECT x.revision FROM tables_roundentry x WHERE x.table_id = t.id AND x.number = e.round_number
       AND x.jackpot_id = e.jackpot_id AND x.seq = e.seq LIMIT 1) c ON true
  LEFT JOIN LATERAL (
    SELECT x.number, x.seats, x.wager FROM tables_round x
     WHERE x.table_id = t.id AND x.number = e.round_number AND x.revision = c.revision LIMIT 1) r ON true
  LEFT JOIN LATERAL (
    SELECT x.seats, x.chip FROM tables_furthercoinin x WHERE x.table_id = t.id AND x.number = e.round_number
       AND x.revision = c.revision AND e.jackpot_id = ANY(x.jackpots) LIMIT 1) f ON true"""
_BETWEEN_ACTS: Final = "width_bucket(e.seq, %(marks)s::bigint[])"
# Up to here each coin-in finds its round by its key (decision 0092).
SHORT: Final = 50_000  # entries
ROUND: Final = """
SELECT coalesce(f.seats, r.seats), coalesce(f.chip, r.wager), f.seats IS NOT NULL OR r.revision = c.revision, c.revision
  FROM tables_round r JOIN tables_table t ON t.id = r.table_id
  JOIN tables_roundentry c ON c.table_id = r.table_id AND c.number = r.number
  LEFT JOIN tables_furthercoinin f ON f.table_id = r.table_id AND f.number = r.number AND f.revision = c.revision
       AND c.jackpot_id = ANY(f.jackpots)
 WHERE t.code = %(table)s AND r.number = %(round)s AND c.jackpot_id = %(jackpot)s AND c.seq = %(seq)s
"""


def chips_statement(*, short: bool, alone: bool) -> LiteralString:
    """The statement that counts chips; `alone` makes every coin-in a row of its own."""
    place = f"e.seq, {_BETWEEN_ACTS}" if alone else _BETWEEN_ACTS
    return _CHIPS.format(rounds=_BY_KEY if short else _JOINED, place=place)


@dataclass(frozen=True, slots=True)
class BooksAct:
    """An entry that is no coin-in: its number and what it is about."""

    seq: int
    kind: str
    corrects: int | None
    win_id: int | None
    version_id: int
    table_code: str
    round_number: int | None


@dataclass(slots=True)
class StretchReading:
    """The events of one stretch in their order, and whatever has no record behind it."""

    jackpot: Jackpot
    stretch: BooksStretch
    owing: bool = False
    missing: list[str] = field(default_factory=list)
    _terms: dict[int, Terms] = field(default_factory=dict)
    _wins: dict[int, Win] = field(default_factory=dict)

    def events(self) -> Iterator[BooksEvent]:
        acts = self._read(ACTS)
        wins = [act.win_id for act in acts if act.win_id is not None]
        self._wins = {win.pk: win for win in Win.objects.filter(pk__in=wins)}
        # Whatever is taken back, here or later, is counted by itself: what its void returns is known only coin-in by
        # coin-in.
        undone = [act for act in acts if act.kind in ("void", "recount")] + self._read(TAKEN_BACK_LATER)
        here = {act.corrects: act for act in undone if act.corrects is not None and act.corrects > self.stretch.after}
        placed: list[tuple[int, BooksEvent]] = [*self._chips(acts, sorted(here))]
        placed += [(seq, self._single(seq, act)) for seq, act in here.items()]
        placed += [(act.seq, event) for act in acts if (event := self._event(act)) is not None]
        # In the order of the books' numbers, for a limit cuts and an advance is repaid by what stood at that moment.
        for _, event in sorted(placed, key=lambda each: each[0]):
            yield event

    def _read(self, statement: LiteralString) -> list[BooksAct]:
        with raw_cursor() as cursor:
            cursor.execute(statement, {**self._range(), "left_out": LEFT_OUT})
            return [BooksAct(*row) for row in cursor]

    def _range(self) -> dict[str, Any]:
        return {"jackpot": self.jackpot.pk, "after": self.stretch.after, "upto": self.stretch.upto}

    def _chips(self, acts: Sequence[BooksAct], singled: Sequence[int]) -> Iterator[tuple[int, CountedChips]]:
        """An advance is repaid round by round, so where one is owed every round is an event of its own."""
        one_by_one = self.owing or any(act.kind == "advance" for act in acts)
        marks = sorted({self.stretch.after, *(act.seq for act in acts), *singled})
        asked = {**self._range(), "singled": list(singled), "marks": marks}
        with raw_cursor() as cursor:
            cursor.execute(
                chips_statement(short=self.stretch.upto - self.stretch.after <= SHORT, alone=one_by_one), asked
            )
            rows = cursor.fetchall()
        for seq, version_id, stake, chips, entries, rounds in rows:
            if entries != rounds:
                self.missing.append(f"{entries - rounds} coin-ins behind entry {seq} have no round that names them.")
            if rounds:
                counted = CountedChips(units_of(stake), chips, self._of(version_id), seq if one_by_one else 0)
                yield seq, counted

    def _single(self, seq: int, act: BooksAct) -> CountedChips:
        """A coin-in that is taken back on the same stretch."""
        stake, chips = self._played(seq, act)
        # By the version of the coin-in's own entry: the void may have come under other terms.
        return CountedChips(stake, chips, self._of(self._version_at(seq)), seq)

    def _version_at(self, seq: int) -> int:
        return Entry.objects.filter(jackpot=self.jackpot).values_list("version_id", flat=True).get(seq=seq)

    def _played(self, seq: int, act: BooksAct) -> tuple[int, int]:
        """Stake and chips of a coin-in that was taken back: by its round, or where that was counted again, by the
        trail, which says what it was before.
        """
        asked = {"jackpot": self.jackpot.pk, "seq": seq, "table": act.table_code, "round": act.round_number}
        with raw_cursor() as cursor:
            cursor.execute(ROUND, asked)
            row = cursor.fetchone()
        if row is None:
            self.missing.append(f"Entry {act.seq} takes back a round that is not there.")
            return 0, 0
        seats, wager, counts, revision = row
        chips = len(seats) if counts else self._before(act, revision)
        return chips * units_of(wager), chips

    def _before(self, act: BooksAct, revision: int) -> int:
        """A round keeps its last count only; what a recount found before it, the trail kept."""
        lines = Trail.objects.filter(act="recount", subject=f"{act.table_code}/{act.round_number}")
        line = lines.filter(details__revision=revision).first()
        if line is None:
            self.missing.append(f"The trail does not say how many chips entry {act.corrects} counted.")
            return 0
        return len(line.details["seats"])

    def _event(self, act: BooksAct) -> BooksEvent | None:
        kind = known_kind(act.kind)
        match kind:
            case EntryKind.VOID | EntryKind.RECOUNT:
                return None if act.corrects is None else self._taken_back(act, act.corrects)
            case EntryKind.AWARD | EntryKind.ADVANCE | EntryKind.BACK_OUT | EntryKind.DIFFERENCE:
                return self._of_win(act, kind)
            case EntryKind.OPENING:
                return JackpotBegun(self._of(act.version_id).seed.units)
            case EntryKind.TAKE_OVER:
                return self._taken_over()
            case EntryKind.ADJUST | EntryKind.TRANSFER_OUT | EntryKind.TRANSFER_IN:
                return self._of_request(act, kind)
            case (
                EntryKind.COIN_IN | EntryKind.MARK | EntryKind.UNMARK | EntryKind.ASSIGN | EntryKind.ASK
                | EntryKind.RELEASE | EntryKind.OUTRANK | EntryKind.REJECT | EntryKind.FALL | EntryKind.PARK
                | EntryKind.CLAIM | EntryKind.PASS_QUEUE | EntryKind.REJOIN | EntryKind.OVERRIDE | EntryKind.LOG
                | EntryKind.REPAY | EntryKind.PAY | EntryKind.RECEIPT | EntryKind.CONFIGURE | EntryKind.SUSPEND
                | EntryKind.RESUME | EntryKind.RETIRE
                # none of these is read (LEFT_OUT); what nobody knows makes the day incomplete, and is not left out
                | None
            ):  # fmt: skip
                self.missing.append(f"Entry {act.seq} is of a kind that the equation does not know: {act.kind}.")
                return None
            case _:
                assert_never(kind)

    def _taken_back(self, act: BooksAct, corrects: int) -> ChipsTakenBack:
        terms = self._of(act.version_id)
        if corrects > self.stretch.after:
            return ChipsTakenBack(corrects, terms)
        stake, chips = self._played(corrects, act)
        then = self._of(self._version_at(corrects))
        if then.limit is None and not then.repay_rate:
            walked = Reckoner(opened=holdings_after(self.jackpot, 0))
        else:  # how much of it the limit cut shows only from where the books stood before it
            walked = Reckoner(opened=holdings_after(self.jackpot, corrects - 1))
        walked.walk([CountedChips(stake, chips, then, corrects)])
        return ChipsTakenBack(corrects, terms, walked.originals[corrects], walked.repayments[corrects])

    def _of_win(self, act: BooksAct, kind: OfAWin) -> BooksEvent | None:
        win = self._wins.get(act.win_id or 0)
        if win is None:
            self.missing.append(f"Entry {act.seq} names a win that is not on record.")
            return None
        terms = self._of(act.version_id)
        match kind:
            case EntryKind.AWARD:
                return award_on_record(win, act.seq, terms)
            case EntryKind.ADVANCE:
                return HouseAdvance(win.pk, terms)
            case EntryKind.DIFFERENCE:
                is_paid = win.difference_of_id is not None  # else it was only noted, and names the winner's own win
                return DifferenceOwed(act.seq, _from_meter(win) if is_paid else 0, terms)
            case EntryKind.BACK_OUT:
                return self._backed_out(act, win, terms)
            case _:
                assert_never(kind)

    def _backed_out(self, act: BooksAct, win: Win, terms: Terms) -> AwardBackedOut | None:
        if act.corrects is None:
            return None  # its meter had not moved yet
        earlier = act.corrects <= self.stretch.after
        original = award_moved(win) if earlier else NOTHING
        advanced = win.record.drawn.advance.units if earlier else 0
        return AwardBackedOut(act.corrects, win.pk, terms, original, advanced)

    def _of_request(self, act: BooksAct, kind: OfARequest) -> BooksEvent | None:
        row = Adjustment.objects.filter(entries__jackpot=self.jackpot, entries__seq=act.seq).first()
        if row is None:
            self.missing.append(f"Entry {act.seq} names a request that is not there.")
            return None
        terms = self._of(act.version_id)
        match kind:
            case EntryKind.ADJUST:
                return AmountAdjusted(row.account, _units(row.amount_money), terms)
            case EntryKind.TRANSFER_OUT:
                return money_sent(row)
            case EntryKind.TRANSFER_IN:
                return MoneyTaken(money_sent(row), terms)
            case _:
                assert_never(kind)

    def _taken_over(self) -> JackpotBegun:
        line = Trail.objects.filter(act="take_over", subject=self.jackpot.code).order_by("id").first()
        if line is None:
            self.missing.append("The trail has no reading of the old system.")
            return JackpotBegun(0)
        # Not from the entry: what entries moved is what the equation is held against.
        reading = {word: Money.of(line.details["reading"][word]).units for word in ("meter", "reserve", "overflow")}
        return JackpotBegun(**reading)

    def _of(self, version_id: int) -> Terms:
        if version_id not in self._terms:
            self._terms[version_id] = Version.objects.get(pk=version_id).value
        return self._terms[version_id]


def award_on_record(win: Win, seq: int, terms: Terms) -> AwardOnRecord:
    """What the record of a win says that it drew, and how the meter began anew."""
    drawn = win.record.drawn
    return AwardOnRecord(
        seq, _from_meter(win), terms, drawn.seed.units, drawn.reserve_released.units, drawn.overflow_returned.units,
        drawn.from_reserve.units, drawn.from_house.units,
    )  # fmt: skip


def award_moved(win: Win) -> Movement:
    """The movement of an award of an earlier stretch, as its page prints it: before, after, and what lies between."""
    drawn, meter_told = win.record.drawn, win.record.meter
    assert meter_told is not None, "what was posted says what it did to the meter"
    raised = drawn.seed + drawn.reserve_released + drawn.overflow_returned + drawn.from_reserve + drawn.from_house
    uncut = raised.units - _from_meter(win)
    # What the limit cut stands on no record: it is what the meter lacks beside its before and what came in.
    cut = meter_told.before.units + uncut + drawn.advance.units - meter_told.after.units
    reserve = -(drawn.reserve_released + drawn.from_reserve).units
    revenue = win.version.value.policy.overflow == "revenue"
    overflow = (0 if revenue else cut) - drawn.overflow_returned.units
    meter = uncut - cut
    return Movement(meter=meter, reserve=reserve, overflow=overflow, house=-(meter + reserve + overflow))


def _from_meter(win: Win) -> int:
    """What the meter gave; a tray, and a house that pays a difference, leave it alone."""
    return _units(win.amount_money) if win.record.source == "meter" else 0


def money_sent(row: Adjustment) -> MoneySent:
    """What a transfer sent: as much of the meter as was asked for, or everything, as the request kept it."""
    amount = row.amount_money
    if amount is not None and row.kind == "transfer":
        return MoneySent(amount.units, 0, 0)
    # How much “everything” was, no request asks; it was noted when it was posted.
    told = row.posted["jackpots"][row.its_jackpot.code]
    sent = [
        Money.of(told["before"][word]).units - Money.of(told["after"][word]).units
        for word in ("meter", "reserve", "overflow")
    ]
    return MoneySent(*sent)


def _units(amount: Money | None) -> int:
    assert amount is not None, "what is on record has its amount"
    return amount.units
