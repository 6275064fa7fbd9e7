"""When boxes were not heard, and what was played there meanwhile and told later."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, F, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from jackpot.property.queries import of_house
from tables.floor.models.device import Device, DeviceState
from tables.floor.models.outage import SILENT_FOR, Outage
from tables.floor.models.table import Table
from tables.rounds.models.round import Round

TOLD_WITHIN: Final = timedelta(days=1)  # rounds that a box brings later than that are not looked for


def outages(person: Any) -> QuerySet[Outage]:
    """Each with `stored`: the coin-ins that were played in it and counted afterwards."""
    told = Round.objects.filter(
        table_id=OuterRef("table_id"), opened_at__gte=OuterRef("began_at"),
        opened_at__lt=OuterRef("ended_at") + TOLD_WITHIN, played_at__gte=OuterRef("began_at"),
        played_at__lt=OuterRef("ended_at"),
    )  # fmt: skip
    counted = told.order_by().values("table_id").annotate(n=Count("*")).values("n")
    rows = Outage.objects.select_related("table", "device")
    return of_house(
        rows.annotate(stored=Coalesce(Subquery(counted, output_field=IntegerField()), 0)), person, "table__premises"
    )


def silent_since(table: Table, now: datetime) -> datetime | None:
    """The last word of a table's box that is not heard now."""
    rows = Device.objects.filter(table=table, state=DeviceState.ACTIVE, last_seen_at__lt=now - SILENT_FOR)
    return rows.order_by(F("last_seen_at").desc()).values_list("last_seen_at", flat=True).first()
