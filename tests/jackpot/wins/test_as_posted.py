"""A win whose row was changed behind the books is neither paid nor printed."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import pytest
from django.db import transaction

from accounting.paper.actions.copies import add_copy, next_stamp
from accounting.paper.models.page import Copy
from accounting.paper.rules.copies import Form
from jackpot.books.models.entry import Entry
from jackpot.refusals import Refused
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Payment, Win
from jackpot.wins.queries.as_posted import unlike_its_entry
from tests.scenes_adjusting import person
from tests.scenes_owed import OwedFloor
from tests.tampering import tamper_with

CHANGES: dict[str, tuple[Callable[[Win], dict[str, object]], str]] = {
    "lower amount": (lambda win: {"amount": 8}, r"its amount is 8.00, entry \d+ awarded 534\.36"),
    "higher amount": (lambda win: {"amount": 5000}, "its amount is 5000.00, entry"),
    "another seat": (lambda win: {"seat": 5}, "its seat, hand, number, slip or amount is not what was approved"),
    "another hand": (lambda win: {"line": "royal"}, "is not what was approved"),
    "another slip": (lambda win: {"slip": 71}, "is not what was approved"),
    "another entry": (lambda win: {"award_seq": 3}, "entry 3 is not its award"),
    "no amount": (lambda win: {"amount": None}, "it has no amount"),
}


@pytest.fixture(scope="module")
def five(around_all: None) -> Win:
    return OwedFloor().v9b()[1]


@pytest.fixture
def owed(five: Win, db: None) -> Win:
    return deepcopy(five)


def test_what_the_books_say_is_paid_and_printed(owed: Win) -> None:
    assert unlike_its_entry(owed) == ""
    assert redeem(slip=owed.slip or 0, payer=person("cage")).state == "paid"


@pytest.mark.parametrize(("change", "why"), CHANGES.values(), ids=CHANGES)
def test_what_was_changed_behind_them_is_not(owed: Win, change: Callable[[Win], dict[str, object]], why: str) -> None:
    stamp = next_stamp(win=owed, by=person("cage"), reason="")
    tamper_with(Win.objects.filter(pk=owed.pk), **change(owed))
    owed.refresh_from_db()
    entries = Entry.objects.count()
    with pytest.raises(Refused, match=why) as refused, transaction.atomic():
        redeem(slip=owed.slip or 0, payer=person("cage"))
    assert refused.value.code == "unlike_entry"
    with pytest.raises(Refused, match=why), transaction.atomic():
        add_copy(win=owed, stamp=stamp, form=Form.LETTER, by=person("cage"), reason="", content=b"page")
    assert (Payment.objects.count(), Copy.objects.count(), Entry.objects.count()) == (0, 0, entries)
