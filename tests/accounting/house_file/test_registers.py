"""Books of slips, keys and seals in a casino file: put on their registers by somebody of the house, never rewritten."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import transaction

from accounting.house_file.loader import load, load_casino
from accounting.house_file.reader import read_text
from accounting.house_file.sections import CasinoRefused
from accounting.house_file.writer import house_text
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from tables.custody.models import CustodyItem
from tables.slip_book.models import SlipBook
from tests.accounting.house_file.conftest import Edited

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 20, tzinfo=UTC)
BOOK = """
[[slip_books]]
code = "BOOK-07"
prefix = "M-"
first = 501
last = 600
digits = 4
added_by = "first"
"""
KEY = """
[[custody]]
code = "BOX-04"
kind = "key"
place = "drop_box"
where = "UTH-04"
holder = "dealer"
countersigner = "boss"
hours = 2
added_by = "second"
"""
SEAL = """
[[custody]]
code = "SEAL-04"
kind = "seal"
place = "controller"
where = "UTH-04"
holder = "dealer"
countersigner = "boss"
added_by = "second"
"""


def with_registers(edited: Edited, *sections: str, may: str = '["see", "configure", "set_up"]') -> Path:
    path = edited('["see", "configure"]', may)
    path.write_text(path.read_text() + "".join(sections))
    return path


def told(path: Path) -> list[str]:
    return [str(change) for change in load_casino(path).changes]


def test_a_register_gets_its_lines_once_under_the_name_of_who_adds_them(edited: Edited) -> None:
    path = with_registers(edited, BOOK, KEY, SEAL)
    assert told(path)[-3:] == [
        "+ book BOOK-07: M-0501 to M-0600",
        "+ key or seal BOX-04: drop box UTH-04",
        "+ key or seal SEAL-04: controller UTH-04",
    ]
    assert told(path) == [], "a second load changes nothing"
    assert SlipBook.objects.get().added_by.username == "first"
    assert {row.added_by.username for row in CustodyItem.objects.all()} == {"second"}
    assert Trail.objects.filter(act="add_custody", actor="Second Boss").count() == 2


def test_a_dry_run_shows_them_and_leaves_none(edited: Edited) -> None:
    changes = load_casino(with_registers(edited, BOOK, KEY), dry_run=True).changes
    assert [str(change) for change in changes][-2:] == [
        "+ book BOOK-07: M-0501 to M-0600", "+ key or seal BOX-04: drop box UTH-04",
    ]  # fmt: skip
    assert not SlipBook.objects.exists()
    assert not CustodyItem.objects.exists()


def test_a_written_house_has_its_registers_and_makes_them_elsewhere(edited: Edited) -> None:
    with transaction.atomic():
        load_casino(with_registers(edited, BOOK, KEY, SEAL))
        text = house_text(Property.objects.get(), NOW)
        assert load(read_text(text, "again.toml")).changes == (), "at home nothing changes"
        transaction.set_rollback(True)
    load(read_text(text, "elsewhere.toml"))
    assert SlipBook.objects.get().printed(501) == "M-0501"
    assert sorted(CustodyItem.objects.values_list("code", "kind", "hours")) == [
        ("BOX-04", "key", 2), ("SEAL-04", "seal", None),
    ]  # fmt: skip
    assert house_text(Property.objects.get(), NOW) == text


def test_who_was_dismissed_adds_nothing_in_a_written_file(edited: Edited) -> None:
    load_casino(with_registers(edited, BOOK))
    Operator.objects.filter(username="first").update(is_active=False)
    assert 'added_by = "second"' in house_text(Property.objects.get(), NOW)


@pytest.mark.parametrize(
    ("section", "old", "new", "why"),
    [
        (BOOK, "last = 600", "last = 400", "runs from a number to a later one"),
        (BOOK, "last = 600", "last = 9_000", "1,000 slips at most"),
        (BOOK, "digits = 4", "digits = 2", "has more digits than 2"),
        (BOOK, '"M-"', '"m"', "begins with a letter"),
        (BOOK, 'added_by = "first"', 'added_by = "nobody"', "names person nobody, which this file lacks"),
        (BOOK, 'added_by = "first"\n', "", "added_by"),
        (KEY, '"drop_box"', '"attic"', "Choose one of: cabinet, controller, drop_box, hall"),
        (KEY, '"dealer"', '"porter"', "names role porter, which this file lacks"),
        (KEY, '"dealer"', '"boss"', "are two departments"),
        (KEY, "hours = 2", "hours = 99", "whole number from 1 to 72"),
        (SEAL, 'kind = "seal"', 'kind = "seal"\nhours = 2', "“hours” is no key"),
    ],
)
def test_a_wrong_line_is_refused_with_its_place_and_nothing_is_taken(
    edited: Edited, section: str, old: str, new: str, why: str
) -> None:
    assert old in section
    with pytest.raises(CasinoRefused, match=why) as refused:
        load_casino(with_registers(edited, section.replace(old, new)))
    assert "small.toml, line " in str(refused.value)
    assert not Property.objects.exists()


@pytest.mark.parametrize(("section", "old", "new"), [(BOOK, "600", "590"), (KEY, "hours = 2", "hours = 3")])
def test_a_line_of_a_register_never_changes(edited: Edited, section: str, old: str, new: str) -> None:
    load_casino(with_registers(edited, section))
    with pytest.raises(CasinoRefused, match="is on the register with other words"):
        load_casino(with_registers(edited, section.replace(old, new)))


def test_only_somebody_who_sets_up_the_house_adds_to_a_register(edited: Edited) -> None:
    with pytest.raises(CasinoRefused, match="first has no role that may “set_up”"):
        load_casino(with_registers(edited, BOOK, may='["see", "configure"]'))


def test_a_number_is_in_one_book_only(edited: Edited) -> None:
    again = BOOK.replace("BOOK-07", "BOOK-08").replace("501", "600").replace("last = 600", "last = 700")
    with pytest.raises(CasinoRefused, match=r"small\.toml, line"):
        load_casino(with_registers(edited, BOOK, again))
