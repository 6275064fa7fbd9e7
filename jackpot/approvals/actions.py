"""An approval is entered by two people, with its document: reference, dates, and whose it is. Or it is withdrawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils import timezone

from jackpot.approvals.queries import APPROVAL, known_approvals
from jackpot.approvals.rules import (
    THING_WORDS,
    ApprovalSays,
    ApprovedThing,
    known_of,
    read_approval,
    refuse_withdrawing_nothing,
)
from jackpot.evidence.models import RequestEvidence
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestAct
from jackpot.signing.actions import RequestKind, SecondPerson
from jackpot.signing.actions.deciding import decided, note
from jackpot.signing.actions.kinds import ComparedValue
from jackpot.signing.rules import AskField, FieldLook

VERBS = frozenset({"configure", "set_up"})


class EnterApproval(RequestKind[Request]):
    """Nothing changes but what may open: a table looks at it when it is opened."""

    code, name, model = APPROVAL, "Approval", Request
    may_ask: ClassVar[frozenset[str]] = VERBS
    may_sign: ClassVar[frozenset[str]] = VERBS
    lead = "What a regulator or an owner approved, with its document. A table opens only with what its rule book asks."
    fields: ClassVar[tuple[AskField, ...]] = (
        AskField(
            "thing", "What is approved", FieldLook.CHOICE, ApprovedThing.GAME,
            [(thing.value, words.removeprefix("the ").capitalize()) for thing, words in THING_WORDS.items()],
        ),
        AskField(
            "name", "Which", longest=60,
            meaning="The game (uth), the pay table (uth-progressive-01), the jackpot (GRAND), the schedule (001/3).",
        ),
        AskField(
            "word", "It is", FieldLook.CHOICE, ApprovalSays.GIVEN, [(word.value, word.value) for word in ApprovalSays]
        ),
        AskField("by", "By whom", longest=120, placeholder="Bureau of Gambling Control"),
        AskField("reference", "Reference", longest=120, placeholder="GL-2026-114"),
        AskField("begins", "From the gaming day", FieldLook.DAY),
        AskField("until", "Until", FieldLook.DAY, required=False, meaning="Empty: without an end."),
    )  # fmt: skip

    def row_of(self, premises: Property, payload: Mapping[str, Any], reason: str) -> Request:
        """Read strictly before anybody is asked: what is kept needs no reading any more."""
        today = premises.gaming_day(timezone.now())
        # What a program leaves out is what the form would have shown chosen.
        chosen = {each.name: payload.get(each.name) or each.value for each in self.fields}
        kept = read_approval(chosen, today, month_first=premises.writes_month_first)
        refuse_withdrawing_nothing(known_of(kept), known_approvals(premises))
        return super().row_of(premises, kept, reason)

    def compared(self, row: Request) -> list[ComparedValue]:
        told = row.payload
        what = f"{THING_WORDS[ApprovedThing(told['thing'])]} {told['name']}".removeprefix("the ")
        until = f", until {told['until']}" if told["until"] else ""
        return [
            ComparedValue(what.capitalize(), "", f"{told['word']} by {told['by']}, {told['reference']}"),
            ComparedValue("Counts", "", f"from {told['begins']}{until}"),
        ]

    def sign(self, scene: Any, row: Request, approver: SecondPerson, *, seen: bool) -> None:  # noqa: ARG002
        """Not without its document: what an inspector asks for is the paper."""
        if not RequestEvidence.objects.filter(request=row).exists():
            raise NotAllowedNow(f"{row} has no document. Add the letter or the agreement as a file first.", "file")
        decided(row, approver, timezone.now())
        # Signed and counted at once: from which day on it holds says its own first day.
        move_on(row, RequestAct.COUNT)
        row.save()
        note(self, row, approver.operator, "approve", row.reason)

    def plain(self, row: Request) -> dict[str, Any]:
        return {"request": row.pk, **row.payload}
