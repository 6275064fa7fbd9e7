"""What the office declares in a casino file: shifts and tax from a day on, printers."""

from __future__ import annotations

import tomllib
from datetime import date

import pytest

from accounting.house_file.loader import load_casino
from accounting.house_file.sections import CasinoRefused
from accounting.house_file.writer import notice_content
from accounting.paper.models.printer import Printer
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from tests.accounting.house_file.conftest import Edited

pytestmark = pytest.mark.django_db

SHIFTS = """
[[shifts]]
from = 2026-01-01
begin = { Day = "06:00", Night = "18:00" }
"""
TAX = """
[[tax]]
from = 2026-01-01
minimum = "600.00"
multiple = 300
withhold_above = "5000.00"
rate = "24"
"""
PRINTER = """
[[printers]]
code = "CAGE-1"
kind = "raw9100"
address = "10.0.0.9:9100"
form = "receipt"
"""

NOTICE = """
[[notices]]
from = 2026-01-01
about = "retire"
to = "the regulator"
owner = "ROLE"
within_hours = 72
"""


def told(edited: Edited, *sections: str) -> list[str]:
    loaded = load_casino(edited("format = 1", "format = 1\n" + "".join(sections)))
    return [str(change) for change in loaded.changes]


def test_shifts_tax_and_a_printer_are_new_once_and_a_second_load_changes_nothing(edited: Edited) -> None:
    assert told(edited, SHIFTS, TAX, PRINTER)[-3:] == [
        "+ shifts from 2026-01-01: Day, Night",
        "+ tax from 2026-01-01: reported from 600.00",
        "+ printer CAGE-1: receipt to raw9100 10.0.0.9:9100",
    ]
    assert told(edited, SHIFTS, TAX, PRINTER) == []


def test_a_dry_run_shows_a_printer_and_leaves_none(edited: Edited) -> None:
    path = edited("format = 1", "format = 1\n" + PRINTER)
    assert "+ printer CAGE-1" in str(load_casino(path, dry_run=True).changes[-1])
    assert not Printer.objects.exists()


def test_a_printer_that_moved_is_told_its_new_place(edited: Edited) -> None:
    told(edited, PRINTER)
    assert told(edited, PRINTER.replace("0.9", "0.7")) == [
        "~ printer CAGE-1: address “10.0.0.9:9100” → “10.0.0.7:9100”"
    ]
    assert Trail.objects.filter(act="set_up_printer", actor="load_casino").count() == 2


def test_a_rule_that_has_begun_is_not_rewritten_and_a_later_one_is_added(edited: Edited) -> None:
    told(edited, TAX)
    with pytest.raises(CasinoRefused, match=r"line \d+: What begins on 2026-01-01 stands"):
        told(edited, TAX.replace('"24"', '"30"'))
    assert told(edited, TAX, TAX.replace("2026", "2027").replace('"24"', '"30"')) == [
        "+ tax from 2027-01-01: reported from 600.00"
    ]
    rules = [row.value for row in Property.objects.get(code="SMALL").tax_rules.all()]
    assert [(rule.begins, rule.rate) for rule in rules] == [(date(2026, 1, 1), 240_000), (date(2027, 1, 1), 300_000)]


def test_a_notice_is_declared_once_ended_by_a_later_section_and_names_a_role_of_the_file(edited: Edited) -> None:
    role = next(iter(tomllib.loads(edited("format = 1", "format = 1").read_text())["roles"]))
    rule = NOTICE.replace("ROLE", role)
    ends = rule.replace("2026", "2027").replace("within_hours = 72", "no_more = true")
    assert told(edited, rule, ends)[-2:] == [
        f"+ notice from 2026-01-01 retire to the regulator: by the {role}",
        f"+ notice from 2027-01-01 retire to the regulator: by the {role}",
    ]
    assert told(edited, rule, ends) == []
    rules = [row.value.within_hours for row in Property.objects.get(code="SMALL").notice_rules.all()]
    assert rules == [72, None]
    with pytest.raises(CasinoRefused, match=r"line \d+: What begins on 2026-01-01 retire"):
        told(edited, rule.replace("72", "24"))
    with pytest.raises(CasinoRefused, match="names role nobody"):
        told(edited, NOTICE.replace("ROLE", "nobody"))


def test_a_notice_of_a_file_may_begin_at_an_amount_and_is_written_again_with_it(edited: Edited) -> None:
    role = next(iter(tomllib.loads(edited("format = 1", "format = 1").read_text())["roles"]))
    rule = NOTICE.replace("ROLE", role).replace('"retire"', '"adjust"')
    told(edited, rule + 'from_amount = "50.01"\n')
    row = Property.objects.get(code="SMALL").notice_rules.get()
    assert str(row.value.from_amount) == "50.01"
    assert notice_content(row.value)["from_amount"] == "50.01"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (SHIFTS.replace('"18:00"', '"06:00"'), "a beginning of its own"),
        (SHIFTS.replace('"18:00"', '"24:00"'), "Write a time like 06:00"),
        (SHIFTS.replace("from = 2026-01-01", ""), "shifts has no from"),
        (TAX.replace('"600.00"', "600.00"), "must stand in quotes"),
        (TAX.replace('"24"', '"124"'), "a rate from 0 to 100 percent"),
        (PRINTER.replace(":9100", ""), "no printer's address"),
        (PRINTER.replace("raw9100", "fax"), "Choose one of: folder, raw9100"),
    ],
)
def test_a_wrong_section_is_refused_with_line_and_reason(edited: Edited, wrong: str, why: str) -> None:
    with pytest.raises(CasinoRefused, match=why) as refused:
        told(edited, wrong)
    assert "small.toml, line" in str(refused.value)
    assert not Property.objects.exists()


def test_a_house_chooses_what_surveillance_ticks_off(edited: Edited) -> None:
    path = edited('day_roll = "06:00"', 'surveillance = ["seat", "cards"]')
    load_casino(path)
    assert Property.objects.get().surveillance == ["seat", "cards"]
    assert load_casino(path).changes == ()
    with pytest.raises(CasinoRefused, match="nothing that surveillance ticks off"):
        load_casino(edited('day_roll = "06:00"', 'surveillance = ["shoes"]'))
