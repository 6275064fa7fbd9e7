"""A wrong casino file is refused whole, with the line and a sentence that names the cure."""

from __future__ import annotations

import re

import pytest

from accounting.house_file.loader import load_casino
from accounting.house_file.sections import CasinoRefused
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.models import Role
from jackpot.property.models.property import Property
from tests.accounting.house_file.conftest import SMALL, Edited

WRONG = [
    ("syntax", 'name = "Small', 'name = "Small" x', 5, "this is not TOML"),
    ("format", "format = 1", "format = 2", 1, "format of the file must be a whole number from 1 to 1"),
    ("unknown key", 'time_zone = "A', 'timezone = "A', 6, "“timezone” is no key of the property"),
    ("missing key", 'name = "Grand"\n', "", 29, "jackpot GRAND has no name"),
    ("time zone", "America/Los_Angeles", "America/Nowhere", 6, "“America/Nowhere” is no time zone"),
    ("day roll", '"06:00"', '"25:00"', 7, "Write a time like 06:00"),
    ("verb", '"see", "deal"', '"see", "dela"', 15, "“dela” is no verb of a role"),
    ("role", 'roles = ["boss"]', 'roles = ["bos"]', 20, "first names role bos, which this file lacks (boss, dealer)"),
    ("password", 'name = "First Boss"', 'name = "First Boss"\npassword = "x"', 20, "this is no demo"),
    ("card level", '"executive"', '"owner"', 21, "is “owner”. Choose one of: dealer, supervisor, executive"),
    ("pin", '"1234"', '"12ab"', 21, "A PIN is 4 to 8 digits"),
    ("card number", '"700000001111"', '"7000-1111"', 21, "8 to 24 letters and digits"),
    ("signed once", '["first", "second"]', '["first", "first"]', 32, "must name two different people"),
    ("signed by none", '["first", "second"]', '["first", "third"]', 32, "names person third"),
    ("float", 'wager = "1.00"', "wager = 1.00", 33, 'must stand in quotes, such as wager = "1.00"'),
    ("amount", '"10000.00"', '"10,000"', 34, "“10,000” is not an amount"),
    ("rate", 'rate = "70"', 'rate = "170"', 35, "more than 100 % together"),
    ("rate digits", 'rate = "70"', 'rate = "70.12345"', 35, "more than four decimals of a percent"),
    ("limit", '"50000.00"', '"9000.00"', 37, "The limit 9000.00 is not above the seed 10000.00"),
    ("pay table", '"PT01"', '"PT99"', 38, "has no progressive table PT99"),
    ("fixed from", 'fixed_from = "meter"', 'fixed_from = "house"', 38, "Choose one of: tray, meter"),
    ("switch", 'overflow = "next_meter"', 'overflow = "nowhere"', 41, "cannot be “nowhere”"),
    ("dry meter", 'overflow = "next_meter"', 'dry_meter = "restart"', 29, "repays the house advance (“repay_rate”)"),
    ("repay rate", 'limit = "50000.00"', 'repay_rate = "half"', 37, "“half” is not a percentage"),
    ("unknown switch", "overflow =", "overflo =", 41, "“overflo” is not a switch"),
    ("reading", '"180.25"', '"-1.00"', 52, "No reading can be below zero"),
    ("evidence", 'evidence = "photo 12"\n', "", 51, "has no evidence"),
    ("line", 'part = "1"', 'part = "2"', 58, "up to 100 %"),
    ("code", '"T-1"', '"t-1"', 63, "“t-1” is no code"),
    ("code twice", 'code = "T-2"', 'code = "T-1"', 70, "“T-1” stands here already, in line 62"),
    ("game", '"T-1"\ngame = "uth"', '"T-1"\ngame = "whist"', 64, "Choose one of: uth"),
    ("seats", "seats = 6", "seats = 10", 65, "seats of table T-1 must be a whole number from 1 to 9"),
    ("profile", '"key"', '"keys"', 67, "is “keys”. Choose one of: key, card"),
    ("jackpot", '["GRAND", "MINI"]', '["GRANDE"]', 68, "T-1 names jackpot GRANDE, which this file lacks"),
    ("linked twice", '["GRAND", "MINI"]', '["GRAND", "GRAND"]', 68, "names GRAND twice"),
    ("wager", 'seats = 6\nwager = "1.00"', 'seats = 6\nwager = "5.00"', 68, "counts wagers of 1.00"),
    ("rates", 'rate = "10"', 'rate = "26"', 68, "one wager would give 101 %"),
    (
        "fixed twice", '{ code = "straight_flush", name = "Straight flush", part = "1" }',
        '{ code = "straight_flush", name = "Straight flush", for_one = 5 }', 68, "on one level of a wager only",
    ),
    ("digits", "digits = 8", "digits = 6", 81, "Sign WALL shows 6 digits, but the limit of GRAND, 50000.00, needs 7"),
    ("no meter", 'meters = ["GRAND", "MINI"]', "meters = []", 82, "shows no meter"),
    ("device place", 'table = "T-1"', 'table = "T-7"', 87, "T-1-C names table T-7, which this file lacks"),
    ("device kind", 'controller"\ntable = "T-1"', 'controller"\nsign = "WALL"', 84, "belongs to one table"),
]  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(("old", "new", "line", "why"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_a_wrong_file_is_refused_whole_with_line_and_reason(edited: Edited, old: str, new: str, line: int, why: str):
    with pytest.raises(CasinoRefused, match=re.escape(why)) as refusal:
        load_casino(edited(old, new))
    assert (refusal.value.line, str(refusal.value)[:17]) == (line, f"small.toml, line {line}"[:17])
    assert [kind.objects.count() for kind in (Property, Role, Jackpot)] == [0, 0, 0]


def test_a_file_that_is_not_there_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(CasinoRefused, match="cannot be read"):
        load_casino(tmp_path / "none.toml")


@pytest.mark.django_db
def test_the_small_file_itself_is_right():
    assert load_casino(SMALL).changes
