"""The keys and seals of a house as they stand: each with its last move."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from jackpot.people.models import Role
from jackpot.property.queries import of_house
from tables.custody.models import CustodyItem, CustodyMove
from tables.custody.rules import READS_NEW, READS_OLD, CustodyAct, CustodyState, acts_from


@dataclass(frozen=True, slots=True)
class CustodyStanding:
    """One key or seal, how it stands, and what may be written down next."""

    item: CustodyItem
    last: CustodyMove | None
    seal: str  # the number that is on, or was before it broke
    late: bool

    @property
    def state(self) -> CustodyState:
        return CustodyState(self.last.state) if self.last else self.item.first_state

    @property
    def acts(self) -> list[CustodyAct]:
        return acts_from(self.state)

    @property
    def reads_old(self) -> bool:
        return any(act in READS_OLD for act in self.acts)

    @property
    def reads_new(self) -> bool:
        return any(act in READS_NEW for act in self.acts)


def custody_items(person: Any) -> QuerySet[CustodyItem]:
    return of_house(CustodyItem.objects.select_related("premises"), person)


def custody_moves(person: Any) -> QuerySet[CustodyMove]:
    return of_house(CustodyMove.objects.select_related("item"), person, "item__premises")


def standing_of(items: QuerySet[CustodyItem], now: datetime) -> list[CustodyStanding]:
    """Two questions, however many keys there are."""
    newest = CustodyMove.objects.filter(item=OuterRef("pk")).order_by("-number")
    # The newest move that put a seal on; the moves since may only have read one.
    sealed = newest.exclude(new_seal="")
    rows: Any = items.annotate(last_id=Subquery(newest.values("pk")[:1]), seal=Subquery(sealed.values("new_seal")[:1]))
    found = list(rows.order_by("code"))
    moves = CustodyMove.objects.in_bulk([row.last_id for row in found if row.last_id])
    return [_standing(row, moves.get(row.last_id), row.seal or "", now) for row in found]


def role_names() -> dict[str, str]:
    return dict(Role.objects.order_by("name").values_list("code", "name"))


def _standing(item: CustodyItem, last: CustodyMove | None, seal: str, now: datetime) -> CustodyStanding:
    late = last is not None and last.due_at is not None and last.due_at < now
    return CustodyStanding(item, last, seal, late)
