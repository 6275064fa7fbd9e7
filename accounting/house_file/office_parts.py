"""What the office declares: shifts and tax rules from a day on, and the printers."""

from __future__ import annotations

from collections.abc import Iterator

from accounting.house_file.change_kind import ChangeKind
from accounting.house_file.changes import ChangedFact, FileChange, added, altered, at
from accounting.house_file.parts import (
    CasinoFile,
    CollectionPart,
    LimitsPart,
    NoticePart,
    PrinterPart,
    SchedulePart,
    ShiftsPart,
    TaxPart,
    UnclaimedPart,
)
from accounting.house_file.standing import changed_fact
from accounting.paper.actions.printers import set_up_printer
from accounting.paper.models.printer import Printer
from accounting.paper.rules.copies import Form
from jackpot.configuring.actions.house_rules import declare_notice, declare_shifts, declare_tax, declare_unclaimed
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow
from tables.floor.models.collection import TableCollection
from tables.floor.models.table import Table
from tables.floor.queries.limit_sheets import entered_here
from tables.floor.queries.schedules import noted_here
from tables.setup.actions.collections import declare_collection
from tables.setup.actions.limit_sheets import enter_limits
from tables.setup.actions.schedules import note_schedule

DatedPart = TaxPart | UnclaimedPart | NoticePart | CollectionPart


def load_shifts(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    standing = {row.begins: row.value for row in premises.shift_plans.all()}
    for part in casino.shifts:
        with at(part):
            _check_stays(standing.get(part.plan.begins), part)
            if part.plan.begins not in standing:
                declare_shifts(premises=premises, plan=part.plan, by=by)
                yield added(ChangeKind.SHIFTS, part.code, ", ".join(shift.name for shift in part.plan.shifts))


def load_tax(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    standing = {row.begins: row.value for row in premises.tax_rules.all()}
    for part in casino.tax:
        with at(part):
            _check_stays(standing.get(part.rule.begins), part)
            if part.rule.begins not in standing:
                declare_tax(premises=premises, rule=part.rule, by=by)
                yield added(ChangeKind.TAX, part.code, f"reported from {part.rule.minimum}")


def load_unclaimed(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    standing = {row.begins: row.value for row in premises.unclaimed_rules.all()}
    for part in casino.unclaimed:
        with at(part):
            _check_stays(standing.get(part.rule.begins), part)
            if part.rule.begins not in standing:
                declare_unclaimed(premises=premises, rule=part.rule, by=by)
                yield added(ChangeKind.UNCLAIMED, part.code, f"lapse after {part.rule.lapse_after} days")


def load_notices(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    standing = {(row.begins, row.about, row.to): row.value for row in premises.notice_rules.all()}
    for part in casino.notices:
        stands = standing.get((part.rule.begins, part.rule.about, part.rule.to))
        with at(part):
            _check_stays(stands, part)
            if stands is None:
                declare_notice(premises=premises, rule=part.rule, by=by)
                yield added(ChangeKind.NOTICE, part.code, f"by the {part.rule.owner}")


def load_collections(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    """A section names many tables; each that has no such rule yet gets it."""
    for part in casino.collections:
        tables = Table.objects.filter(premises__code=casino.premises.code, code__in=part.tables).order_by("code")
        rows = TableCollection.objects.filter(table__in=tables, begins=part.rule.begins).select_related("table")
        # Table by table, although the section names many: a later file may add one to them.
        standing = {row.table.code: row.value for row in rows}
        with at(part):
            for stands in standing.values():
                _check_stays(stands, part)
            new = [table for table in tables if table.code not in standing]
            if new:
                declare_collection(tables=new, rule=part.rule, by=by)
                tables_named = ", ".join(table.code for table in new)
                yield added(ChangeKind.COLLECTION, str(part.rule.begins), f"{tables_named}: {part.rule.words}")


def load_schedules(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    standing = {(each.begins, each.game, each.rule_set, each.option): each for each in noted_here(premises)}
    for part in casino.schedules:
        asked = part.standing
        stands = standing.get((asked.begins, asked.game, asked.rule_set, asked.option))
        with at(part):
            _check_stays(stands, part)
            if stands is None:
                note_schedule(premises=premises, standing=asked, by=by)
                yield added(ChangeKind.SCHEDULE, part.code, asked.words)


def load_limits(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    """Before the tables: a chip above a sheet of the same file is refused with it."""
    premises = Property.objects.get(code=casino.premises.code)
    standing = {(each.begins, each.game, each.code, each.wager): each for each in entered_here(premises)}
    for part in casino.limits:
        asked = part.sheet
        stands = standing.get((asked.begins, asked.game, asked.code, asked.wager))
        with at(part):
            _check_stays(stands, part)
            if stands is None:
                enter_limits(premises=premises, sheet=asked, by=by)
                yield added(ChangeKind.LIMITS, part.code, asked.words)


def load_printers(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    standing = {printer.code: printer for printer in Printer.objects.filter(premises=premises)}
    for part in casino.printers:
        printer = standing.get(part.code)
        words = _difference(printer, part) if printer else []
        if printer is not None and not words:
            continue
        with at(part):
            set_up_printer(
                premises=premises, code=part.code, kind=part.kind, address=part.address, form=Form(part.form), by=by
            )
        kind, goes = ChangeKind.PRINTER, f"{part.form} to {part.kind} {part.address}"
        yield altered(kind, part.code, words) if words else added(kind, part.code, goes)


def _difference(printer: Printer, part: PrinterPart) -> list[ChangedFact]:
    pairs = [(name, getattr(printer, name), getattr(part, name)) for name in ("kind", "address", "form")]
    words = [changed_fact(name, before, after) for name, before, after in pairs if before != after]
    # A printer that was put away and stands in the file is wanted back; a file has no way to put one away.
    return words + ([] if printer.in_use else [ChangedFact("in_use", "in use again")])


def _check_stays(stands: object, part: ShiftsPart | SchedulePart | LimitsPart | DatedPart) -> None:
    """A day's rules are never rewritten: pages that are out say what stood."""
    asked = _asked(part)
    # The same again is no change, so a file may be loaded as often as one likes.
    if stands is not None and stands != asked:
        why = f"What begins on {part.code} stands and is printed on pages. Add another section with a later “from”."
        raise NotAllowedNow(why, "from")


def _asked(part: ShiftsPart | SchedulePart | LimitsPart | DatedPart) -> object:
    match part:
        case ShiftsPart():
            return part.plan
        case SchedulePart():
            return part.standing
        case LimitsPart():
            return part.sheet
        case _:
            return part.rule
