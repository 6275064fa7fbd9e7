"""The dealer's console: a page that speaks for a table while its dealer is signed in and on duty there."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from jackpot.people.actions.presence import CardSource, badge_of
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.actions.state import lock_jackpots_of
from tables.floor.models.device import Device, DeviceState
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Table
from tables.gateway.actions.device import change_dealer
from tables.setup.actions.enrol import enrol, invite
from tables.setup.actions.floor import DeviceFacts, register_device

VERB: Final = "deal"


def console_code(table_code: str) -> str:
    return f"{table_code}-CONSOLE"


@transaction.atomic
def open_console(*, table_code: str, operator: Operator) -> Device:
    """The controller that this person's page speaks as; made when a dealer first opens the table's console.

    It is enrolled with a secret that nobody was told: no signature ever fits, only a session on duty opens it.
    """
    check_on_duty(table_code=table_code, operator=operator)
    table = Table.objects.get(code=table_code)
    device = Device.objects.filter(code=console_code(table_code)).first()
    if device is None or device.state == DeviceState.WAITING:
        lock_jackpots_of(table)
        device = _ready(table, str(operator))
    if device.state == DeviceState.BLOCKED:
        raise NotAllowed(f"The console of {table_code} is blocked. A technician unblocks it.", "blocked")
    if device.table_id != table.id:
        raise NotAllowedNow(f"{device.code} stands at another table. A technician renames it.", "wrong_table")
    return device


def check_on_duty(*, table_code: str, operator: Operator) -> None:
    """Refuses whoever may not speak for this table now, and says what to do."""
    table = _table(table_code, operator)
    if not operator.may(VERB):
        raise NotAllowed(f"{operator} has no role that deals. A dealer opens this console.", "not_allowed")
    if not TableDuty.objects.filter(table=table, operator=operator, ended_at__isnull=True).exists():
        raise NotAllowed(f"{operator} is not on duty at {table_code}. Badge in first.", "no_duty")


def take_duty(*, table_code: str, operator: Operator, badge: str) -> None:
    """The dealer who is signed in badges in; whoever dealt before is badged out."""
    _table(table_code, operator)
    if not operator.may(VERB):
        raise NotAllowed(f"{operator} has no role that deals. A dealer badges in here.", "not_allowed")
    card = badge_of(badge=badge, source=CardSource(person=operator))
    owner = card.operator
    if owner.pk != operator.pk:
        raise NotAllowed(f"This badge is {owner}'s, but {operator} is signed in. Sign in as {owner} first.", "badge")
    change_dealer(table_code=table_code, card=card, comes=True, device_code=console_code(table_code))


@transaction.atomic
def leave_duty(*, table_code: str, operator: Operator) -> None:
    """Badge out: the page speaks for the table no more."""
    table = _table(table_code, operator)
    lock_jackpots_of(table)
    gone = TableDuty.objects.filter(table=table, operator=operator, ended_at__isnull=True).update(
        ended_at=timezone.now()
    )
    if not gone:
        raise NotAllowedNow(f"{operator} is not on duty at {table_code}.", "not_on_duty")
    record(
        actor=operator, act="dealer_out", about=objects.table(table_code), details={"device": console_code(table_code)}
    )


def _table(table_code: str, operator: Operator) -> Table:
    table = Table.objects.filter(code=table_code).first()
    if table is None or operator.premises_id not in (None, table.premises_id):
        raise NotFound(f"There is no table {table_code} here.", "no_table")
    return table


def _ready(table: Table, by: str) -> Device:
    """Registered and enrolled, under the lock of the table's jackpots: two pages at once make one device."""
    code = console_code(table.code)
    device = Device.objects.filter(code=code).first()
    if device is None:
        facts = DeviceFacts(table=table.code, contact="dealer’s console")
        device = register_device(code=code, facts=facts, by=by)
    if device.state == DeviceState.WAITING:
        enrol(code=invite(device=device, by=by, for_its_page=True))
        device.refresh_from_db()
    return device
