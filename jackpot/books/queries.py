"""What can be asked of the progressive. Most questions start from a person: another house is not there for them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.db.models import Prefetch, Q, QuerySet

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.models.went_back import WentBack
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.equation import Standing, difference
from jackpot.books.rules.movement import ACCOUNTS
from jackpot.database.raw import Question, Rows, ask_together
from jackpot.laboratory.findings import jackpot_of
from jackpot.laboratory.record import is_sound
from jackpot.money import units_of_each
from jackpot.property.queries import of_house
from jackpot.requests.models import Request, RequestEntry
from jackpot.requests.rules.life import OPEN, RequestState
from jackpot.terms.models.terms_change import TermsChange
from jackpot.trail.actions.standing import why_silent
from jackpot.trail.models import Trail

FIRST_ENTRY: Final = 1  # the opening, or the reading of a take-over
PROVEN_WHILE_YOU_WAIT: Final = 250_000  # entries; some two seconds
LOOKED_AT: Final = 50_000  # entries that one page looks through for what no index finds

_WITH_A_CHANGE: Final = (
    "premises", "jackpot__premises", "stands_on", "version", "before", "asked_by", "decided_by", "withdrawn_by",
)  # fmt: skip
_ROW: Final = ("last_seq", "seal", "last_at", "version_id", *ACCOUNTS)
# As the row should say it; before the first entry it is empty, and its first terms wait for that entry.
_AS_POSTED: Final = (
    "coalesce(e.seq, 0)", f"coalesce(e.seal, '\\x{bytes(32).hex()}'::bytea)", "e.occurred_at",
    "coalesce(e.version_id, j.version_id)", *(f"coalesce(e.{account}_after, 0)" for account in ACCOUNTS),
)  # fmt: skip
# The last entry is found by its own number, not by what the row says of it. Only rows that differ are told.
DIFFERING: Final = f"""
SELECT j.id, j.code,
       {", ".join(f"j.{name}" for name in _ROW[:4])}, ARRAY[{", ".join(f"j.{name}" for name in ACCOUNTS)}],
       {", ".join(_AS_POSTED[:4])}, ARRAY[{", ".join(_AS_POSTED[4:])}]
  FROM jackpot_jackpot j
  LEFT JOIN LATERAL (
    SELECT * FROM jackpot_entry x WHERE x.jackpot_id = j.id ORDER BY x.seq DESC LIMIT 1
  ) e ON true
 WHERE (j.id = ANY(%s) OR %s)
   AND ({", ".join(f"j.{name}" for name in _ROW)}) IS DISTINCT FROM ({", ".join(_AS_POSTED)})
 ORDER BY j.id
"""


def jackpots(person: Any) -> QuerySet[Jackpot]:
    return of_house(Jackpot.objects.select_related("premises", "version"), person)


class RowDifference(NamedTuple):
    """A jackpot whose row does not say what its last entry says."""

    jackpot_id: int
    code: str
    row: Standing
    entry: Standing

    @property
    def why(self) -> str:
        sentence = difference(self.code, self.row, self.entry)
        assert sentence is not None, "the database found a difference that this rule does not see"
        return sentence


def differing_question(jackpot_ids: Iterable[int] | None) -> Question:
    """Which of these rows (or of all) differ from their last entry; for whoever has a trip to add it to."""
    return DIFFERING, [list(jackpot_ids or ()), jackpot_ids is None]


def differences_of(rows: Rows) -> list[RowDifference]:
    return [_row_difference(*row) for row in rows]


def differing_rows() -> list[RowDifference]:
    """Every jackpot that is stopped because its row was changed behind the books."""
    (rows,) = ask_together([differing_question(None)])
    return differences_of(rows)


class StoppedJackpot(NamedTuple):
    """A jackpot on which nothing is posted, and the sentence that says why."""

    jackpot_id: int
    code: str
    why: str
    went_back: bool


def stopped_jackpots() -> list[StoppedJackpot]:
    """Whose row was changed behind the books, or whose books went back."""
    back = WentBack.objects.filter(accepted_at=None).values_list("jackpot_id", "jackpot__code", "why")
    stopped = [StoppedJackpot(id_, code, why, went_back=True) for id_, code, why in back]
    differing = [StoppedJackpot(row.jackpot_id, row.code, row.why, went_back=False) for row in differing_rows()]
    return sorted([*differing, *stopped], key=lambda each: each.code)


def stopped_here(person: Any) -> list[StoppedJackpot]:
    """Those of this person's house; everything, while the trail cannot be written."""
    if silent := why_silent():
        # The trail holds up every jackpot at once, so none is named alone.
        return [StoppedJackpot(0, "Everything", silent, went_back=False)]
    found = stopped_jackpots()
    here = set(jackpots(person).values_list("pk", flat=True)) if found else set()
    return [each for each in found if each.jackpot_id in here]


def _row_difference(jackpot_id: int, code: str, *columns: Any) -> RowDifference:
    row, entry = (
        Standing(seq, bytes(seal), at, version_id, units_of_each(amounts))
        for seq, seal, at, version_id, amounts in (columns[:5], columns[5:])
    )
    return RowDifference(jackpot_id, code, row, entry)


def versions(jackpot: Jackpot) -> QuerySet[Version]:
    return jackpot.versions.select_related("jackpot")


def changes(jackpot: Jackpot) -> QuerySet[TermsChange]:
    """Every request for other terms, with the people who decided it."""
    return TermsChange.objects.filter(jackpot=jackpot).select_related(*_WITH_A_CHANGE)


def undecided_changes(jackpots: Iterable[Jackpot]) -> dict[int, list[TermsChange]]:
    """What is open or waits for its reset, by jackpot, oldest first: one look for all of them."""
    found: dict[int, list[TermsChange]] = {}
    states = (*OPEN, RequestState.SIGNED)
    rows = TermsChange.objects.filter(jackpot__in=list(jackpots), state__in=states).select_related(*_WITH_A_CHANGE)
    for row in rows.order_by("number"):
        found.setdefault(row.its_jackpot_id, []).append(row)
    return found


def entries(jackpot: Jackpot) -> QuerySet[Entry]:
    """The books of one jackpot. The version's number is fetched once per page, its long text not at all."""
    number = Prefetch("version", Version.objects.only("id", "number"))
    return Entry.objects.filter(jackpot=jackpot).prefetch_related(number)


class RisingColumn(Sequence[Any]):
    """A column of the entries that never goes back, so that a place in it is found by halving."""

    def __init__(self, jackpot: Jackpot, column: str) -> None:
        self.rows = Entry.objects.filter(jackpot=jackpot).values_list(column, flat=True)
        self.last = jackpot.last_seq

    def __len__(self) -> int:
        return self.last

    def __getitem__(self, place: Any) -> Any:
        assert isinstance(place, int), "a place is found entry by entry"
        return self.rows.get(seq=place + 1)


def numbers_of_day(jackpot: Jackpot, day: date) -> tuple[int, int]:
    """Behind which entry a gaming day begins and with which it ends: a handful of keys, however long the books are."""
    days = RisingColumn(jackpot, "gaming_day")
    after = bisect_left(days, day)
    return after, bisect_left(days, date.fromordinal(day.toordinal() + 1), after)


def chosen(jackpot: Jackpot, asked: Mapping[str, Any]) -> QuerySet[Entry]:
    """The entries a reader asked for: by kind, gaming day, table, round, or only those that lowered the meter."""
    rows = entries(jackpot)
    if asked.get("day"):
        after, upto = _reach(jackpot, asked)
        rows = rows.filter(seq__gt=after, seq__lte=upto)
    columns = {"kind": "kind", "day": "gaming_day", "table": "table_code", "round": "round_number"}
    wanted = {column: asked[word] for word, column in columns.items() if asked.get(word) not in (None, "")}
    rows = rows.filter(**wanted)
    if not asked.get("falls"):
        return rows
    # A coin-in never lowers a meter, also less what it repays; leaving coin-ins out lets the small index of all other
    # acts answer.
    # An award after which the reset left the meter higher took from it all the same.
    fell = Q(meter__lt=0) | Q(meter__gt=0, kind=EntryKind.AWARD)
    return rows.filter(fell).exclude(kind=EntryKind.COIN_IN).exclude(kind=EntryKind.REPAY)


class BooksLook(NamedTuple):
    """What one page of the books shows, and up to which entry it looked: there the next one goes on. Nothing where it
    looked to the end."""

    rows: QuerySet[Entry]
    edge: int | None


def look(jackpot: Jackpot, asked: Mapping[str, Any], beyond: int | None = None, *, rising: bool = False) -> BooksLook:
    """The entries asked for behind `beyond`. A table or a round is found by looking through the books, a stretch a
    page: so a page costs the same wherever that table played last."""
    rows = chosen(jackpot, asked).order_by("seq" if rising else "-seq")
    if beyond is not None:
        rows = rows.filter(seq__gt=beyond) if rising else rows.filter(seq__lt=beyond)
    if not _is_searched(asked):
        return BooksLook(rows, None)
    after, upto = _reach(jackpot, asked)
    if rising:
        edge = max(after, beyond or 0) + LOOKED_AT
        return BooksLook(rows.filter(seq__lte=edge), edge if edge < upto else None)
    edge = min(upto + 1, upto + 1 if beyond is None else beyond) - LOOKED_AT
    return BooksLook(rows.filter(seq__gte=edge), edge if edge > after + 1 else None)


def _is_searched(asked: Mapping[str, Any]) -> bool:
    """Whether only reading finds it: all acts but coin-ins have an index of their own, and it is small."""
    dense = asked.get("kind") in (None, "", EntryKind.COIN_IN, EntryKind.REPAY)
    return dense and not asked.get("falls") and bool(asked.get("table") or asked.get("round"))


def _reach(jackpot: Jackpot, asked: Mapping[str, Any]) -> tuple[int, int]:
    """Behind which entry and with which one the day asked for lies; without a day all of the books."""
    if asked.get("day"):
        with suppress(Entry.DoesNotExist):  # an entry was taken away: the proof names it, and here all are looked at
            return numbers_of_day(jackpot, asked["day"])
    return 0, jackpot.last_seq


def corrected_by(jackpot: Jackpot, shown: Iterable[Entry]) -> dict[int, int]:
    """For each entry that a later one corrects: the number of the later one."""
    numbers = [entry.seq for entry in shown]
    found = Entry.objects.filter(jackpot=jackpot, corrects__in=numbers).values_list("corrects", "seq")
    return {corrected: seq for corrected, seq in found if corrected is not None}


def reasons_given(shown: Iterable[Entry]) -> dict[tuple[str, str], Trail]:
    """What a person said when a round was voided or counted again, by act and "TABLE/round"."""
    acts = {(entry.kind, f"{entry.table_code}/{entry.round_number}") for entry in shown if entry.corrects is not None}
    kinds, rounds = {kind for kind, _ in acts}, {round_ for _, round_ in acts}
    said = Trail.objects.filter(act__in=kinds, subject__in=rounds, outcome="done").order_by("id")
    # In the order in which it was said: of a round that was counted again twice the last word stays.
    return {(line.act, line.subject): line for line in said} if acts else {}


def meter_lately(jackpot: Jackpot, last: int) -> list[Decimal]:
    """The meter after each of the last entries, oldest first."""
    rows = Entry.objects.filter(jackpot=jackpot).order_by("-seq").values_list("meter_after", flat=True)
    return list(reversed(rows[:last]))


@dataclass(frozen=True, slots=True)
class SignedFigures:
    """As it is kept with the request: `answers` are those in force before and those signed, or of an opening only the
    latter; `unknown` says why there are none. `form` is the version of the record."""

    request: int
    form: int
    digest: str
    sound: bool
    previewed_at: datetime | None
    answers: tuple[Mapping[str, Any], ...]
    unknown: str
    findings: tuple[Mapping[str, str], ...]

    @property
    def answer(self) -> Mapping[str, Any] | None:
        """Of the terms that were signed."""
        return self.answers[-1] if self.answers else None


def signed_figures(versions: Iterable[Any]) -> dict[int, SignedFigures]:
    """By the versions' keys; a version that came in with a casino file has none."""
    told = {version.pk: version for version in versions}
    found = {}
    for change in TermsChange.objects.filter(version_id__in=told):
        assert change.version_id is not None, "chosen by it"
        found[change.version_id] = _of_change(change)
    first = {version.jackpot_id: version for version in told.values() if version.number == 1}
    opened = RequestEntry.objects.filter(jackpot_id__in=first, seq=FIRST_ENTRY).select_related("request")
    for entry in opened:
        version = first[entry.jackpot_id]
        said = _of_opening(entry.request, version.jackpot.code)
        if said is not None:
            found[version.pk] = said
    return found


def laboratory_record(row: Request) -> dict[str, Any] | None:
    """The record of a request as programs read it; nothing where the laboratory was not asked."""
    return row.preview if "form" in row.preview else None


def _of_change(change: TermsChange) -> SignedFigures:
    answers: Any = tuple(change.figures)
    return _figures(change, answers, str(change.questions.get("unknown", "")), tuple(change.findings))


def _of_opening(row: Request, code: str) -> SignedFigures | None:
    """A request may open several jackpots: each finding names its own."""
    said = next((each for each in row.preview.get("laboratory", ()) if each["jackpot"] == code), None)
    if said is None:
        return None
    findings = tuple(each for each in row.findings if jackpot_of(each) == code)
    return _figures(row, (said["answer"],) if said["answer"] else (), said["unknown"], findings)


def _figures(
    row: Request, answers: tuple[Mapping[str, Any], ...], unknown: str, findings: tuple[Mapping[str, str], ...]
) -> SignedFigures:
    record = row.preview
    return SignedFigures(
        row.pk, record.get("form", 0), record.get("digest", ""), "form" not in record or is_sound(record),
        row.previewed_at, answers, unknown, findings,
    )  # fmt: skip
