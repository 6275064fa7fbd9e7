"""“Write this house as a file”: what is written makes an equal house, and loaded at home it changes nothing."""

from __future__ import annotations

import tomllib
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounting.house_file.demo import EMERALD
from accounting.house_file.loader import load, load_casino
from accounting.house_file.positions import NoPlace, Positions
from accounting.house_file.reader import read_house, read_text
from accounting.house_file.sections import Section
from accounting.house_file.spelling import toml_text
from accounting.house_file.writer import house_content, house_text
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from tests.accounting.house_file.conftest import SMALL, Edited
from tests.builders import a_property
from tests.tampering import tamper_with

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)
NAMES = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
PLAIN = st.one_of(
    NAMES, st.booleans(), st.integers(-(2**60), 2**60), st.dates(date(2000, 1, 1)), st.lists(NAMES, max_size=3)
)
INNER = st.dictionaries(NAMES, st.one_of(PLAIN, st.dictionaries(NAMES, NAMES, max_size=2)), max_size=3)
CONTENTS = st.dictionaries(
    NAMES,
    st.one_of(PLAIN, INNER, st.lists(st.one_of(INNER, st.fixed_dictionaries({"lines": st.lists(INNER, min_size=1)})),
                                     min_size=1, max_size=3)),
    max_size=4,
)  # fmt: skip


@given(CONTENTS)
def test_whatever_is_spelled_is_read_back_the_same(content: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(content)) == content


@given(CONTENTS)
def test_our_own_scanner_finds_every_key_of_it(content: dict[str, Any]) -> None:
    text = toml_text(content)
    positions = Positions(text).lines()
    assert all((key,) in positions for key in content)
    assert max(positions.values(), default=1) <= text.count("\n") + 1


def written(code: str) -> str:
    return house_text(Property.objects.get(code=code), NOW)


@pytest.mark.django_db
@pytest.mark.parametrize("path", [SMALL, EMERALD], ids=lambda path: path.stem)
def test_a_written_house_loaded_elsewhere_is_the_same_house(path: Path) -> None:
    with transaction.atomic():
        code = load_casino(path).file.premises.code
        content, text = house_content(Property.objects.get(code=code), NOW), written(code)
        assert load(read_text(text, "again.toml")).changes == (), "at home nothing changes"
        transaction.set_rollback(True)
    assert not Property.objects.exists(), "the second house is made of the file alone"
    load(read_text(text, "elsewhere.toml"))
    assert house_content(Property.objects.get(code=code), NOW) == content
    assert written(code) == text
    assert not Card.objects.exists(), "a card is not in the file: only its hash is kept"


TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12).filter(str.strip)


@st.composite
def houses(draw: st.DrawFn) -> dict[str, Any]:
    """A small house: some tables of some jackpots, under names that people might write."""
    jackpots = [
        {"code": f"J-{number}", "name": draw(TEXTS), "signed_by": ["ann", "bob"], "wager": "1.00",
         "seed": f"{draw(st.integers(1, 10**6))}.00", "rate": draw(st.sampled_from(["10", "17.33", "0.0001"])),
         "pay_table": {"code": "OWN", "lines": [{"code": "straight_flush", "name": draw(TEXTS), "part": "1/20"}]},
         **draw(st.sampled_from([{}, {"take_over": {"meter": "18641.50", "reserve": "0.01", "evidence": "photo 12"}}]))}
        for number in range(draw(st.integers(0, 2)))
    ]  # fmt: skip
    tables = [
        {"code": f"T-{number}", "game": "uth", "seats": draw(st.integers(1, 9)), "wager": "1.00",
         "profile": draw(st.sampled_from(["key", "card"])), "name": draw(TEXTS), "deck_colours": draw(st.lists(TEXTS)),
         "jackpots": [each["code"] for each in jackpots if draw(st.booleans())][:1]}
        for number in range(draw(st.integers(0, 3)))
    ]  # fmt: skip
    return {
        "format": 1, "property": {"code": "H", "name": draw(TEXTS), "address": draw(TEXTS) + "\n" + draw(TEXTS)},
        "roles": {"boss": {"name": draw(TEXTS), "may": ["see", "configure"]}},
        "people": [{"username": one, "name": draw(TEXTS), "roles": ["boss"]} for one in ("ann", "bob")],
        "jackpots": jackpots, "tables": tables,
    }  # fmt: skip


@pytest.mark.django_db
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(houses())
def test_any_small_house_written_and_loaded_elsewhere_is_the_same(content: dict[str, Any]) -> None:
    def loaded(house: dict[str, Any]) -> tuple[dict[str, Any], str]:
        """Made, written, and taken back: the next one begins in an empty database."""
        with transaction.atomic():
            load(read_house(Section("", NoPlace(), house, (), "the house")))
            premises = Property.objects.get()
            found = house_content(premises, NOW), house_text(premises, NOW)
            transaction.set_rollback(True)
        return found

    first, text = loaded(content)
    assert loaded(tomllib.loads(text)) == (first, text)


@pytest.mark.django_db
def test_who_is_dismissed_and_what_is_retired_is_not_written(edited: Edited) -> None:
    load_casino(edited())
    Operator.objects.filter(username="second").update(is_active=False)
    tamper_with(Jackpot.objects.filter(code="MINI"), state="retired")
    content = house_content(Property.objects.get(), NOW)
    assert [person["username"] for person in content["people"]] == ["first"]
    assert [jackpot["code"] for jackpot in content["jackpots"]] == ["GRAND"]
    assert [table["jackpots"] for table in content["tables"]] == [["GRAND"], ["GRAND"]]


@pytest.mark.django_db
def test_the_command_writes_a_file_and_overwrites_none(edited: Edited, tmp_path: Path) -> None:
    load_casino(edited())
    call_command("write_casino", str(tmp_path / "out.toml"), verbosity=0)
    assert read_text((tmp_path / "out.toml").read_text(), "out.toml").premises.code == "SMALL"
    with pytest.raises(CommandError, match="is there already"):
        call_command("write_casino", str(tmp_path / "out.toml"))
    with pytest.raises(CommandError, match="There are: SMALL"):
        call_command("write_casino", "--property", "OTHER")


@pytest.mark.django_db
def test_the_command_writes_no_house_that_nobody_named_among_several(edited: Edited, tmp_path: Path) -> None:
    load_casino(edited())
    a_property("OTHER")
    with pytest.raises(CommandError, match=r"Say which property with --property CODE\. There are: OTHER, SMALL\."):
        call_command("write_casino", str(tmp_path / "out.toml"))
    assert not (tmp_path / "out.toml").exists()
    call_command("write_casino", str(tmp_path / "out.toml"), "--property", "SMALL", verbosity=0)
    assert read_text((tmp_path / "out.toml").read_text(), "out.toml").premises.code == "SMALL"


def test_every_fault_of_a_file_is_told_at_once(edited: Edited) -> None:
    text = edited("seats = 6", "seats = 60").read_text().replace("seats = 7", "seats = 70")
    with pytest.raises(Exception, match="seats of table T-1") as refused:
        read_text(text, "small.toml")
    faults = getattr(refused.value, "faults", ())
    assert [fault.why.split(":")[0] for fault in faults] == [f"small.toml, line {line}" for line in lines_of(text)]


def lines_of(text: str) -> list[int]:
    return [number for number, line in enumerate(text.splitlines(), 1) if line in ("seats = 60", "seats = 70")]
