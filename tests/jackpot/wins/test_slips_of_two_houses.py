"""Every house numbers its own slips; a number alone is the slip of the house that asks."""

from __future__ import annotations

from typing import Any

import pytest

from accounting.paper.printing.facts import facts_of
from accounting.paper.printing.seals import genuine
from accounting.paper.rules.copies import FILE_COPY
from jackpot.refusals import Refused
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tests.builders import a_card, a_casino, a_jackpot, a_person, a_property, a_table
from tests.hands import with_cards
from tests.jackpot.books.api_scene import play

pytestmark = pytest.mark.django_db

HERE, THERE, PIN = "600000000001", "600000000002", "274916"


def won(table: Any, controller: Any, card: str) -> Win:
    place = {"table_code": table.code, "round_number": 1}
    play(controller, 1, "2", ends=False)
    hit.mark(**place, seat=2, hand="full_house", by="Test Dealer")
    hit.confirm(**place, by="Test Dealer")
    with_cards(**place)
    hit.swipe(**place, card=card, pin=PIN)
    return Win.objects.select_related("jackpot__premises", "version").get(table_code=table.code)


def two_houses() -> tuple[Win, Win]:
    """Slip 1 of the reference house, and slip 1 of another on the same server."""
    from tests.builders import a_controller

    here = a_casino()
    other = a_property("OTHER", name="Other House")
    table = a_table("X-01", a_jackpot("XGRAND", premises=other), premises=other)
    a_card(a_person("boss"), number=HERE, pin=PIN)
    a_card(a_person("other-boss", premises=other), number=THERE, pin=PIN)
    return won(here.table, here.controller, HERE), won(table, a_controller(table), THERE)


def test_the_first_slip_of_each_house_is_slip_1() -> None:
    first, second = two_houses()
    assert (first.slip, second.slip, first.premises != second.premises) == (1, 1, True)


def test_a_cage_pays_the_slip_of_its_own_house() -> None:
    first, second = two_houses()
    paid = redeem(slip=1, payer=a_person("other-cage", premises=second.premises), place="Window 2")
    first.refresh_from_db()
    assert (paid.pk, first.state) == (second.pk, "owed")
    with pytest.raises(Refused, match=r"Slip 1 was paid on .* at Window 2 by Test Other-Cage"):
        redeem(slip=1, payer=a_person("late", premises=second.premises))
    assert redeem(slip=1, payer=a_person("cage")).pk == first.pk
    with pytest.raises(Refused, match="at Reference Card Room by Test Cage"):
        redeem(slip=1, payer=a_person("later"))


def test_who_belongs_to_no_house_says_which_one_pays() -> None:
    first, _ = two_houses()
    anybody = a_person("inspector")
    anybody.premises = None
    anybody.save()
    with pytest.raises(Refused, match="in more than one house"):
        redeem(slip=1, payer=anybody)
    assert redeem(slip=1, payer=anybody, premises=first.premises).pk == first.pk


def test_the_digest_on_a_page_finds_its_own_house() -> None:
    for win in two_houses():
        assert genuine(1, facts_of(win, FILE_COPY).sealed.digest) == win
    assert genuine(1, "0" * 32) is None
    assert genuine(7, "0" * 32) is None
