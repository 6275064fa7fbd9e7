"""The general ledger: what its accounts are called, and the journal of a day, which goes out once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounting.reports.models import JournalExport, LedgerAccount
from accounting.reports.rules.ledger import USUAL
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

_CODE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9./-]{0,19}", re.ASCII)


@transaction.atomic
def name_accounts(*, house: Property, named: Mapping[str, tuple[str, str]], by: Operator) -> int:
    """Codes and names as the house's chart of accounts has them; returns how many changed. What went out stays."""
    changed = 0
    for line in USUAL:
        code, name = named.get(line.account, (line.code, line.name))
        if not _CODE.fullmatch(code):
            raise NotUnderstood(f"“{code[:20]}” is no account code. Write it like 2110 or 24-001.", "code")
        if not 0 < len(name) <= 60:
            raise NotUnderstood(f"Give the account {code} a name of at most 60 letters.", "name")
        row = LedgerAccount.objects.filter(premises=house, account=line.account).first()
        before = (line.code, line.name) if row is None else (row.code, row.name)
        # The form sends every account; only what is otherwise leaves a line in the trail.
        if before == (code, name):
            continue
        LedgerAccount.objects.update_or_create(
            premises=house, account=line.account, defaults={"code": code, "name": name}
        )
        details = {"account": line.account, "before": list(before), "after": [code, name]}
        record(actor=by, act="name_account", about=objects.house(house.code), details=details)
        changed += 1
    return changed


@transaction.atomic
def export_journal(*, house: Property, day: date, by: Operator, render: Callable[[], bytes]) -> JournalExport:
    """The first asking writes the day's journal; every later one gets the same bytes, whatever was renamed since."""
    Property.objects.select_for_update(no_key=True).get(pk=house.pk)  # two people at once: one of them writes
    # Behind the lock: what went out once is in the general ledger, and a second journal of a day would be booked twice.
    standing = JournalExport.objects.filter(premises=house, day=day).first()
    if standing is not None:
        return standing
    # A day that runs moves on: its journal of now would not be the one of its close.
    if day >= house.gaming_day(timezone.now()):
        raise NotAllowedNow(f"The gaming day {day} still runs. Its journal goes out when it has rolled.", "day_runs")
    content = render()
    made = JournalExport.objects.create(
        premises=house, day=day, exported_by=by, content=content, sha256=hashlib.sha256(content).hexdigest()
    )
    record(
        actor=by,
        act="export_journal",
        about=objects.gaming_day(day, house.pk),
        subject=str(day),
        details={"sha256": made.sha256},
    )
    return made
