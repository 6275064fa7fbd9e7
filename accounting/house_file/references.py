"""What a file must agree about with itself: every code once, every name known, and all that is wrong told at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from accounting.house_file.parts import CasinoFile, FilePart
from accounting.house_file.sections import CasinoRefused, Section

SECOND_PERSON: Final = "configure"
SomePart = TypeVar("SomePart", bound=FilePart)


@dataclass(frozen=True, slots=True)
class StandingCodes:
    """What a part of a house may name besides what it declares itself. A whole file may name nothing else."""

    roles: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    signers: tuple[str, ...] = ()
    jackpots: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()


@dataclass
class Faults:
    """Reads part after part and keeps what is refused, so that a person hears of everything in one go."""

    found: list[CasinoRefused] = field(default_factory=list)

    def each(self, sections: Iterable[Section], read: Callable[[Section], SomePart]) -> tuple[SomePart, ...]:
        """The parts that could be read; a code that stands twice is a fault of the second."""
        seen: dict[str, SomePart] = {}
        for section in sections:
            try:
                part = read(section)
                _refuse_twice(part, seen)
            except CasinoRefused as fault:
                self.found.append(fault)
                continue
            seen[part.code] = part
        return tuple(seen.values())

    def refuse_any(self) -> None:
        if self.found:
            raise CasinoRefused.joined(self.found)


def each_once(parts: Iterable[SomePart]) -> tuple[SomePart, ...]:
    seen: dict[str, SomePart] = {}
    for part in parts:
        _refuse_twice(part, seen)
        seen[part.code] = part
    return tuple(seen.values())


def _refuse_twice(part: SomePart, seen: dict[str, SomePart]) -> None:
    if part.code in seen:
        line = seen[part.code].section.line()
        where = f", in line {line}" if line else ""
        raise part.section.refused(f"“{part.code}” stands here already{where}. Every code stands once.")


def check_references(casino: CasinoFile, standing: StandingCodes) -> None:
    """Whatever is named is declared here or stands already; the first name of a part that is neither refuses it."""
    faults = Faults()
    jackpots = [*_codes(casino.jackpots), *standing.jackpots]
    tables, signs = [*_codes(casino.tables), *standing.tables], [*_codes(casino.signs), *standing.signs]
    roles = [*_codes(casino.roles), *standing.roles]
    _check_named(faults, casino.people, "roles", lambda person: person.roles, "role", roles)
    _check_named(faults, casino.tables, "jackpots", lambda table: table.all_jackpots, "jackpot", jackpots)
    _check_named(faults, casino.signs, "meters", lambda sign: sign.meters, "jackpot", jackpots)
    _check_named(faults, casino.devices, "table", lambda device: _if_named(device.facts.table), "table", tables)
    _check_named(faults, casino.devices, "sign", lambda device: _if_named(device.facts.sign), "sign", signs)
    _check_named(faults, casino.notices, "owner", lambda notice: (notice.rule.owner,), "role", roles)
    _check_named(faults, casino.collections, "tables", lambda each: each.tables, "table", tables)
    people = [*_codes(casino.people), *standing.people]
    _check_named(faults, casino.custody, "holder", lambda each: (each.facts.holder,), "role", roles)
    _check_named(faults, casino.custody, "countersigner", lambda each: (each.facts.countersigner,), "role", roles)
    _check_named(faults, casino.custody, "added_by", lambda each: (each.added_by,), "person", people)
    _check_named(faults, casino.slip_books, "added_by", lambda each: (each.added_by,), "person", people)
    faults.refuse_any()
    each_once(card for person in casino.people for card in person.cards)
    _check_signatures(casino, standing)


def _check_signatures(casino: CasinoFile, standing: StandingCodes) -> None:
    """Terms and openings are signed by two people who may configure."""
    verbs = {role.code: set(role.may) for role in casino.roles}
    may = {
        person.code for person in casino.people if any(SECOND_PERSON in verbs.get(role, ()) for role in person.roles)
    }
    people, may = [*_codes(casino.people), *standing.people], may | set(standing.signers)
    faults = Faults()
    _check_named(faults, casino.jackpots, "signed_by", lambda jackpot: jackpot.signed_by, "person", people)
    faults.refuse_any()
    for jackpot in casino.jackpots:
        for name in jackpot.signed_by:
            if name not in may:
                why = f"{name} signs for {jackpot.code} but has no role that may “{SECOND_PERSON}”."
                raise jackpot.section.refused(why, "signed_by")


def _check_named(
    faults: Faults,
    parts: Iterable[SomePart],
    key: str,
    names: Callable[[SomePart], Iterable[str]],
    kind: str,
    known: Collection[str],
) -> None:
    for part in parts:
        # The first alone: a mistyped list of names is one mistake, and one line to look at.
        missing = next((name for name in names(part) if name not in known), None)
        if missing is not None:
            listed = ", ".join(sorted(known)) or "none"
            where = "this file lacks" if part.section.file else "is not there"
            faults.found.append(
                part.section.refused(f"{part.code} names {kind} {missing}, which {where} ({listed}).", key)
            )


def _codes(parts: Iterable[FilePart]) -> list[str]:
    return [part.code for part in parts]


def _if_named(name: str) -> tuple[str, ...]:
    return (name,) if name else ()
