"""A part of a house is set up or altered: by one administrator at once, or asked of a second person.

Every way in ends here, be it a form, a list, a program or a whole casino file: the sections are read by the casino
file's reader and made by its loader, so a rule of a house is written once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import transaction

from accounting.house_file.change_kind import ChangeKind
from accounting.house_file.changes import FileChange
from accounting.house_file.loader import Loaded, load
from accounting.house_file.parts import CasinoFile
from accounting.house_file.positions import NoPlace
from accounting.house_file.reader import FORMAT, read_house, read_text
from accounting.house_file.sections import CasinoRefused, Section, WrittenPlaces
from accounting.house_file.spelling import toml_text
from accounting.house_file.writer import property_content
from accounting.setup_desk.actions.openings import finish_openings, opening_questions, plain_findings_of
from accounting.setup_desk.queries import SET_UP, house_age, standing_codes, standing_parts
from accounting.setup_desk.rules.table_list import ListedParts
from accounting.setup_desk.rules.two_people import HouseAge, takes_two, touches_people
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.requests.models import Request
from jackpot.signing.actions.asking import put_in
from tables.floor.models.device import DeviceKind
from tables.setup.actions.enrol import first_controller

MOST_TEXT: Final = 400_000
NOWHERE: Final = NoPlace()
WHY: Final = "Set up from the pages"


@dataclass(frozen=True, slots=True)
class SetUpWish:
    """What shall be set up: sections of a casino file, or the text of a whole one, and why."""

    sections: Mapping[str, Any] | None = None
    text: str = ""
    name: str = ""
    reason: str = ""
    places: WrittenPlaces = NOWHERE

    @property
    def payload(self) -> dict[str, str]:
        """As it waits for a second person: as a text, so that both sign the same letters."""
        if self.sections is None:
            return {"text": self.text, "name": self.name}
        return {"text": toml_text(self.sections), "name": ""}


@dataclass(frozen=True, slots=True)
class SetUpOutcome:
    """What was made, would be made, or waits for a second person with its request."""

    changes: tuple[FileChange, ...]
    request: Request | None = None
    takes_two: bool = False
    findings: tuple[Mapping[str, str], ...] = ()


def set_up(*, premises: Property, wish: SetUpWish, by: Operator, dry_run: bool = False) -> SetUpOutcome:
    """All of it or nothing. What one person may not do alone becomes a request, and nothing is changed yet."""
    outcome = _set_up(premises, wish, by, dry_run=dry_run)
    if outcome.request is not None:
        finish_openings(outcome.request, by)  # of a published pay table it is there at once
    return outcome


def _set_up(premises: Property, wish: SetUpWish, by: Operator, *, dry_run: bool) -> SetUpOutcome:
    _check_may(by, premises)
    with transaction.atomic():
        # Everything is read and tried in this one transaction: what is asked for is what would have been made.
        casino = read_wish(premises, wish, two_signers(premises, by))
        # Tried out first, also where one person may: only the changes say whether it takes two.
        looked_at = load(casino, dry_run=True, by=by.username)
        _check_own(looked_at.changes, by)
        age = house_age(premises)
        two = any(takes_two(change, age) for change in looked_at.changes) or _second_voice(casino, looked_at, age)
        findings = plain_findings_of(looked_at)
        if dry_run or not looked_at.changes:
            return SetUpOutcome(looked_at.changes, takes_two=two, findings=findings)
        if two:
            row = _asked(premises, wish, looked_at, by, findings)
            return SetUpOutcome(looked_at.changes, row, takes_two=True, findings=findings)
        return SetUpOutcome(load(casino, by=by.username).changes)


def _second_voice(casino: CasinoFile, looked_at: Loaded, age: HouseAge) -> bool:
    """Whether a table that plays gets a second controller while its first one may speak: a way to raise its meters."""
    altered = [each for each in looked_at.changes if each.kind is ChangeKind.DEVICE]
    changed = {each.code for each in altered if each.alters("kind", "table", "state")}
    new = [part for part in casino.devices if part.facts.kind == DeviceKind.CONTROLLER and part.facts.table]
    return age.has_round and any(
        part.code in changed and first_controller(table_code=part.facts.table, but=part.code) is not None
        for part in new
    )


def read_wish(premises: Property, wish: SetUpWish, signers: Sequence[str]) -> CasinoFile:
    """Whoever a file names as its signers, those who really sign here stand in the books."""
    if wish.sections is None:
        casino = read_text(wish.text, wish.name)
        # Another property in the file would be founded beside this one, by somebody who works here.
        if casino.premises.code != premises.code:
            why = f"{wish.name} tells property {casino.premises.code}, and this house is {premises.code}."
            raise NotAllowedNow(f"{why} Found that one in a data folder of its own.", "property")
    else:
        casino = _read_sections(premises, wish, signers)
    _check_no_secrets(casino)
    if casino.jackpots:
        _check_two(signers)
    first, second = (*signers, "", "")[:2]
    return replace(casino, jackpots=tuple(replace(each, signed_by=(first, second)) for each in casino.jackpots))


def two_signers(premises: Property, by: Operator) -> list[str]:
    """Whoever asks and one of those who could sign, so that an opening can be tried out before it is signed."""
    # The second name is a stand-in for the trial alone; who really signs is entered at the signature.
    others = [name for name in standing_codes(premises).signers if name != by.username]
    return [by.username, *others[:1]]


def _read_sections(premises: Property, wish: SetUpWish, signers: Sequence[str]) -> CasinoFile:
    """The property stands in every house, so a part of one is read as a whole house with nothing else in it."""
    assert wish.sections is not None, "only sections are read here"
    told = dict(wish.sections)
    if isinstance(told.get("jackpots"), list):
        _check_two(signers)
        told["jackpots"] = [
            {**each, "signed_by": list(signers)} if isinstance(each, dict) else each for each in told["jackpots"]
        ]
    if isinstance(told.get("property"), dict):
        told["property"] = {"demo": premises.demo, **told["property"]}  # no form asks whether a house is a demo
    whole = {"format": FORMAT, "property": property_content(premises), "roles": {}, **told}
    return read_house(Section(wish.name, wish.places, whole, (), "the house"), standing_codes(premises))


def _check_no_secrets(casino: CasinoFile) -> None:
    """A wish is kept as text until it is signed, and nothing that opens a door is kept as text."""
    holder = next((person for person in casino.people if person.cards or person.password), None)
    if holder is not None:
        why = "A card’s number, a PIN or a password is kept nowhere as text, so it is not asked for in a file."
        cure = "Leave it out here and issue it under /office/people/, or load the file with load_casino."
        raise holder.refused(NotAllowed(f"{why} {cure}", "cards"))


def _check_two(signers: Sequence[str]) -> None:
    if len(signers) < 2:
        why = "An opening takes two people who may configure, and there is one. Give another person such a role first."
        raise NotAllowedNow(why, "signed_by")


def _asked(
    premises: Property, wish: SetUpWish, looked_at: Loaded, by: Operator, findings: Sequence[Mapping[str, str]]
) -> Request:
    # Setting up is a verb of machines and money; a file must not be a way around who gives roles.
    if touches_people(looked_at.changes) and not by.may("people"):
        raise NotAllowed(f"{by} may not bring in people or roles. Somebody who gives roles does.", "role")
    row = Request(kind=SET_UP, premises=premises, payload=wish.payload, reason=(wish.reason or WHY).strip())
    questions = opening_questions(looked_at)
    preview = {
        "changes": [str(change) for change in looked_at.changes],
        "parts": [change.plain() for change in looked_at.changes],
    }
    # What the laboratory is asked is fixed with the request, so a pack that changes meanwhile changes no question.
    if questions:
        row.payload = {**row.payload, "laboratory": questions}
    put_in(row=row, by=by, findings=findings, preview=preview, still_to_come=bool(questions))
    return row


def _check_may(by: Operator, premises: Property) -> None:
    if not by.may(SET_UP):
        raise NotAllowed(f"{by} may not set up a house. An administrator gives that role.", "role")
    # Who belongs to no house serves all of them.
    if by.premises_id not in (None, premises.pk):
        raise NotAllowed(f"{by} works in another house.", "role")


def _check_own(changes: Sequence[FileChange], by: Operator) -> None:
    """Nobody asks for authority of their own, not even inside of a file."""
    mine = next((each for each in changes if each.whom == by.username), None)
    if mine is not None:
        raise NotAllowed(f"{mine.subject} is yours. Another person brings this in.", "same_person")


def set_up_list(
    *, premises: Property, listed: ListedParts, name: str, by: Operator, reason: str = "", dry_run: bool = False
) -> SetUpOutcome:
    """Tables from a spreadsheet: every fault of every row is told with its line and column, or all rows are made."""
    _check_may(by, premises)
    standing = {part["code"]: part for part in standing_parts(premises, "tables")}
    told = [CasinoRefused(name, fault.line, fault.why, fault.column) for fault in listed.faults]
    merged = listed.over(standing)
    faults = sorted([*told, *_tried(premises, merged, name, by)], key=lambda fault: fault.line)
    if faults:
        raise CasinoRefused.joined(faults)
    wish = SetUpWish({"tables": list(merged.parts)}, name=name, reason=reason, places=merged)
    return set_up(premises=premises, wish=wish, by=by, dry_run=dry_run)


def _tried(premises: Property, listed: ListedParts, name: str, by: Operator) -> list[CasinoRefused]:
    """Row after row as if it were made, and taken back: the second row is judged as if the first one stood."""
    faults, made = [], dict[str, int]()
    with transaction.atomic():
        for place, part in enumerate(listed.parts):
            row = listed.alone(place)
            code, line = str(part.get("code", "")), row.lines[0]
            if code in made:
                why = f"table {code} stands already in line {made[code]}. Every table stands once."
                faults.append(CasinoRefused(name, line, why, "code"))
                continue
            made[code] = line
            faults += _faults_of(premises, listed, part, row, name, by)
        # Tried row by row to hear of every fault; made it is afterwards, all rows in one act.
        transaction.set_rollback(True)
    return faults


def _faults_of(
    premises: Property, listed: ListedParts, part: dict[str, Any], row: ListedParts, name: str, by: Operator
) -> list[CasinoRefused]:
    """All that one row has: what is wrong in a cell is noted and healed, and the row is tried again."""
    faults: list[CasinoRefused] = []
    left: dict[str, Any] | None = part
    while left is not None:
        tried, left = left, None
        try:
            wish = SetUpWish({"tables": [tried]}, name=name, places=row)
            load(read_wish(premises, wish, ()), by=by.username)
        except CasinoRefused as fault:
            faults += fault.faults
            # Nothing comes back when nothing is left to heal, which ends the loop.
            left = listed.healed(tried, fault.column)
    return faults
