"""Two people accept a table after a restore: its box keeps no journal, differs from the books, or is gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from django.db import transaction
from django.utils import timezone

from jackpot.books.actions.post import lock
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestAct
from jackpot.signing.actions.approver import SecondPerson
from jackpot.signing.actions.deciding import decided, note
from jackpot.signing.actions.kinds import ComparedValue, RequestKind
from jackpot.signing.rules import AskField
from tables.floor.actions.comparing import how_it_stands, uncompared
from tables.floor.models.restored import ComparisonState, RestoredTable
from tables.floor.models.table import Link, Table, TableState

EVERY = "all"


class AcceptRestored(RequestKind[Request]):
    """What is missing stays missing, or was made good by an adjustment; the reason says which."""

    code, name, model = "accept_restored", "Table after a restore", Request
    may_ask: ClassVar[frozenset[str]] = frozenset({"adjust"})
    may_sign: ClassVar[frozenset[str]] = frozenset({"sign_adjustments"})
    fields: ClassVar[tuple[AskField, ...]] = (
        AskField(
            "table", "Table", placeholder="UTH-04", meaning="Its code, or “all” for every table that waits.", longest=20
        ),
    )
    lead = (
        "A table whose books were restored waits for what its box knows. Accept it where the box keeps no journal, "
        "differs, or is gone. Say in the reason what was compared and how what is missing is made good."
    )

    def row_of(self, premises: Property, payload: Mapping[str, Any], reason: str) -> Request:
        table = str(payload.get("table", "")).strip()
        row = super().row_of(premises, {"table": EVERY if table.lower() == EVERY else table.upper()}, reason)
        self._waiting(row)
        return row

    @contextmanager
    def lock(self, row: Request) -> Iterator[None]:
        """What its tables feed, before anything else: a change of a table is counted there."""
        with transaction.atomic():
            waiting = [each.table_id for each in self._asked(row)]
            lock(set(Link.objects.filter(table__in=waiting).values_list("jackpot_id", flat=True)))
            yield

    def compared(self, row: Request) -> list[ComparedValue]:
        """While it is open how each table stands; afterwards what was accepted."""
        waits = RestoredTable.objects.filter(request=row).select_related("table") or self._asked(row)
        return [ComparedValue(each.table.code, "", how_it_stands(each)) for each in waits]

    def sign(self, scene: Any, row: Request, approver: SecondPerson, *, seen: bool) -> None:  # noqa: ARG002  as every kind
        # Looked at again behind the locks: a box that spoke meanwhile needs nobody's acceptance.
        for waits in self._waiting(row):
            waits.state, waits.request = ComparisonState.ACCEPTED, row
            waits.save(update_fields=["state", "request"])
            accepted = (
                f"Restored books, accepted by {row.asked_by_name} and {approver.operator}. A supervisor opens it."
            )
            # Held all the same: two people accept the books, and who opens a table has looked at the table.
            Table.objects.filter(pk=waits.table_id, state=TableState.HELD).update(held_why=accepted[:200])
        decided(row, approver, timezone.now())
        move_on(row, RequestAct.COUNT)
        row.save()
        note(self, row, approver.operator, "approve", row.reason)

    def _asked(self, row: Request) -> list[RestoredTable]:
        here = uncompared().filter(table__premises=row.premises)
        return list(here if row.payload["table"] == EVERY else here.filter(table__code=row.payload["table"]))

    def _waiting(self, row: Request) -> list[RestoredTable]:
        if not row.payload["table"]:
            raise NotUnderstood("Name the table that waits, or write “all”.", "table")
        found = self._asked(row)
        if not found:
            which = "No table" if row.payload["table"] == EVERY else f"“{row.payload['table']}”"
            raise NotAllowedNow(
                f"{which} waits after a restore. Look at the pit board for those that do.", "not_restored"
            )
        return found
