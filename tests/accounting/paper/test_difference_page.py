"""The page of a later winner's difference: every form, redone by hand from what it prints, genuine by its code."""

from __future__ import annotations

from copy import deepcopy

import pytest

from accounting.paper.printing import typeset
from accounting.paper.printing.facts import facts_of
from accounting.paper.printing.press import preview
from accounting.paper.printing.seals import genuine, sealed
from accounting.paper.rules.copies import FILE_COPY, Form
from jackpot.wins.models import Win
from jackpot.wins.rules.round_ref import RoundRef
from tables.hits.queries.preview import hits_at
from tests.accounting.paper.test_pages import ORIGINAL, told, values, words
from tests.scenes_adjusting import done
from tests.scenes_owed import OwedFloor

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(around_all: None) -> OwedFloor:
    floor = OwedFloor()
    floor.v9b()
    return floor


@pytest.fixture
def floor(played: OwedFloor) -> OwedFloor:
    """As V9b leaves it: two slips out."""
    return deepcopy(played)


def of_a_difference(floor: OwedFloor, **more: object) -> Win:
    first, later = Win.objects.select_related("jackpot__premises", "version").order_by("slip")
    row = done("difference", floor.jackpot, cause=floor.back_out(first), win=later, pays=True, **more)
    return Win.objects.select_related("jackpot__premises", "version", "difference_of").get(adjustment=row)


@pytest.mark.parametrize("form", list(Form))
def test_every_form_carries_every_fact(floor: OwedFloor, form: Form) -> None:
    win = of_a_difference(floor)
    facts = facts_of(win, ORIGINAL).plain()
    printed = words(typeset.document(facts, form)).replace(" ", "")
    assert [value for value in values(facts) if value.replace(" ", "") not in printed] == []
    assert facts["heading"].upper().replace(" ", "") in printed.upper()
    assert typeset.document(facts, form) == typeset.document(facts_of(win, ORIGINAL).plain(), form)


def test_the_difference_is_redone_by_hand_from_what_the_page_prints(floor: OwedFloor) -> None:
    win = of_a_difference(floor)
    row = told(win)
    assert facts_of(win, ORIGINAL).plain()["words"] == "Four hundred sixty-nine dollars and fourteen cents"
    assert {label: row[label] for label in ("Difference of", "Basis then", "Basis now", "Pays", "Due now")} == {
        "Difference of": "slip 2", "Basis then": "$10,687.25, the meter cut to the cent",
        "Basis now": "$20,070.00, without slip 1", "Pays": "5 % of the meter", "Due now": "$1,003.50",
    }  # fmt: skip
    assert (row["Told before"], row["Difference"]) == ("$534.36", "$1,003.50 − $534.36 = $469.14")
    assert (row["Meter before"], row["Taken for this award"], row["Meter after"]) == (
        "19,535.64", "−469.14", "19,066.50",
    )  # fmt: skip


def test_its_code_is_genuine_and_that_of_no_other_slip(floor: OwedFloor) -> None:
    win = of_a_difference(floor)
    assert win.slip is not None
    assert win.amount_money is not None
    digest = sealed(win, win.amount_money).digest
    assert genuine(win.slip, digest) == win
    assert genuine(2, digest) is None


def test_a_difference_that_was_only_noted_leaves_the_winners_own_page_as_it_is(floor: OwedFloor) -> None:
    first, later = Win.objects.select_related("jackpot__premises", "version").order_by("slip")
    cause = floor.back_out(first)
    before = facts_of(later, ORIGINAL).plain()
    done("difference", floor.jackpot, cause=cause, win=later)
    assert facts_of(later, ORIGINAL).plain() == before


def test_both_deciders_stand_on_it_with_the_card_that_was_read(floor: OwedFloor) -> None:
    people = facts_of(of_a_difference(floor), FILE_COPY).plain()["people"]
    named = [(each["role"], each["name"]) for each in people if each["name"]]
    assert named[1:] == [("Difference", "Test Asker"), ("Difference", "Test Signer")]


def test_it_has_a_picture_too(floor: OwedFloor) -> None:
    assert preview(of_a_difference(floor), Form.A4).startswith(b"\x89PNG")


def test_the_pits_page_of_the_round_shows_the_hit_alone(floor: OwedFloor) -> None:
    win = of_a_difference(floor)
    assert [each.slip for each in hits_at(RoundRef(win.table_code, win.round_number))] == [2]
