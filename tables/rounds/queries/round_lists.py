"""Tables, rounds and what sensors said, as lists show them. The look through rounds is SQL of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery

from jackpot.books.models.entry import Entry
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.database.raw import raw_cursor
from jackpot.property.queries import of_house
from tables.floor.models.device import Device, DeviceKind
from tables.floor.models.table import Link, Table
from tables.rounds.models.round import Round, RoundEntry
from tables.rounds.models.sensor import SensorEvent

LOOKED_AT: Final = 10_000  # rounds that one page looks through for what no index finds
# In the order of the list, behind where the last page ended. Of each table no more is read than a page may look at.
LOOK: Final = """
WITH looked AS MATERIALIZED (
  SELECT t.id, t.code, r.number, r.gaming_day, r.state
    FROM tables_table t CROSS JOIN LATERAL (
      SELECT x.number, x.gaming_day, x.state FROM tables_round x
       WHERE x.table_id = t.id AND (t.code > %(code)s OR x.number < %(number)s)
       ORDER BY x.number DESC LIMIT %(most)s) r
   WHERE (t.premises_id = %(house)s OR %(house)s::bigint IS NULL)
     AND t.code >= %(code)s AND (t.code = %(only)s OR %(only)s = '')
   ORDER BY t.code, r.number DESC LIMIT %(most)s)
SELECT id, code, number, fits, place FROM (
  SELECT id, code, number, row_number() OVER (ORDER BY code, number DESC) AS place,
         (gaming_day = %(day)s OR %(day)s::date IS NULL) AND (state = %(state)s OR %(state)s = '') AS fits
    FROM looked) AS placed
 WHERE fits OR place = %(most)s ORDER BY place
"""
LARGEST: Final = 2**63 - 1


def tables_of(person: Any) -> QuerySet[Table]:
    """The tables of a person's house, with what a list of them shows and the number of each one's last round."""
    last = Round.objects.filter(table=OuterRef("pk")).order_by("-number").values("number")[:1]
    rows = Table.objects.select_related("premises").annotate(last_number=Subquery(last))
    controllers = Prefetch("devices", Device.objects.filter(kind=DeviceKind.CONTROLLER), to_attr="controllers")
    levels = Prefetch("links", Link.objects.select_related("jackpot__version").order_by("level"))
    return of_house(rows.prefetch_related(controllers, levels), person)


def codes_of(person: Any) -> QuerySet[Table, str]:
    """Their codes alone, in order."""
    return of_house(Table.objects.order_by("code"), person).values_list("code", flat=True)


def last_rounds(tables: Iterable[Any]) -> dict[int, Round]:
    """The last round of each table, by the table's id."""
    keys = [(table.pk, table.last_number) for table in tables if table.last_number is not None]
    return {round_.table_id: round_ for round_ in Round.objects.filter(pk__in=keys)} if keys else {}


def rounds_of(person: Any) -> QuerySet[Round]:
    return of_house(Round.objects.select_related("table__premises", "dealer", "device"), person, "table__premises")


class RoundsLook(NamedTuple):
    """The keys of rounds that one page shows, and up to which round (table, number) it looked; nothing where it looked
    to the end."""

    keys: list[tuple[int, int]]
    edge: tuple[str, int] | None


def look(person: Any, asked: Mapping[str, Any], beyond: tuple[str, int] | None, limit: int) -> RoundsLook:
    """Rounds of a day or a state, table by table, newest first. Only reading finds them, so a page looks through so
    many and says where the next one goes on: it costs the same however much was played."""
    code, number = beyond or (asked.get("table") or "", LARGEST)
    words = {
        "code": code, "number": number, "only": asked.get("table") or "", "day": asked.get("day") or None,
        "state": asked.get("state") or "", "house": getattr(person, "premises_id", None), "most": LOOKED_AT,
    }  # fmt: skip
    with raw_cursor() as cursor:
        cursor.execute(LOOK, words)
        rows = cursor.fetchall()
    keys = [(table_id, number) for table_id, _, number, fits, _ in rows if fits]
    edges = [(code, number) for _, code, number, _, place in rows if place == LOOKED_AT]
    return RoundsLook(keys[:limit], edges[-1] if edges else None)


def round_entries(round_: Round) -> list[Entry]:
    """Every entry a round ever caused, oldest first: its coin-ins, what took them back, and what was taken back."""
    rows = RoundEntry.objects.filter(table_id=round_.table_id, number=round_.number)
    pairs = list(rows.values_list("jackpot_id", "seq"))
    jackpots = {jackpot_id for jackpot_id, _ in pairs} | set(round_.table.links.values_list("jackpot_id", flat=True))
    name = f"{round_.table.code}/{round_.number}"
    # By the keys that acts give them: entries have no index by round, and a list may not ask for one (decision 0024).
    keys = [f"{name}/void", *(f"{name}/{revision}/contra" for revision in range(2, round_.revision + 1))]
    contras = Entry.objects.filter(jackpot_id__in=jackpots, key__in=keys).exclude(kind=EntryKind.COIN_IN)
    undone = [pair for id_, seq, corrects in contras.values_list("jackpot_id", "seq", "corrects")
              for pair in ((id_, seq), (id_, corrects))]  # fmt: skip
    wanted = {*pairs, *undone}
    found = Entry.objects.select_related("jackpot", "version").filter(pk__in=sorted(wanted)) if wanted else ()
    return sorted(found, key=lambda entry: (entry.jackpot.code, entry.seq))


def sensor_alarms(person: Any) -> QuerySet[SensorEvent]:
    return of_house(SensorEvent.objects.select_related("table"), person, "table__premises").order_by("-id")
