"""What a simulated evening did to the books: reckoned from rounds, wagers, versions and wins, whoever played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Final

from jackpot.books.actions.post import in_force
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.kinds import ORDERING
from jackpot.database.raw import raw_cursor
from jackpot.wins.models import Win
from tables.rounds.models.round import Round
from tables.simulator.evening import EveningReport
from tables.simulator.hits import TableAward
from tables.simulator.reckoning import CountedRound, Event, JackpotBalances, PaidAward, Rates, Sheet, VoidedRound

# Of an entry only its number and what it is about: no movement and no balance.
ABOUT: Final = """
SELECT e.seq, e.kind, e.corrects, e.win_id, e.version_id, length(r.seats) * r.wager,
       EXISTS (SELECT FROM tables_roundentry c WHERE c.table_id = r.table_id AND c.number = r.number
                  AND c.revision = r.revision AND c.jackpot_id = e.jackpot_id AND c.seq = e.seq)
  FROM jackpot_entry e LEFT JOIN tables_table t ON t.code = e.table_code
  LEFT JOIN tables_round r ON r.table_id = t.id AND r.number = e.round_number
 WHERE e.jackpot_id = %s AND e.seq > %s AND e.seq <= %s AND NOT e.kind = ANY(%s)
   AND NOT e.key LIKE '%%/repay' ORDER BY e.seq
"""
LEFT_OUT: Final = sorted(
    {*ORDERING, EntryKind.PAY, EntryKind.ADVANCE}
)  # an advance stands in its win, a repayment follows its coin-in


@dataclass(slots=True)
class Settled:
    """The sheets of an evening, what else people did meanwhile, and what the books do not have as it was told."""

    sheets: list[Sheet] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    missing: list[str] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        return not self.missing and all(sheet.agrees for sheet in self.sheets)


def stood(tables: Iterable[str]) -> dict[str, JackpotBalances]:
    """Where the jackpots of these tables stand now, by code."""
    rows = Jackpot.objects.filter(links__table__code__in=list(tables)).distinct()
    return {row.code: JackpotBalances(row.last_seq, row.meter, row.reserve, row.overflow, row.advance) for row in rows}


def settled(opened: Mapping[str, JackpotBalances], report: EveningReport) -> Settled:
    """Every jackpot from where it stood to where it stands."""
    made = Settled()
    for row in Jackpot.objects.filter(code__in=list(opened)).order_by("code"):
        closed = JackpotBalances(row.last_seq, row.meter, row.reserve, row.overflow, row.advance)
        events = list(_events(row, opened[row.code].seq, closed.seq, made.others))
        made.sheets.append(Sheet.reckoned(row.code, opened[row.code], events, closed))
    for table, tally in report.tallies.items():
        made.missing += _rounds_missing(table, tally.counted)
    made.missing += _wins_missing(report.wins, paid=False) + _wins_missing(report.paid, paid=True)
    return made


def _events(jackpot: Jackpot, after: int, upto: int, others: Counter[str]) -> Iterator[Event]:
    wins = {win.id: win for win in Win.objects.filter(jackpot=jackpot, award_seq__gt=after, award_seq__lte=upto)}
    terms: dict[int, Rates] = {}
    with raw_cursor() as cursor:
        cursor.execute(ABOUT, [jackpot.id, after, upto, LEFT_OUT])
        for seq, kind, corrects, win_id, version_id, stake, is_present in cursor:
            rates = terms[version_id] if version_id in terms else terms.setdefault(version_id, _rates(version_id))
            if kind == EntryKind.COIN_IN:
                if is_present:  # else it was counted again, and this is its old count
                    yield CountedRound(seq, stake, rates)
            elif kind == EntryKind.VOID:
                yield VoidedRound(corrects, stake, rates)
            elif kind == EntryKind.AWARD:
                yield _award(wins[win_id], rates)
            elif kind != EntryKind.RECOUNT or corrects <= after:
                others[str(EntryKind(kind).label)] += 1


def _rates(version_id: int) -> Rates:
    terms = in_force(version_id).terms
    limit = None if terms.limit is None else terms.limit.decimal()
    million = Decimal(1_000_000)
    repays = terms.rate * (terms.repay_rate or 0) / (million * million)
    keeps = terms.policy.overflow == "next_meter"
    return Rates(terms.rate / million, terms.reserve_rate / million, limit, keeps, repays)


def _award(win: Win, rates: Rates) -> PaidAward:
    record = win.record
    assert win.amount is not None, "an award has its amount"
    drawn = {field.name: getattr(record.drawn, field.name).decimal() for field in fields(record.drawn)}
    from_meter = Decimal(0) if record.source == "tray" else win.amount
    return PaidAward(from_meter, rates, **drawn)


def _rounds_missing(table: str, counted: Mapping[int, int]) -> list[str]:
    """Every acknowledged round is there with as many chips as were acknowledged."""
    if not counted:
        return []
    rows = Round.objects.filter(table__code=table, number__gte=min(counted), number__lte=max(counted))
    there = {number: len(seats) for number, seats in rows.values_list("number", "seats")}
    return [
        f"{table} was told that round {number} counts {chips} chips; the books have {there.get(number, 'no round')}."
        for number, chips in counted.items()
        if there.get(number) != chips
    ]


def _wins_missing(told: Iterable[TableAward], *, paid: bool) -> list[str]:
    """Every award that a table was told of is there with its amount; every slip that the cage paid is paid."""
    wanted = {won.number: won for won in told}
    rows = Win.objects.filter(number__in=list(wanted), jackpot__premises__demo=True).select_related("jackpot")
    there = {row.number: row for row in rows}
    word = "paid" if paid else "awarded"
    return [
        f"Win {number} of {won.amount} on {won.jackpot}, slip {won.slip}, is not {word} so in the books."
        for number, won in wanted.items()
        if not _is_so(there.get(number), won, paid=paid)
    ]


def _is_so(win: Win | None, won: TableAward, *, paid: bool) -> bool:
    if win is None or (win.jackpot.code, str(win.amount_money), win.slip) != (won.jackpot, won.amount, won.slip):
        return False
    return win.state == "paid" if paid else win.award_seq is not None
