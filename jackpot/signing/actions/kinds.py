"""The kinds of requests: each brings its payload, its rule, its preview and its posting; the frame brings the rest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.db.models import QuerySet

from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound
from jackpot.requests.models import Request
from jackpot.signing.actions.approver import SecondPerson
from jackpot.signing.rules import AskField

READS: Final = "read_books"
READY: Final = 100  # percent of a preview
Row = TypeVar("Row", bound=Request)


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """One thing that a request would change, in the words of people."""

    name: str
    before: str
    after: str


class RequestKind(ABC, Generic[Row]):
    """One kind. What is not overridden is as for every other; docs/requests.md shows how one is added."""

    code: str
    name: str
    model: type[Row]
    may_ask: ClassVar[frozenset[str]]
    may_sign: ClassVar[frozenset[str]]
    signed_by_card: ClassVar[bool] = False  # an executive's card is enough, whatever the roles of its owner
    follows: ClassVar[tuple[str, ...]] = ()  # what is read with a row of it
    fields: ClassVar[
        tuple[AskField, ...]
    ] = ()  # what the one form asks for; a kind that asks more has a form of its own
    lead: str = "One person asks, another decides. Nothing moves before."

    def rows(self) -> QuerySet[Row]:
        every: Any = self.model._default_manager
        rows: QuerySet[Row] = every.filter(kind=self.code).select_related(
            "premises", "jackpot", "asked_by", "decided_by", "withdrawn_by", *self.follows
        )
        return rows

    def row_of(self, premises: Property, payload: Mapping[str, Any], reason: str) -> Row:
        """A request of it as the one form asks for it, not yet put in."""
        return self.model(kind=self.code, premises=premises, payload=dict(payload), reason=reason)

    @contextmanager
    def lock(self, row: Row) -> Iterator[Any]:  # noqa: ARG002  each kind takes what it needs
        """Locks what the act may touch, before the request itself; what it yields is given to `sign` and `let_go`."""
        with transaction.atomic():
            yield None

    def finish(self, row: Row, by: Operator | None, *, wait: float | None = None) -> int:  # noqa: ARG002  each kind takes what it needs
        """Looks for a preview that is still being made and keeps it when it is there; says how many percent of it
        are. Without `by` nobody watches: the worker sees it to its end."""
        return READY

    @abstractmethod
    def sign(self, scene: Any, row: Row, approver: SecondPerson, *, seen: bool) -> None:
        """Computes it again as of now and posts it, or refuses it in a sentence. `decided` keeps who signed."""

    def let_go(self, scene: Any, row: Row) -> None:  # noqa: ARG002  each kind takes what it needs
        """Something signed is withdrawn before its moment; most kinds have none."""
        raise NotAllowedNow(f"{row} counts already. Ask for another one.", "in_force")

    def check_person(self, row: Row, who: Operator) -> None:
        """Only people of this house, with one of the verbs."""
        if who.premises_id not in (None, row.premises_id):
            raise NotFound("There is no such request in your house.", "no_request")

    def check_signer(self, row: Row, approver: SecondPerson) -> None:  # noqa: ARG002  each kind takes what it needs
        """Whoever signs may; a kind adds who must not, such as the owner of a card that it raises."""
        if not self.signed_by_card and not approver.operator.verbs().intersection(self.may_sign):
            raise NotAllowed(f"{approver.operator} may not sign this. Another person, who may, signs it.", "role")

    def compared(self, row: Row) -> list[ComparedValue]:
        """What it would change, as a page shows it and as the inbox says it in one line."""
        return [ComparedValue(str(name).replace("_", " "), "", str(value)) for name, value in row.payload.items()]

    def phrase(self, row: Row) -> str:
        """The request in one line."""
        return ", ".join(
            f"{each.name.lower()} {each.before} → {each.after}" if each.before else f"{each.name}: {each.after}"
            for each in self.compared(row)
        )

    def seen_by(self, verbs: frozenset[str]) -> bool:
        return not verbs.isdisjoint(self.may_ask | self.may_sign | {READS})

    def subject(self, row: Row) -> str:
        """What the trail calls it."""
        return str(row)

    def plain(self, row: Row) -> dict[str, Any]:
        """The request as the trail knows it."""
        return {"request": row.pk}

    @property
    def trail(self) -> str:
        """The acts in the trail are called approve_…, refuse_… and withdraw_… this."""
        return self.code

    def announce(self, row: Row) -> None:
        """Tells every process with pages or signs that something was decided."""


_KINDS: Final[dict[str, RequestKind[Any]]] = {}


def register(*kinds: RequestKind[Any]) -> None:
    """The one list of kinds, filled when the rooms start; a code stands there once, so that no order decides."""
    for kind in kinds:
        stands = _KINDS.setdefault(kind.code, kind)
        if stands is not kind:
            one, other = (f"{type(each).__module__}.{type(each).__name__}" for each in (stands, kind))
            raise ImproperlyConfigured(f"Two kinds of request are called “{kind.code}”: {one} and {other}.")


def unregister(code: str) -> None:
    del _KINDS[code]


def known_kinds() -> list[RequestKind[Any]]:
    return list(_KINDS.values())


def kind_of(code: str) -> RequestKind[Any]:
    """The kind by its code; one that nobody registered is refused by its name."""
    kind = _KINDS.get(code)
    if kind is None:
        raise NotAllowed(f"“{code}” is no kind of request here. Known: {', '.join(_KINDS)}.", "no_kind")
    return kind
