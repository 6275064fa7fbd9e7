"""Printers of a house. Without one of its own, a form goes to a folder: nothing has to be set up to print."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import transaction

from accounting.paper.models.printer import Printer
from accounting.paper.rules.copies import Form
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef

_ADDRESS: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})")
LARGEST_PORT: Final = 65_535
# What of the data folder is the program's own: pages of winners lie neither among the books nor where anybody reads.
OURS: Final = frozenset(
    {"postgres", "static", "logs", "roles", "archive", "backups", "audit", "reports", "games", "rule_books"}
)


@transaction.atomic
def set_up_printer(*, premises: Property, code: str, kind: str, address: str, form: Form, by: str) -> Printer:
    """A printer is made known, or told another place; what waits for it goes to the new place."""
    if kind not in Printer.Kind.values:
        raise NotUnderstood(f"“{kind}” is no kind of printer. Choose one of: {', '.join(Printer.Kind.values)}.")
    if kind == Printer.Kind.RAW:
        host_and_port(address)
    else:
        # Judged when it is set up, so that whoever types it hears why; and again at each print, for links may change.
        print_folder(address)
    facts = {"kind": kind, "address": address, "form": form.value, "in_use": True}
    # A code is one over all houses, and pages of winners never change house: one that stands keeps its own.
    printer, _ = Printer.objects.update_or_create(
        code=code, defaults=facts, create_defaults={**facts, "premises": premises}
    )
    if printer.premises_id != premises.pk:
        raise NotAllowedNow(f"There is already a printer {code} in another house. Choose another code.", "code")
    details = {"kind": kind, "address": address, "form": form.value}
    record(actor=by, act="set_up_printer", about=ObjectRef(ObjectKind.PRINTER, code), details=details)
    return printer


def printer_for(premises: Property, form: Form) -> Printer:
    """The house's printer of that form, by code; else its folder under the data folder."""
    own = Printer.objects.filter(premises=premises, form=form.value, in_use=True).order_by("code").first()
    if own is not None:
        return own
    facts = {"premises": premises, "kind": Printer.Kind.FOLDER, "address": "prints", "form": form.value}
    usual = Printer.objects.get_or_create(code=f"{premises.code}-{form.value.upper()}", defaults=facts)[0]
    if usual.premises_id == premises.pk:
        return usual
    # Another house has given this code to a printer of its own. With a stroke in it nobody can type the code.
    return Printer.objects.get_or_create(code=f"{premises.code}/{form.value.upper()}", defaults=facts)[0]


def print_folder(address: str) -> Path:
    """A folder of its own inside the data folder, or elsewhere on this machine; never one of the program's."""
    data, program = Path(settings.DATA_DIR).resolve(), Path(settings.BASE_DIR).resolve()
    try:
        # Resolved before it is judged: “prints/../postgres” and a link are what they lead to.
        folder = (data / address).resolve()
    except (ValueError, OSError, RuntimeError):
        raise NotUnderstood(f"“{address[:60]}” is no folder. Write it like prints/cage.", "address") from None
    if folder.is_relative_to(data):
        inside = folder.relative_to(data).parts
        # By the first part and its stem: what lies beside “postgres” as “postgres-old” is the program's too.
        own = not inside or inside[0].startswith(".") or re.split(r"[.-]", inside[0])[0] in OURS
    else:
        # A folder above the data would hold the books as well.
        own = folder.is_relative_to(program) or data.is_relative_to(folder)
    if own:
        why = f"“{address[:60]}” is a folder of the program, and pages of winners do not belong there."
        raise NotUnderstood(f"{why} Choose one of its own, such as prints/cage.", "address")
    return folder


def host_and_port(address: str) -> tuple[str, int]:
    """ "10.0.0.9:9100" or "[::1]:9100"."""
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found.group(2)) <= LARGEST_PORT:
        raise NotUnderstood(f"“{address}” is no printer's address. Write it like 10.0.0.9:9100.", "address")
    return found.group(1).strip("[]"), int(found.group(2))
