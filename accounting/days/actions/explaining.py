"""A difference is explained by its owner and signed by another person: a kind of request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, Final

from django.db import transaction
from django.utils import timezone

from accounting.days.actions.writing import locked
from accounting.days.models import Explanation
from accounting.days.queries.columns import lines_of
from accounting.days.rules.reconcile import CloseLine, LineState, is_explained
from jackpot.evidence.actions.keep import attach, check_evidence
from jackpot.evidence.rules.evidence_file import EvidenceUpload
from jackpot.money import Money
from jackpot.notices.actions.raising import raise_notices
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.requests.actions.life import move_on, next_number
from jackpot.requests.rules.life import RequestAct
from jackpot.signing.actions import SecondPerson
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.deciding import decided, note
from jackpot.signing.actions.kinds import ComparedValue, RequestKind

EXPLANATION: Final = "explanation"


@dataclass(frozen=True, slots=True)
class ExplanationWish:
    """What the owner of a difference says it comes from, and what proves it. Its amount is computed, never typed."""

    subject: str
    cause: Explanation.Cause
    why: str
    evidence: str
    file: EvidenceUpload | None = None
    file_name: str = ""
    file_sha256: str = ""


class ExplainVariance(RequestKind[Explanation]):
    """It explains exactly what stood on the line, and counts from the second signature on."""

    code, name, model = EXPLANATION, "Explanation of a difference", Explanation
    may_ask: ClassVar[frozenset[str]] = frozenset({"close_day"})
    may_sign: ClassVar[frozenset[str]] = frozenset({"close_day"})

    @contextmanager
    def lock(self, row: Explanation) -> Iterator[Property]:
        """One writer of a house's days at a time; taking back is possible whatever became of the day."""
        with transaction.atomic():
            yield Property.objects.select_for_update(no_key=True).get(pk=row.premises_id)

    def check_signer(self, row: Explanation, approver: SecondPerson) -> None:
        super().check_signer(row, approver)
        check_evidence(row)

    def sign(self, scene: Property, row: Explanation, approver: SecondPerson, *, seen: bool) -> None:  # noqa: ARG002  each kind takes what it needs
        # The digest of a day counts signed explanations, so none may come in once the day has been signed.
        locked(scene, row.day)
        line = differing_line(scene, row.day, row.subject)
        # What the asker saw is not what would be explained: other figures may have another cause.
        if not is_explained(line, frozenset({(row.subject, *row.seen.values())})):
            why = f"{row.subject} of {row.day} {in_words(line.seen)} now, no more by what this explains."
            raise NotAllowedNow(f"{why} Refuse this explanation, and have the line explained anew.", "changed")
        decided(row, approver, timezone.now())
        move_on(row, RequestAct.COUNT)
        row.save()
        note(self, row, approver.operator, "sign", row.reason)
        subject = f"{row.subject} of {row.day}, {in_words(row.seen)}"
        raise_notices(request=row, subject=subject, at=timezone.now(), amount=row.amount_money)

    def compared(self, row: Explanation) -> list[ComparedValue]:
        after = f"{row.get_ground_display()}: {row.reason}"
        return [ComparedValue(f"{row.subject} of {row.day}", in_words(row.seen), after)]

    def phrase(self, row: Explanation) -> str:
        return f"{row.subject} of {row.day}, {in_words(row.seen)}: {row.get_ground_display()}"

    def subject(self, row: Explanation) -> str:
        return f"{row.subject} {row.day}"[:80]

    def plain(self, row: Explanation) -> dict[str, Any]:
        return {
            "request": row.pk, "cause": row.ground, "amount": str(row.amount_money), "evidence": row.evidence,
            "file": row.file_sha256,
        }  # fmt: skip


@transaction.atomic
def explain(*, premises: Property, day: date, wish: ExplanationWish, by: Operator) -> Explanation:
    """The owner of a difference explains it, for another person to sign."""
    locked(premises, day)
    if not wish.why.strip() or not wish.evidence.strip():
        raise NotUnderstood("Say what the difference comes from, and what proves it.", "why")
    line = differing_line(premises, day, wish.subject)
    # A page brings the file; a program names it by its digest, and may add it at the doors of requests.
    name, digest = (wish.file.name, wish.file.sha256) if wish.file else (wish.file_name[:120], wish.file_sha256)
    row = Explanation(
        kind=EXPLANATION, premises=premises, number=next_number(EXPLANATION, premises=premises), day=day,
        subject=wish.subject, amount=line.variance.decimal(), ground=wish.cause, reason=wish.why.strip()[:200],
        evidence=wish.evidence.strip()[:200], file_name=name, file_sha256=digest,
    )  # fmt: skip
    put_in(row=row, by=by, preview=line.seen)
    # After the request is kept: a file belongs to the request that it proves.
    if wish.file is not None:
        attach(request=row, upload=wish.file, by=by)
    return row


def differing_line(premises: Property, day: date, subject: str) -> CloseLine:
    """The line as it stands now; where nothing differs there is nothing to explain."""
    line = next((line for line in lines_of(premises, day).lines if line.subject == subject), None)
    if line is None or line.is_done:
        raise NotAllowedNow(f"{subject} of {day} does not differ; there is nothing to explain.", "agrees")
    return line


def in_words(seen: Mapping[str, str]) -> str:
    """How a line differs, for who explains it and for who signs that."""
    variance = seen["variance"]
    if Money.of(variance):
        return f"differs by {'' if variance.startswith('-') else '+'}{variance}"
    # A line without an amount is not always a missing one: chips of a table without a round have no worth.
    if seen.get("state") != LineState.DIFFERS:
        return "missing"
    if seen["expected"] != seen["found"]:
        return f"differs: {seen['found'] or 'nothing'} where {seen['expected'] or 'nothing'} should be"
    return f"differs: {seen['told']}"
