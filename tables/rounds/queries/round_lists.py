"""What is read of the floor. Plain SQL where two kinds of connection share it: Django's and the signs' own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery

from jackpot.books.models.entry import Entry
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.property.queries import of_house
from tables.floor.models.device import Device, DeviceKind
from tables.floor.models.table import Link, Table
from tables.rounds.models.round import Round, RoundEntry
from tables.rounds.models.sensor import SensorEvent


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


def round_entries(round_: Round) -> list[Entry]:
    """Every entry a round ever caused, oldest first: its coin-ins, what took them back, and what was taken back."""
    rows = RoundEntry.objects.filter(table_id=round_.table_id, number=round_.number)
    pairs = list(rows.values_list("jackpot_id", "seq"))
    jackpots = {jackpot_id for jackpot_id, _ in pairs} | set(round_.table.links.values_list("jackpot_id", flat=True))
    name = f"{round_.table.code}/{round_.number}"
    keys = [f"{name}/void", *(f"{name}/{revision}/contra" for revision in range(2, round_.revision + 1))]
    contras = Entry.objects.filter(jackpot_id__in=jackpots, key__in=keys).exclude(kind=EntryKind.COIN_IN)
    undone = [pair for id_, seq, corrects in contras.values_list("jackpot_id", "seq", "corrects")
              for pair in ((id_, seq), (id_, corrects))]  # fmt: skip
    wanted = {*pairs, *undone}
    found = Entry.objects.select_related("jackpot", "version").filter(pk__in=sorted(wanted)) if wanted else ()
    return sorted(found, key=lambda entry: (entry.jackpot.code, entry.seq))


def sensor_alarms(person: Any) -> QuerySet[SensorEvent]:
    return of_house(SensorEvent.objects.select_related("table"), person, "table__premises").order_by("-id")
