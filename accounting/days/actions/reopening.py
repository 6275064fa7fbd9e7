"""A closed gaming day is opened again by two people: a kind of request, with what it undoes before both their eyes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, ClassVar

from django.db import transaction
from django.utils import timezone

from accounting.days.actions.closing import signed, step
from accounting.days.models import DaySignature
from accounting.days.queries.days import REOPENING, days_of, reopening_of, signatures_on
from accounting.days.rules.day_life import DayAct, DayState
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotFound
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestAct
from jackpot.signing.actions import SecondPerson
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.deciding import decided, note
from jackpot.signing.actions.kinds import ComparedValue, RequestKind


class ReopenDay(RequestKind[Request]):
    """What two people closed, two people open; what was signed stays on record beside what will be signed."""

    code, name, model = REOPENING, "Reopening of a day", Request
    may_ask: ClassVar[frozenset[str]] = frozenset({"close_day"})
    may_sign: ClassVar[frozenset[str]] = frozenset({"close_day"})

    @contextmanager
    def lock(self, row: Request) -> Iterator[Property]:
        with transaction.atomic():
            yield Property.objects.select_for_update(no_key=True).get(pk=row.premises_id)

    def sign(self, scene: Property, row: Request, approver: SecondPerson, *, seen: bool) -> None:  # noqa: ARG002  each kind takes what it needs
        day = day_of(row)
        before = step(scene, day, DayAct.REOPEN, approver.operator)
        # A second person signs what the preview showed: whose signatures end, and over which figures.
        if _last(signatures_on(scene, day), DayAct.CLOSE).digest != row.preview["digest"]:
            why = f"{day} was closed anew since {row.asked_by_name} asked."
            raise NotAllowedNow(f"{why} Refuse this request, and ask again with what stands now.", "changed")
        decided(row, approver, timezone.now())
        move_on(row, RequestAct.COUNT)
        row.save()
        # The request alone would not open the day: where it stands is read from its last signature.
        signed(scene, day, DayAct.REOPEN, approver.operator, before=before, why=row.reason)
        note(self, row, approver.operator, "sign", row.reason)

    def compared(self, row: Request) -> list[ComparedValue]:
        """What the second signature undoes."""
        told = row.preview
        found = [
            ComparedValue(str(row.payload["day"]), "closed", "open: whoever may write to it does"),
            ComparedValue("First signature", told["signed_by"], "counts no more"),
            ComparedValue("Second signature", f"{told['closed_by']}, {told['closed_at']}", "counts no more"),
            ComparedValue("Digest of what they signed", told["digest"], "two people sign anew"),
        ]
        if told["closed_after"]:
            later = ", ".join(told["closed_after"])
            found.append(ComparedValue("Closed after it", later, "stay closed; look whether they rest on it"))
        return found

    def phrase(self, row: Request) -> str:
        return f"{row.payload['day']}, closed by {row.preview['closed_by']}"

    def subject(self, row: Request) -> str:
        return f"{row.premises.code} {row.payload['day']}"

    def plain(self, row: Request) -> dict[str, Any]:
        return {"request": row.pk, **row.payload, "digest": row.preview.get("digest", "")}


@transaction.atomic
def ask_to_reopen(*, premises: Property, day: date, by: Operator, why: str) -> Request:
    """The day stays closed until another person agrees; one such request waits at a time."""
    row = _asked(premises, day, by, why)
    put_in(row=row, by=by, preview=row.preview)
    return row


@transaction.atomic
def reopening_compared(premises: Property, day: date, by: Operator) -> list[ComparedValue]:
    """What such a request would undo; refused where the day is not closed."""
    return ReopenDay().compared(_asked(premises, day, by, ""))


def _asked(premises: Property, day: date, by: Operator, why: str) -> Request:
    step(premises, day, DayAct.ASK, by)
    payload = {"day": day.isoformat()}
    return Request(
        kind=REOPENING, premises=premises, payload=payload, reason=why.strip(), preview=_undone(premises, day)
    )


def waiting_reopening(premises: Property, day: date) -> Request:
    """The request that a second person decides; refused where nobody asked."""
    row = reopening_of(premises, day)
    if row is None:
        raise NotFound(f"Nobody asks to open {day} again. Ask for it, with the reason.", "not_asked")
    return row


def day_of(row: Request) -> date:
    return date.fromisoformat(row.payload["day"])


def _undone(premises: Property, day: date) -> dict[str, Any]:
    """Whose signatures stop counting, and which later days stand on this one."""
    signatures = signatures_on(premises, day)
    first, closed = (_last(signatures, act) for act in (DayAct.SIGN, DayAct.CLOSE))
    # A later day opens on the balances at which this one closes, so a correction here may reach into what is signed
    # there.
    later = [str(other) for other, state, _ in days_of(premises) if other > day and state != DayState.OPEN]
    return {
        "signed_by": str(first.person), "closed_by": str(closed.person),
        "closed_at": f"{closed.at.astimezone(premises.zone):%d %b %Y, %H:%M}", "digest": closed.digest,
        "closed_after": sorted(later),
    }  # fmt: skip


def _last(signatures: list[DaySignature], act: DayAct) -> DaySignature:
    found = [each for each in signatures if each.act == act]
    assert found, "a closed day has both its signatures"
    return found[-1]
