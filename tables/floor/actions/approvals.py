"""A table opens only with what its house's rule book wants approved: game, owner, pay tables, jackpots, schedule."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from django.utils import timezone

from jackpot.approvals.queries import asked_by_house, unapproved
from jackpot.approvals.rules import ApprovedThing, NeededApproval, refuse_lacking
from jackpot.property.models.property import Property
from tables.floor.models.table import Table, TableState
from tables.floor.queries.offers import declared_here


def refuse_unapproved(table: Table) -> None:
    """Names everything that lacks its approval on this gaming day."""
    house = table.premises
    if not asked_by_house(house):
        return
    day = house.gaming_day(timezone.now())
    refuse_lacking(f"{table.code} stays closed", unapproved(house, approvals_of(table), day), day)


def lacking_at_tables(house: Property, day: date) -> Iterator[tuple[Table, list[NeededApproval]]]:
    """The tables of a house that play, or are held in the middle of it, and what each of them lacks on a gaming day."""
    if not asked_by_house(house):
        return
    playing = Table.objects.filter(premises=house, state__in=(TableState.OPEN, TableState.HELD)).order_by("code")
    for table in playing.select_related("premises"):
        missing = unapproved(house, approvals_of(table), day)
        if missing:
            yield table, list(dict.fromkeys(missing))


def approvals_of(table: Table) -> Iterator[NeededApproval]:
    """Everything that this table deals with, by its name."""
    yield NeededApproval(ApprovedThing.GAME, table.game)
    yield NeededApproval(ApprovedThing.AGREEMENT, table.game)
    for link in table.links.select_related("jackpot__version").order_by("level"):
        yield NeededApproval(ApprovedThing.JACKPOT, link.jackpot.code)
        if link.jackpot.version is not None:
            yield NeededApproval(ApprovedThing.PAY_TABLE, link.jackpot.version.value.pay_table.code)
    # Blind, trips and the other bonus bets are paid by an approved table too [001:146; 003:354–356]. A printed sheet
    # has one code for several bets, and is approved once.
    for code in dict.fromkeys(each.code for each in declared_here(table)):
        yield NeededApproval(ApprovedThing.PAY_TABLE, code)
    day = table.premises.gaming_day(timezone.now())
    rule = table.collections.filter(begins__lte=day).order_by("-begins").first()
    if rule is not None and rule.rule_set:
        yield NeededApproval(ApprovedThing.SCHEDULE, f"{rule.rule_set}/{rule.option}")
