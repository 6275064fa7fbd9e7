"""load_casino: the same file twice, a changed file, a dry run, and what a file cannot change."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounting.house_file.loader import load_casino
from accounting.house_file.sections import CasinoRefused
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.people.actions.presence import card_numbered, pin_fits
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tests import builders
from tests.accounting.house_file.conftest import SMALL, Edited
from tests.scenes_configure import approved

pytestmark = pytest.mark.django_db


def lines_of(path: Path, *, dry_run: bool = False) -> list[str]:
    return [str(change) for change in load_casino(path, dry_run=dry_run).changes]


def everything() -> list[Any]:
    kinds: list[Any] = [Property, Operator, Jackpot, Entry, Table, Device, Trail]
    return [list(kind.objects.order_by("pk").values()) for kind in kinds]


def test_a_second_load_changes_nothing_not_even_the_trail():
    load_casino(SMALL)
    before = everything()
    assert lines_of(SMALL) == []
    assert everything() == before


def test_a_dry_run_shows_every_line_and_changes_nothing():
    shown = lines_of(SMALL, dry_run=True)
    assert not Property.objects.exists()
    assert lines_of(SMALL) == shown
    assert "+ jackpot MINI: taken over at meter 180.25, reserve 3.50" in shown


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"06:00"', '"07:30"', "~ property SMALL: day roll 06:00 → 07:30"),
        ('may = ["see", "deal"]', 'may = ["see"]', "~ role dealer: may deal, see → see"),
        ('"First Boss"', '"Head Boss"', "~ person first: name “First Boss” → “Head Boss”"),
        ('name = "Grand"', 'name = "Grande"', "~ jackpot GRAND: name “Grand” → “Grande”"),
        ("seats = 6", "seats = 7", "~ table T-1: seats 6 → 7"),
        ('["GRAND", "MINI"]', '["GRAND"]', "~ table T-1: jackpots GRAND, MINI → GRAND"),
        (
            'day_roll = "06:00"',
            'day_roll = "06:00"\nraise_limit_at_once = true',
            "~ property SMALL: raise limit at once no → yes",
        ),
        ('digits"\ndigits = 8', 'digits"\ndigits = 9', "~ sign WALL: digits 8 → 9"),
        ('meters = ["GRAND", "MINI"]', 'meters = ["MINI"]', "~ sign WALL: meters GRAND, MINI → MINI"),
        ('table = "T-1"', 'table = "T-2"', "~ device T-1-C: table “T-1” → “T-2”"),
    ],
)
def test_one_changed_key_is_one_line(edited: Edited, old: str, new: str, line: str):
    load_casino(SMALL)
    assert lines_of(edited(old, new)) == [line]
    assert lines_of(edited()) != []
    assert lines_of(edited()) == []


def test_a_reading_of_the_old_system_is_entry_one():
    load_casino(SMALL)
    mini = Jackpot.objects.get(code="MINI")
    first = Entry.objects.get(jackpot=mini)
    assert (first.seq, first.kind) == (1, "take_over")
    assert (mini.meter_money, Money.of(str(mini.reserve))) == (Money.of("180.25"), Money.of("3.50"))
    signed = Trail.objects.get(act="take_over", subject="MINI")
    assert (signed.actor, signed.details["approved_by"]) == ("first", "second")
    assert signed.details["reading"]["evidence"] == "photo 12"


def test_a_seed_is_posted_from_the_house():
    load_casino(SMALL)
    first = Entry.objects.get(jackpot__code="GRAND")
    assert (first.kind, first.movement.meter, first.movement.house) == ("opening", 10**12, -(10**12))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('rate = "70"', 'rate = "60"', "rate “70” → “60” would change the terms of GRAND"),
        ('"50000.00"', '"60000.00"', "limit “50000.00” → “60000.00” would change the terms"),
        ('fixed_from = "meter"', 'fixed_from = "tray"', "pay table “as of"),
        ("[jackpots.policy]\noverflow = \"next_meter\"", "[jackpots.policy]\noverflow = \"revenue\"", "policy “as of"),
        ('meter = "180.25"', 'meter = "190.25"', "MINI was opened by entry 1"),
        ('meter = "180.25"', 'house_seed = "100.00"\nmeter = "180.25"', "which stays. Write that opening here"),
        ('time_zone', 'demo = true\ntime_zone', "Start with a data folder of its own"),
    ],
)  # fmt: skip
def test_what_a_file_cannot_change_is_refused_with_the_cure(edited: Edited, old: str, new: str, why: str):
    load_casino(SMALL)
    before = everything()
    with pytest.raises(CasinoRefused, match=re.escape(why)):
        load_casino(edited(old, new))
    assert everything() == before


def test_terms_are_refused_naming_the_cure_and_the_line(edited: Edited):
    load_casino(SMALL)
    with pytest.raises(CasinoRefused, match="Ask for them under /office/config/") as refusal:
        load_casino(edited('rate = "70"', 'rate = "60"'))
    assert refusal.value.line == 35


def test_a_file_may_already_hold_the_terms_that_wait_for_the_reset(edited: Edited):
    load_casino(SMALL)
    ahead = edited('rate = "70"', 'rate = "60"')
    approved(Jackpot.objects.get(code="GRAND"), rate="60")
    assert load_casino(ahead).changes == ()
    assert load_casino(SMALL).changes == ()


def test_a_dry_meter_that_begins_anew_is_read_with_what_repays_it(edited: Edited):
    path = edited('overflow = "next_meter"', 'dry_meter = "restart"\nrow = "never_less"')
    path.write_text(path.read_text().replace('limit = "50000.00"', 'repay_rate = "25"', 1))
    load_casino(path)
    terms = Jackpot.objects.get(code="GRAND").version.value
    assert (terms.policy.dry_meter, terms.policy.row, terms.repay_rate) == ("restart", "never_less", 250_000)


def test_a_refusal_at_the_end_takes_back_what_came_before(edited: Edited):
    load_casino(SMALL)
    before = everything()
    path = edited('name = "First Boss"', 'name = "Head Boss"')
    path.write_text(path.read_text().replace("digits = 8", "digits = 5"))
    with pytest.raises(CasinoRefused, match="Sign WALL shows 5 digits"):
        load_casino(path)
    assert everything() == before


def test_a_running_round_keeps_its_table_as_it_is(edited: Edited, open_round: Callable[[str], None]):
    load_casino(SMALL)
    open_round("T-1")
    with pytest.raises(CasinoRefused, match=r"Round 1 at T-1 is still open\. Press END GAME first"):
        load_casino(edited("seats = 6", "seats = 7"))


def test_a_card_is_never_passed_on(edited: Edited):
    load_casino(SMALL)
    path = edited("cards = []", 'cards = [{ number = "700000001111", level = "executive" }]')
    path.write_text(path.read_text().replace('cards = [{ number = "700000001111", level = "executive", pin', "#", 1))
    with pytest.raises(CasinoRefused, match="Card •••• 1111 belongs to first"):
        load_casino(path)


def test_a_second_load_leaves_what_people_chose_since(edited: Edited):
    load_casino(SMALL)
    card = card_numbered("700000001111")
    assert card is not None
    load_casino(edited('pin = "1234"', 'pin = "9999"'))
    card.refresh_from_db()
    assert pin_fits(card, "1234")


def test_what_a_controller_said_of_itself_is_no_difference():
    load_casino(SMALL)
    Device.objects.filter(code="T-1-C").update(version="2.0.1", last_seen_at="2026-01-01T00:00:00Z")
    assert lines_of(SMALL) == []


def test_a_real_casino_is_never_loaded_into_a_demo():
    builders.a_property(demo=True)
    with pytest.raises(CasinoRefused, match="holds a demo casino and the file is none"):
        load_casino(SMALL)


def test_the_command_ends_with_a_sentence(edited: Edited):
    said = StringIO()
    call_command("load_casino", str(SMALL), "--dry-run", stdout=said)
    assert said.getvalue().splitlines()[-1] == "13 changes would be made. Nothing was changed."
    call_command("load_casino", str(SMALL), stdout=said, verbosity=0)
    assert said.getvalue().splitlines()[-1] == "13 changes made."
    call_command("load_casino", str(SMALL), stdout=said)
    assert said.getvalue().splitlines()[-1].startswith("Nothing to change")
    with pytest.raises(CommandError, match=r"line 35: .*\nThe file was refused whole; nothing was changed"):
        call_command("load_casino", str(edited('rate = "70"', 'rate = "x"')))


def test_a_jackpot_that_loses_money_is_opened_only_where_an_executive_takes_it(edited: Edited):
    losing = str(edited('seed = "100.00"', 'seed = "90000.00"'))
    said = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("load_casino", losing, stdout=said)
    assert str(refused.value).startswith("MINI: The house edge is −")
    assert "name the executive who takes it: --signed-by NAME." in str(refused.value)
    assert not Jackpot.objects.exists(), "nothing was opened"
    with pytest.raises(CommandError, match="at most 40 letters"):
        call_command("load_casino", losing, signed_by="x" * 41)
    call_command("load_casino", losing, stdout=said, signed_by="First Boss")
    lines = said.getvalue().splitlines()
    assert any(line.startswith("! refused: MINI: The house edge is") for line in lines)
    assert any(line.startswith("! warning: GRAND: The board can bring the largest fixed award") for line in lines)
    assert Jackpot.objects.count() == 2
    assert Trail.objects.filter(actor="load_casino, signed by First Boss").exists()
    call_command("load_casino", losing, stdout=said)
    assert said.getvalue().splitlines()[-1].startswith("Nothing to change"), "it stands already"


def test_without_the_laboratory_only_what_the_terms_show_is_said(edited: Edited):
    said = StringIO()
    call_command("load_casino", str(edited('seed = "100.00"', 'seed = "90000.00"')), stdout=said, laboratory=False)
    assert "The house edge" not in said.getvalue()
    assert "! warning: GRAND: The board can bring" in said.getvalue()


def test_a_preset_seed_of_a_jackpot_is_read_and_told(edited: Edited):
    path = edited('seed = "10000.00"', 'seed = "10000.00"\npreset_seed = "12000.00"')
    (finding,) = [each for each in load_casino(path).findings if each["code"] == "seed_not_preset"]
    assert finding["why"].startswith("GRAND: The seed of 10000.00 is below the 12000.00")
    assert load_casino(path).changes == ()
