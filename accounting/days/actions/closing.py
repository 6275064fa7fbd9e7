"""A gaming day is signed by one person and closed by another."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import transaction

from accounting.days.actions.snapshots import plain_equation
from accounting.days.models import DaySignature, DaySnapshot
from accounting.days.queries.columns import lines_of
from accounting.days.queries.days import explained, explanations_on, signatures_on, snapshots_on, state_on
from accounting.days.rules.day_life import OF_ANOTHER, SPOKEN, DayAct, day_after
from accounting.days.rules.equation import DayEquation
from accounting.days.rules.reconcile import DayLines
from jackpot.canonical import digest_of_value
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects


@transaction.atomic
def sign_day(*, premises: Property, day: date, by: Operator) -> DaySignature:
    """Everything matches or is explained: the first person says so."""
    before = step(premises, day, DayAct.SIGN, by)
    told = _signable(premises, day)
    return signed(premises, day, DayAct.SIGN, by, told=told, before=before)


@transaction.atomic
def close_day(*, premises: Property, day: date, by: Operator) -> DaySignature:
    """The second person, on the very figures that the first one signed. From here on the day is read-only."""
    before = step(premises, day, DayAct.CLOSE, by)
    told = _signable(premises, day)
    assert before is not None, "a day is closed after somebody signed it"
    # Reckoned again and not taken from the first signature: a round or a record that was altered between the two
    # shows as another digest.
    if digest_of_value(told) != before.digest:
        why = f"The figures of {day} are not those that {before.person} signed."
        raise NotAllowedNow(f"{why} Take the signature back, look again, and sign anew.", "changed")
    return signed(premises, day, DayAct.CLOSE, by, told=told, before=before)


@transaction.atomic
def take_signature_back(*, premises: Property, day: date, by: Operator, why: str) -> DaySignature:
    """A day that waits for its second person is open again."""
    before = step(premises, day, DayAct.BACK, by)
    return signed(premises, day, DayAct.BACK, by, why=_reason(why), before=before)


def told_of(premises: Property, day: date, found: DayLines) -> dict[str, Any]:
    """Everything that a signature stands for: equations, every line of every column, explanations with their people."""
    # Plain words only: this is digested and signed, so nothing in it may depend on how a page shows it.
    lines = [
        [line.column, line.name, line.state, line.expected, line.found, str(line.variance), line.told]
        for line in found.lines
    ]
    # People by user name: a name may change, and a digest that somebody signed may not change with it.
    notes = [
        [row.number, row.subject, str(row.amount), row.ground, row.reason, row.evidence, row.file_sha256,
         row.asked_by.username, row.decided_by.username if row.decided_by else ""]
        for row in explanations_on(premises, day) if row.is_signed
    ]  # fmt: skip
    # Each equation carries the seal of the day's last entry: whoever signs it signs the books up to there.
    snapshots = snapshots_on(premises, day)
    equations = [_equation(*each) for each in zip(snapshots, found.equations, strict=True)]
    return {"day": str(day), "house": premises.code, "equations": equations, "lines": lines, "explanations": notes}


def _equation(snapshot: DaySnapshot, equation: DayEquation) -> dict[str, Any]:
    return {**plain_equation(equation), "entry": snapshot.last_seq, "seal": snapshot.seal}


def _signable(premises: Property, day: date) -> dict[str, Any]:
    # Without a snapshot the column of the books is empty, and an empty column would look as if all of it matched.
    if not snapshots_on(premises, day):
        raise NotAllowedNow(f"{day} has not rolled yet, or nothing was open on it: there is no snapshot.", "running")
    found = lines_of(premises, day)
    open_lines = found.unexplained(explained(explanations_on(premises, day)))
    if open_lines:
        first, more = open_lines[0], len(open_lines) - 1
        others = f" and {more} more" if more else ""
        why = f"{first.column.value.capitalize()}: {first.name}{others} of {day} differ or are missing."
        raise NotAllowedNow(f"{why} Put it right, or explain it and have another person sign that.", "unexplained")
    return told_of(premises, day, found)


def step(premises: Property, day: date, act: DayAct, by: Operator) -> DaySignature | None:
    """The signature that this act follows; refused where the day's life does not know the step."""
    # Of two who press at once the second waits here, and finds the first one's signature.
    Property.objects.select_for_update(no_key=True).get(pk=premises.pk)
    signatures, state = signatures_on(premises, day), state_on(premises, day)
    last = signatures[-1] if signatures else None
    if day_after(state, act) is None:
        raise NotAllowedNow(f"{day} is {SPOKEN[state]}.", "state")
    # By key and never by name: two people may share a name, and one may be renamed between two signatures.
    if act in OF_ANOTHER and last is not None and last.person_id == by.pk:
        raise NotAllowed(f"{day} needs two people; {by} cannot sign twice.", "same_person")
    return last


def signed(
    premises: Property, day: date, act: DayAct, by: Operator, *, before: DaySignature | None, why: str = "",
    told: dict[str, Any] | None = None,
) -> DaySignature:  # fmt: skip
    """The step on record: by whom, after which signature, over what."""
    digest = digest_of_value(told) if told else ""
    row = DaySignature.objects.create(
        premises=premises, day=day, act=act, person=by, why=why, digest=digest, signed=told or {}
    )
    # The figures stand in the row; the trail gets their digest, which is enough to tell that the row was altered.
    details = {"digest": digest, "after": None if before is None else before.pk}
    record(
        actor=by,
        act=f"day_{act}",
        about=objects.gaming_day(day, premises.pk),
        subject=f"{premises.code} {day}",
        why=why,
        details=details,
    )
    return row


def _reason(why: str) -> str:
    if not why.strip():
        raise NotUnderstood("Say why, so that whoever reads the day later knows.", "why")
    return why.strip()[:200]
