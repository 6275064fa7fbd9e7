"""A gaming day is signed by one person and closed by another; closed, it is opened again only by two, visibly."""

from __future__ import annotations

from datetime import date
from typing import Any, assert_never

from django.db import transaction

from accounting.days.actions.snapshots import plain_equation
from accounting.days.models import DaySignature, DaySnapshot
from accounting.days.queries.columns import equation_then, lines_of
from accounting.days.queries.days import explained, explanations_on, signatures_on, snapshots_on, state_of
from accounting.days.rules.day_life import OF_ANOTHER, SPOKEN, DayAct, day_after
from jackpot.canonical import canonical, digest_of
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects


@transaction.atomic
def sign_day(*, premises: Property, day: date, by: Operator) -> DaySignature:
    """Everything matches or is explained: the first person says so."""
    before = _step(premises, day, DayAct.SIGN, by)
    told = _signable(premises, day)
    return _signed(premises, day, DayAct.SIGN, by, told=told, before=before)


@transaction.atomic
def close_day(*, premises: Property, day: date, by: Operator) -> DaySignature:
    """The second person, on the very figures that the first one signed. From here on the day is read-only."""
    before = _step(premises, day, DayAct.CLOSE, by)
    told = _signable(premises, day)
    assert before is not None, "a day is closed after somebody signed it"
    if digest_of(canonical(told)) != before.digest:
        why = f"The figures of {day} are not those that {before.person} signed."
        raise NotAllowedNow(f"{why} Take the signature back, look again, and sign anew.", "changed")
    return _signed(premises, day, DayAct.CLOSE, by, told=told, before=before)


@transaction.atomic
def take_signature_back(*, premises: Property, day: date, by: Operator, why: str) -> DaySignature:
    """A day that waits for its second person is open again."""
    before = _step(premises, day, DayAct.BACK, by)
    return _signed(premises, day, DayAct.BACK, by, why=_reason(why), before=before)


@transaction.atomic
def ask_to_reopen(*, premises: Property, day: date, by: Operator, why: str) -> DaySignature:
    """The day stays closed until another person agrees."""
    before = _step(premises, day, DayAct.ASK, by)
    return _signed(premises, day, DayAct.ASK, by, why=_reason(why), before=before)


@transaction.atomic
def keep_closed(*, premises: Property, day: date, by: Operator, why: str) -> DaySignature:
    before = _step(premises, day, DayAct.KEEP, by)
    return _signed(premises, day, DayAct.KEEP, by, why=_reason(why), before=before)


@transaction.atomic
def reopen_day(*, premises: Property, day: date, by: Operator) -> DaySignature:
    """The second person opens it; what was signed stays on record beside what will be signed."""
    before = _step(premises, day, DayAct.REOPEN, by)
    return _signed(premises, day, DayAct.REOPEN, by, before=before)


def take_step(*, premises: Property, day: date, act: DayAct, by: Operator, why: str = "") -> DaySignature:
    """Whichever step of the day's life was asked for."""
    match act:
        case DayAct.SIGN:
            return sign_day(premises=premises, day=day, by=by)
        case DayAct.CLOSE:
            return close_day(premises=premises, day=day, by=by)
        case DayAct.BACK:
            return take_signature_back(premises=premises, day=day, by=by, why=why)
        case DayAct.ASK:
            return ask_to_reopen(premises=premises, day=day, by=by, why=why)
        case DayAct.KEEP:
            return keep_closed(premises=premises, day=day, by=by, why=why)
        case DayAct.REOPEN:
            return reopen_day(premises=premises, day=day, by=by)
        case _:
            assert_never(act)


def told_of(premises: Property, day: date) -> dict[str, Any]:
    """Everything that a signature stands for: equations, every line of every column, explanations with their people."""
    lines = [
        [line.column, line.name, line.state, line.expected, line.found, str(line.variance), line.told]
        for line in lines_of(premises, day).lines
    ]
    notes = [
        [row.pk, row.subject, str(row.amount), row.cause, row.why, row.evidence, row.file_sha256, row.owner.username,
         row.signed.person.username]
        for row in explanations_on(premises, day) if hasattr(row, "signed")
    ]  # fmt: skip
    equations = [_equation(each) for each in snapshots_on(premises, day)]
    return {"day": str(day), "house": premises.code, "equations": equations, "lines": lines, "explanations": notes}


def _equation(snapshot: DaySnapshot) -> dict[str, Any]:
    return {**plain_equation(equation_then(snapshot)), "entry": snapshot.last_seq, "seal": snapshot.seal}


def _signable(premises: Property, day: date) -> dict[str, Any]:
    if not snapshots_on(premises, day):
        raise NotAllowedNow(f"{day} has not rolled yet, or nothing was open on it: there is no snapshot.", "running")
    open_lines = lines_of(premises, day).unexplained(explained(explanations_on(premises, day)))
    if open_lines:
        first, more = open_lines[0], len(open_lines) - 1
        others = f" and {more} more" if more else ""
        why = f"{first.column.value.capitalize()}: {first.name}{others} of {day} differ or are missing."
        raise NotAllowedNow(f"{why} Put it right, or explain it and have another person sign that.", "unexplained")
    return told_of(premises, day)


def _step(premises: Property, day: date, act: DayAct, by: Operator) -> DaySignature | None:
    """The signature that this act follows; refused where the day's life does not know the step."""
    Property.objects.select_for_update(no_key=True).get(pk=premises.pk)
    signatures = signatures_on(premises, day)
    state, last = state_of(signatures), signatures[-1] if signatures else None
    if day_after(state, act) is None:
        raise NotAllowedNow(f"{day} is {SPOKEN[state]}.", "state")
    if act in OF_ANOTHER and last is not None and last.person_id == by.pk:
        raise NotAllowed(f"{day} needs two people; {by} cannot sign twice.", "same_person")
    return last


def _signed(
    premises: Property, day: date, act: DayAct, by: Operator, *, before: DaySignature | None, why: str = "",
    told: dict[str, Any] | None = None,
) -> DaySignature:  # fmt: skip
    digest = digest_of(canonical(told)) if told else ""
    row = DaySignature.objects.create(
        premises=premises, day=day, act=act, person=by, why=why, digest=digest, signed=told or {}
    )
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
