"""Scenes for tests, in the floor's words. Everything goes through the product's own actions: no SQL, no shortcuts.

The defaults are the reference casino (REF): wager 1.00, seed 10,000.00, 70 % to the meter, 5 % to the reserve, no
limit, seven seats, fixed awards from the tray. Codes are given by the test where it needs two of a kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jackpot.books.actions import opening
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.people.actions import people
from jackpot.people.actions.presence import CardSource
from jackpot.people.models import Card, Operator, Role
from jackpot.property.models.property import Property
from jackpot.terms.rules.paytable import PayTable
from jackpot.terms.rules.terms import Terms
from tables.floor.models.device import Device, VersionRule
from tables.floor.models.sign import Sign
from tables.floor.models.table import Table
from tables.floor.queries.offers import marks_needed
from tables.floor.rules.checklist import Item
from tables.setup.actions import floor
from tables.setup.actions.components import ComponentRule, set_version_rule

BY = "tests"
CARD_PIN = "640318"
AT_BOX = CardSource(box="UTH-01-C")  # as its reader reads a card
EMERALD = Path(__file__).resolve().parent.parent / "accounting" / "house_file" / "casinos" / "emerald.toml"

_LINES: Sequence[dict[str, Any]] = (
    {"code": "royal_first_5", "name": "Royal flush, first 5 cards", "part": "1"},
    {"code": "royal_first_7", "name": "Royal flush, first 7 cards", "part": "1/20"},
    {"code": "royal_community", "name": "Community royal", "for_one": 3000},
    {"code": "straight_flush", "name": "Straight flush", "for_one": 250},
    {"code": "four_of_a_kind", "name": "Four of a kind", "for_one": 100},
    {"code": "full_house", "name": "Full house", "for_one": 10},
)


def a_pay_table(*, source: str = "tray", code: str = "reference", lines: Sequence[dict[str, Any]] = _LINES) -> PayTable:
    """`source` is of the rows for one that name none of their own."""
    drawn = [{"source": source, **line} if "for_one" in line else dict(line) for line in lines]
    return PayTable.from_plain({"code": code, "lines": drawn})


def terms(**changes: Any) -> Terms:
    """REF terms; `terms(rate="60", limit="25000.00")` changes what the test is about."""
    plain: dict[str, Any] = {
        "wager": "1.00", "seed": "10000.00", "rate": "70", "reserve_rate": "5", "pay_table": a_pay_table(),
    }  # fmt: skip
    plain.update(changes)
    if isinstance(plain["pay_table"], PayTable):
        plain["pay_table"] = plain["pay_table"].plain()
    return Terms.of(plain)


def a_property(code: str = "REF", **facts: Any) -> Property:
    """The property of that code, made when it is not there yet. Its day rolls at 06:00 UTC."""
    known = Property.objects.filter(code=code).first()
    if known is not None:
        return known
    demo = facts.pop("demo", False)
    told = {"name": "Reference Card Room", "plausible_play": False, **facts}  # evenings in a second
    return floor.make_property(code=code, facts=floor.PropertyFacts(**told), demo=demo, by=BY)


def a_jackpot(
    code: str = "GRAND",
    *,
    meter: str = "10000.00",
    reserve: str = "0.00",
    overflow: str = "0.00",
    house_seed: str = "0.00",
    premises: Property | None = None,
    name: str = "",
    **changed_terms: Any,
) -> Jackpot:
    """A jackpot taken over with this reading as entry 1; keywords beyond the reading change its REF terms."""
    reading = opening.Reading(
        Money.of(meter), Money.of(reserve), Money.of(overflow), Money.of(house_seed), evidence="test scene"
    )
    return opening.take_over(
        premises=premises or a_property(), code=code, name=name or code.title(), terms=terms(**changed_terms),
        reading=reading, requested_by="first tester", approved_by="second tester",
    )  # fmt: skip


def a_table(code: str = "UTH-01", *jackpots: Jackpot, premises: Property | None = None, **facts: Any) -> Table:
    """A table that feeds these jackpots, the first is level 1."""
    told = {"game": "uth", "seats": 7, "profile": "card", **facts}
    told["wager"] = Money.of(told.get("wager", "1.00"))
    where = premises or (jackpots[0].premises if jackpots else a_property())
    return floor.set_up_table(premises=where, code=code, facts=floor.TableDescription(**told), jackpots=jackpots, by=BY)


def marks_at(table: Table, item: Item) -> list[str]:
    """Everything that must be read on the cloth or the placard of a table."""
    return [mark.code for mark in marks_needed(table).get(item, [])]


def a_controller(table: Table, code: str = "", *, version: str = "2.0.0") -> Device:
    """The table's controller, known to the house but not enrolled."""
    facts = floor.DeviceFacts(kind="controller", table=table.code, version=version)
    return floor.register_device(code=code or f"{table.code}-C", facts=facts, by=BY)


def a_version_rule(premises: Property, **facts: Any) -> VersionRule:
    """Every controller runs at least 6.10, and a table whose controller does not stays closed."""
    told = {"kind": "controller", "rule": "minimum", "version": "6.10", "keeps_closed": True, **facts}
    return set_version_rule(premises=premises, rule=ComponentRule(**told), by=BY)


def a_sign(code: str, *jackpots: Jackpot, premises: Property | None = None, **facts: Any) -> Sign:
    """A sign with these meters, in this order."""
    where = premises or (jackpots[0].premises if jackpots else a_property())
    return floor.hang_sign(premises=where, code=code, facts=floor.SignFacts(**facts), jackpots=jackpots, by=BY)


def a_role(code: str = "supervisor", *may: str) -> Role:
    return people.define_role(code=code, name=code.capitalize(), may=may or sorted(people.VERBS), by=BY)


def a_person(
    username: str = "supervisor",
    *,
    roles: Sequence[str] = (),
    may: Sequence[str] = (),
    password: str | None = None,
    premises: Property | None = None,
) -> Operator:
    """A person; `may=(...)` gives exactly these verbs through a role of the person's own."""
    held = list(roles)
    if may:
        people.define_role(code=f"{username}-only", name=f"{username}, only", may=may, by=BY)
        held.append(f"{username}-only")
    return people.hire(
        premises=premises or a_property(), username=username, name=f"Test {username.title()}", roles=held,
        password=password, by=BY,
    )  # fmt: skip


def a_card(
    operator: Operator, *, number: str = "600000000001", level: str = "supervisor", pin: str | None = None
) -> Card:  # fmt: skip
    """A card; a supervisor's has its PIN, which is asked for wherever no reader of the house read the card."""
    pin = (CARD_PIN if level == "supervisor" else "") if pin is None else pin
    return people.issue_card(operator=operator, number=number, level=level, pin=pin, by=BY)


@dataclass(frozen=True)
class Casino:
    premises: Property
    jackpots: list[Jackpot]
    tables: list[Table]
    controllers: list[Device]

    @property
    def jackpot(self) -> Jackpot:
        return self.jackpots[0]

    @property
    def table(self) -> Table:
        return self.tables[0]

    @property
    def controller(self) -> Device:
        return self.controllers[0]


def a_casino(
    *, tables: int = 1, jackpots: Sequence[Jackpot] = (), premises: Property | None = None, **of_the_jackpot: Any
) -> Casino:
    """REF with `tables` tables UTH-01… on one shared jackpot GRAND (or on the given levels), a controller at each.

    Other keywords are the jackpot's: `a_casino(tables=2, meter="20000.00", reserve="617.25")`.
    """
    premises = premises or a_property()
    levels = list(jackpots) or [a_jackpot(premises=premises, **of_the_jackpot)]
    floor_tables = [a_table(f"UTH-{number:02d}", *levels, premises=premises) for number in range(1, tables + 1)]
    return Casino(premises, levels, floor_tables, [a_controller(table) for table in floor_tables])


def emerald() -> Property:
    """The demo casino, loaded from its file."""
    from accounting.house_file.loader import load_casino

    load_casino(EMERALD)
    return Property.objects.get(code="EMERALD")
