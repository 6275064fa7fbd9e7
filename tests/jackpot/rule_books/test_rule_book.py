"""A rule book is data: read strictly, compared switch by switch."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from jackpot.property.rules.authority_change import SETTINGS
from jackpot.property.rules.notice import NoticeAbout, NoticeRule
from jackpot.rule_books.queries import SHIPPED, rule_books
from jackpot.rule_books.rules.comparing import NOTHING, HouseSwitches, beside
from jackpot.rule_books.rules.rule_book import (
    PROPERTY_SWITCHES,
    UNCLAIMED_KEYS,
    RuleBook,
    RuleBookRefused,
    read_rule_book,
)
from jackpot.terms.rules.policy import CHOICES, Policy

OWN = """
code = "OWN"
name = "A commission of one's own"
about = "Read from its text."

[property]
evidence_files = { value = true, source = "§ 12", why = "Evidence is kept." }
surveillance = { value = ["camera_time"], source = "§ 13", why = "The camera is looked at." }

[authority]
dual_threshold = { value = "10000.00", source = "§ 20 (1)", why = "Two people above it." }

[policy]
order = { value = "clockwise", source = "§ 30", why = "Clockwise." }

[unclaimed]
lapse_after = { value = 90, source = "§ 44", why = "Ninety days." }

[[notices]]
about = "retire"
to = "the commission"
owner = "accountant"
within_hours = 48
source = "§ 50"
why = "It is told."

[[says]]
source = "§ 60"
why = "The hall has an emergency exit."
"""


def own(old: str = "", new: str = "") -> RuleBook:
    assert old in OWN
    return read_rule_book(OWN.replace(old, new, 1) if old else OWN, "own.toml")


def standing(**changed: object) -> HouseSwitches:
    facts = {
        "property": {name: (() if kind is list else False) for name, (kind, _) in PROPERTY_SWITCHES.items()},
        "authority": {"dual_threshold": None},
        "policies": {"GRAND": Policy().switches(), "MINI": Policy(order="clockwise").switches()},
        "unclaimed": None,
        "notices": (),
    }
    return HouseSwitches(**{**facts, **changed})  # type: ignore[arg-type]


def test_every_shipped_rule_book_is_read_and_says_where_each_switch_is_written() -> None:
    files = sorted(path.stem.upper() for path in SHIPPED.glob("*.toml"))
    books = rule_books().books
    assert sorted(books) == files
    assert {"NONE", "WA", "MD", "NJ", "NY", "NZ", "CA"} <= set(books)
    assert all(book.switches and each.source and each.why for book in books.values() for each in book.switches)


def test_the_usual_values_name_every_switch_there_is() -> None:
    """So that a switch added later is not forgotten here, and with it every other rule book is thought of."""
    usual = rule_books().books["NONE"]
    assert set(usual.values("property")) == set(PROPERTY_SWITCHES)
    assert set(usual.values("authority")) == set(SETTINGS)
    assert usual.values("policy") == {switch: values[0] for switch, values in CHOICES.items()}
    assert set(usual.values("unclaimed")) == set(UNCLAIMED_KEYS)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[policy]", "[polcy]", "“polcy” is no key of the rule book"),
        ('value = "clockwise"', 'value = "widdershins"', "cannot be “widdershins”. Choose one of: counter_clockwise"),
        ("order = {", "ordre = {", "“ordre” is not a switch"),
        ('source = "§ 30", ', "", "source of policy.order must be a text"),
        ("evidence_files = { value = true", 'evidence_files = { value = "yes"', "must be true or false"),
        ("evidence_files", "evidence", "“evidence” is no switch of a property"),
        ('"10000.00"', '"many"', "authority.dual_threshold"),
        ("value = 90", "value = 0", "unclaimed.lapse_after must be a whole number from 1"),
        ("within_hours = 48", "within_hours = true", "within_hours of the notice of retire must be a whole number"),
        ('about = "retire"', 'about = "weather"', "“weather” is nothing that is told"),
        (
            'about = "retire"',
            'about = "retire"\nfrom_amount = "50.01"',
            "from_amount of the notice of retire: only adjust",
        ),
        ('about = "retire"', 'about = "adjust"\nfrom_amount = "much"', "from_amount of the notice of adjust: "),
        ('about = "retire"', 'about = "adjust"\nfrom_amount = "0"', "must be above 0"),
        ('code = "OWN"', 'code = "own book"', "“own book” is no code"),
        ('name = "A', 'name = A"', "is not TOML"),
        ('why = "The hall', 'kept = ""\nwhy = "The hall', "kept of a sentence of [[says]] must be a text"),
        ('value = ["camera_time"]', "value = [1]", "must be a list of texts"),
    ],
)
def test_what_is_no_rule_book_is_refused_whole_by_file_and_key(old: str, new: str, why: str) -> None:
    with pytest.raises(RuleBookRefused, match=r"own\.toml") as refused:
        own(old, new)
    assert why in str(refused.value)


def test_a_house_is_compared_switch_by_switch_and_jackpot_by_jackpot() -> None:
    lines = beside(own(), standing())
    told = {(line.key, line.where): (line.asked, line.stands, line.agrees) for line in lines}
    assert told == {
        ("evidence_files", ""): ("yes", "no", False),
        ("surveillance", ""): ("camera time", "nothing", False),
        ("dual_threshold", ""): ("10,000.00", "never", False),
        ("order", "GRAND"): ("clockwise", "counter-clockwise", False),
        ("order", "MINI"): ("clockwise", "clockwise", True),
        ("lapse_after", ""): ("90", "no rule", False),
        ("retire", ""): ("the commission within 48 h", NOTHING, False),
    }


def test_a_notice_that_is_given_sooner_is_as_asked_and_one_given_later_is_not() -> None:
    def agrees(hours: int) -> bool:
        rule = NoticeRule(date(2026, 1, 1), NoticeAbout.RETIRE, "the commission", "accountant", hours)
        return beside(own(), standing(notices=(rule,)))[-1].agrees

    assert [agrees(hours) for hours in (1, 48, 49)] == [True, True, False]


def test_whoever_reads_another_rule_book_puts_its_file_into_the_data_place(settings: Any, tmp_path: Path) -> None:
    folder = tmp_path / "rule_books"
    folder.mkdir()
    settings.DATA_DIR = tmp_path
    (folder / "own.toml").write_text(OWN)
    (folder / "taken.toml").write_text(OWN.replace('"OWN"', '"WA"'))
    (folder / "broken.toml").write_text("code = ")
    shelf = rule_books()
    assert shelf.books["OWN"].values("policy") == {"order": "clockwise"}
    assert shelf.books["WA"].name.startswith("Washington"), "a shipped one keeps its code"
    assert [fault.split()[0] for fault in shelf.faults] == ["broken.toml", "taken.toml:"]
