"""Loads a casino file: what differs is changed by the same actions that people use, in one transaction.

A dry run does the very same and takes it back, so what it shows is what a load would do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.db import connection, transaction

from accounting.house_file import floor_parts, house_parts, office_parts, registers
from accounting.house_file.change_kind import ChangeKind
from accounting.house_file.changes import FileChange
from accounting.house_file.elsewhere import refuse_elsewhere
from accounting.house_file.parts import CasinoFile, JackpotPart
from accounting.house_file.reader import read_casino
from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.laboratory.findings import Finding
from jackpot.laboratory.standing import standing_findings

_ONE_AT_A_TIME: Final = 0x6661697263617369  # the advisory lock of loads
BY: Final = "load_casino"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load changed, or would change."""

    file: CasinoFile
    changes: tuple[FileChange, ...]
    dry_run: bool

    @property
    def opened(self) -> list[JackpotPart]:
        """Jackpots that begin with it."""
        new = {change.code for change in self.changes if change.kind is ChangeKind.JACKPOT and change.new}
        return [part for part in self.file.jackpots if part.code in new]

    @property
    def findings(self) -> list[Finding]:
        """What the terms of each jackpot that was opened ask to look at, each with its jackpot, the gravest first."""
        return [
            {**each, "why": f"{part.code}: {each['why']}", "jackpot": part.code}
            for part in self.opened
            for each in standing_findings(part.terms)
        ]

    @property
    def demo(self) -> bool:
        return self.file.premises.demo


def load_casino(path: Path, *, dry_run: bool = False, by: str = BY) -> Loaded:
    """Makes the casino as the file tells it. A second load changes nothing; a refusal leaves everything as it was."""
    return load(read_casino(path), dry_run=dry_run, by=by)


def load(casino: CasinoFile, *, dry_run: bool = False, by: str = BY) -> Loaded:
    with transaction.atomic():
        hold_house()
        changes = tuple(_changes(casino, by))
        if dry_run:
            # Inside the block and not by an exception: what would change is still told.
            transaction.set_rollback(True)
    return Loaded(casino, changes, dry_run)


def one_at_a_time() -> None:
    """Until the transaction ends no other load, and nobody who founds a house, is under way."""
    with connection.cursor() as cursor:
        # Not a row: before the first load there is none that could be locked.
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ONE_AT_A_TIME])


def hold_house() -> None:
    """The one load under way, and every jackpot at once and in order, before the house, its people and its tables.

    Table after table would lock them crosswise with a running batch, people first crosswise with a dismissal.
    """
    one_at_a_time()
    lock(list(Jackpot.objects.values_list("id", flat=True)))


def _changes(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    refuse_elsewhere(casino)
    # Each after what it names: a person has roles, a table feeds jackpots, a sign shows them, a device stands at a
    # table.
    yield from house_parts.load_property(casino.premises, by)
    yield from house_parts.load_roles(casino.roles, by)
    yield from house_parts.load_people(casino.premises.code, casino.people, by)
    steps: Iterable[Callable[[CasinoFile, str], Iterator[FileChange]]] = (
        house_parts.load_jackpots,
        office_parts.load_limits,
        floor_parts.load_tables,
        floor_parts.load_signs,
        floor_parts.load_devices,
        office_parts.load_shifts,
        office_parts.load_tax,
        office_parts.load_unclaimed,
        office_parts.load_notices,
        # Before what tables collect: no table takes a fee by a schedule that the same file withdraws.
        office_parts.load_schedules,
        office_parts.load_collections,
        office_parts.load_printers,
        floor_parts.load_components,
        registers.load_slip_books,
        registers.load_custody,
    )
    for step in steps:
        yield from step(casino, by)
