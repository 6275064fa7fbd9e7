"""The wagers of a table as they are described, and written: under the locks of all the jackpots they feed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotFound
from tables.floor.models.table import FurtherWager, Link, Table
from tables.floor.queries.wagers import FedWager, first_jackpots_of, further_facts_of
from tables.floor.rules.wagers import FIRST, FurtherWagerFacts, WagersRefused, check_wagers


class DescribedWagers(Protocol):
    """What a table's description says of its wagers."""

    @property
    def wager(self) -> Money: ...

    @property
    def wager_name(self) -> str: ...

    @property
    def further(self) -> tuple[FurtherWagerFacts, ...]: ...


def wagers_described(
    code: str, facts: DescribedWagers, jackpots: Sequence[Jackpot], premises: Property
) -> list[FedWager]:
    """The first wager and the further ones with their jackpots; refused where they cannot be told apart."""
    try:
        check_wagers(code, [jackpot.code for jackpot in jackpots], facts.further)
    except WagersRefused as why:
        raise NotAllowedNow(str(why), "further") from None
    wanted = {jackpot for each in facts.further for jackpot in each.jackpots}
    # Of this house alone: no table feeds the jackpot of another.
    found = {jackpot.code: jackpot for jackpot in Jackpot.objects.filter(code__in=wanted, premises=premises)}
    missing = sorted(wanted - found.keys())
    if missing:
        raise NotFound(f"{code}: there is no jackpot {missing[0]} in this house. Open it first.", "further")
    first = FedWager(facts.wager_name or ("First wager" if facts.further else ""), facts.wager, jackpots)
    return [first, *(FedWager(each.code, each.chip, [found[name] for name in each.jackpots]) for each in facts.further)]


def all_fed(wagers: Iterable[FedWager]) -> list[Jackpot]:
    """Every jackpot of the table, by level."""
    return [jackpot for wager in wagers for jackpot in wager.jackpots]


def wagers_told(table: Table) -> tuple[list[str], tuple[FurtherWagerFacts, ...]]:
    """As it stands: what the first wager feeds, and the further ones."""
    return list(first_jackpots_of(table)), further_facts_of(table)


def told_words(jackpots: Sequence[str], further: Iterable[FurtherWagerFacts]) -> list[str]:
    """For the trail: jackpots of the first wager, then each further wager in one word."""
    return [*jackpots, *map(str, further)]


def write_wagers(table: Table, facts: DescribedWagers, wagers: Sequence[FedWager]) -> None:
    """In the place of what stood; the levels count on from wager to wager."""
    # Links say what holds today; a round keeps by itself which jackpots it was counted on.
    table.links.all().delete()
    table.further_wagers.all().delete()
    FurtherWager.objects.bulk_create(
        FurtherWager(table=table, place=place, **_columns(each)) for place, each in enumerate(facts.further, FIRST + 1)
    )
    fed = [(place, jackpot) for place, wager in enumerate(wagers, FIRST) for jackpot in wager.jackpots]
    Link.objects.bulk_create(
        Link(table=table, jackpot=jackpot, level=level, wager=place) for level, (place, jackpot) in enumerate(fed, 1)
    )


def _columns(wager: FurtherWagerFacts) -> dict[str, Any]:
    return {"code": wager.code, "name": wager.name, "chip": wager.chip.decimal()}
