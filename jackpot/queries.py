"""What can be asked of the progressive. Most questions start from a person: another house is not there for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, TypeVar

from django.db.models import Count, Min, Model, Prefetch, QuerySet, TextField, Value
from django.db.models.functions import Concat

from jackpot.models import (
    AuthorityChange,
    Card,
    Change,
    Entry,
    EntryKind,
    Jackpot,
    Operator,
    Property,
    Trail,
    Version,
    Win,
)
from jackpot.rules.shift import plan_on, shift_at
from jackpot.rules.tax import TaxRule
from jackpot.rules.win_life import OPEN

Row = TypeVar("Row", bound=Model)
PIT_VERBS: Final = ("run_tables", "approve", "verify", "watch", "read_books")
PROVEN_WHILE_YOU_WAIT: Final = 250_000  # entries; some two seconds


def of_house(rows: QuerySet[Row], person: Any, path: str = "premises") -> QuerySet[Row]:
    """The rows of a person's house; somebody without one (a regulator over several) sees all."""
    house = getattr(person, "premises_id", None)
    return rows if house is None else rows.filter(**{f"{path}_id": house})


def house_of(person: Any) -> Property | None:
    """The property whose name, day and money a page speaks of."""
    own = getattr(person, "premises", None)
    return own or Property.objects.order_by("id").first()


@dataclass(frozen=True, slots=True)
class Pending:
    """Rounds with a hit that somebody must still settle, and since when the oldest waits."""

    rounds: int
    since: datetime | None

    @property
    def seen(self) -> str:
        return f"{self.rounds}-{int(self.since.timestamp()) if self.since else 0}"


def pending_wins(person: Any) -> Pending:
    """The small index of open wins answers."""
    rows = of_house(Win.objects.filter(state__in=OPEN).order_by(), person, "jackpot__premises")
    told = rows.aggregate(rounds=Count(Concat("table_code", Value("/"), "round_number", output_field=TextField()),
                                       distinct=True), since=Min("marked_at"))  # fmt: skip
    return Pending(told["rounds"], told["since"])


def card_level(person: Operator, now: datetime) -> str:
    """The level of the best card that this person could use now; nothing without one."""
    usable = person.cards.filter(blocked_at=None, locked_at=None).exclude(expires_on__lt=now.date())
    day = person.premises.gaming_day(now) if person.premises else now.date()
    best = max((card.level_on(day) for card in usable), default=None)
    return Card.Level(best).label if best else ""


def tax_rules(premises: Property) -> list[TaxRule]:
    return [row.value for row in premises.tax_rules.all()]


def shift_of(premises: Property, moment: datetime) -> str:
    """The shift of a moment by the plan of its gaming day; nothing where the house named none."""
    plan = plan_on((row.value for row in premises.shift_plans.all()), premises.gaming_day(moment))
    return shift_at(plan.shifts, moment, premises.zone) if plan else ""


def jackpots(person: Any) -> QuerySet[Jackpot]:
    return of_house(Jackpot.objects.select_related("premises", "version"), person)


def versions(jackpot: Jackpot) -> QuerySet[Version]:
    return jackpot.versions.select_related("jackpot")


def changes(jackpot: Jackpot) -> QuerySet[Change]:
    """Every request for other terms, with the people who decided it."""
    people = ("asked_by", "decided_by", "withdrawn_by")
    return jackpot.changes.select_related("jackpot__premises", "stands_on", "version", "before", *people)


def entries(jackpot: Jackpot) -> QuerySet[Entry]:
    """The books of one jackpot. The version's number is fetched once per page, its long text not at all."""
    number = Prefetch("version", Version.objects.only("id", "number"))
    return Entry.objects.filter(jackpot=jackpot).prefetch_related(number)


def chosen(rows: QuerySet[Entry], asked: Mapping[str, Any]) -> QuerySet[Entry]:
    """The entries a reader asked for: by kind, gaming day, table, round, or only those that lowered the meter."""
    columns = {"kind": "kind", "day": "gaming_day", "table": "table_code", "round": "round_number"}
    wanted = {column: asked[word] for word, column in columns.items() if asked.get(word) not in (None, "")}
    rows = rows.filter(**wanted)
    if not asked.get("falls"):
        return rows
    # A coin-in never lowers a meter, also less what it repays; leaving coin-ins out lets the small index of all other
    # acts answer.
    return rows.filter(meter__lt=0).exclude(kind=EntryKind.COIN_IN).exclude(kind=EntryKind.REPAY)


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
    return {(line.act, line.subject): line for line in said} if acts else {}


def meter_lately(jackpot: Jackpot, last: int) -> list[Decimal]:
    """The meter after each of the last entries, oldest first."""
    rows = Entry.objects.filter(jackpot=jackpot).order_by("-seq").values_list("meter_after", flat=True)
    return list(reversed(rows[:last]))


def people(person: Any) -> QuerySet[Operator]:
    return of_house(Operator.objects.select_related("premises").prefetch_related("roles"), person)


def cards(person: Any) -> QuerySet[Card]:
    rows = Card.objects.select_related("operator__premises")
    return of_house(rows, person, "operator__premises")


def trail(asked: Mapping[str, Any]) -> QuerySet[Trail]:
    """Who did or tried what; a time bound takes the moment itself in (since) and leaves it out (until)."""
    columns = {word: word for word in ("actor", "act", "subject", "outcome")} | {"since": "at__gte", "until": "at__lt"}
    return Trail.objects.filter(**{column: asked[word] for word, column in columns.items() if asked.get(word)})


def authority_changes(premises: Property) -> QuerySet[AuthorityChange]:
    """Every request for other authority in a house, with the people who decided it."""
    people_of = ("asked_by", "decided_by", "withdrawn_by", "card__operator")
    return premises.authority_changes.select_related("premises", *people_of)
