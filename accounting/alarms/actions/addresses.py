"""An address for alarms is added, tried and ended by one administrator."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounting.alarms.models import AlarmAddress, AlarmMessage
from accounting.alarms.rules import where_refusal
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record

LONGEST_NAME = 60
MOST = 20


@transaction.atomic
def add_address(*, premises: Property, name: str, address: str, loud_only: bool, by: Operator) -> AlarmAddress:
    """From now on alarms of the house are told there, and once that it listens."""
    _check_may(premises, by)
    name, address = name.strip(), address.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise NotUnderstood(f"Say in 1 to {LONGEST_NAME} letters who listens there, such as “Shift manager”.", "name")
    if refusal := where_refusal(address):
        raise NotUnderstood(refusal, "address")
    known = AlarmAddress.objects.filter(premises=premises, ended_at=None)
    if known.filter(address=address).exists():
        raise NotAllowedNow("Alarms are told at this address already. End that line first.", "known")
    if known.count() >= MOST:
        raise NotAllowedNow(f"A house has at most {MOST} addresses for alarms. End one first.", "too_many")
    row = AlarmAddress.objects.create(
        premises=premises, name=name, address=address, loud_only=loud_only, added_by=by
    )  # fmt: skip
    record(actor=by, act="add_alarm_address", subject=name, details={"address": address, "loud_only": loud_only})
    # An address that was mistyped is found out now and not by the first alarm.
    AlarmMessage.objects.create(address=row)
    return row


@transaction.atomic
def try_address(*, row: AlarmAddress, by: Operator) -> None:
    """A message that says only that it is a try."""
    held = _held(row, by)
    AlarmMessage.objects.create(address=held)
    record(actor=by, act="try_alarm_address", subject=held.name)


@transaction.atomic
def end_address(*, row: AlarmAddress, by: Operator) -> None:
    """Nothing more is told there, not even what still waits."""
    held = _held(row, by)
    now = timezone.now()
    held.ended_at, held.ended_by = now, by
    held.save(update_fields=["ended_at", "ended_by"])
    # Also what waits: whoever left the house hears nothing more of it.
    AlarmMessage.objects.filter(address=held, sent_at=None, given_up_at=None).update(given_up_at=now)
    record(actor=by, act="end_alarm_address", subject=held.name, details={"address": held.address})


def _check_may(premises: Property, by: Operator) -> None:
    check_works_here(by)
    if not by.may("people") or by.premises_id not in (None, premises.pk):
        raise NotAllowed("Addresses for alarms are an administrator's of this house (verb people).", "verb")


def _held(row: AlarmAddress, by: Operator) -> AlarmAddress:
    """As it stands now: somebody else may have ended it a moment ago."""
    _check_may(row.premises, by)
    held = AlarmAddress.objects.select_for_update(of=("self",)).select_related("premises").get(pk=row.pk)
    if held.ended_at is not None:
        raise NotAllowedNow(f"{held.name} was ended. Add it again if alarms shall be told there.", "ended")
    return held
