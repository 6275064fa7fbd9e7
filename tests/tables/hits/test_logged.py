"""What the card logs stays logged: what was undone free before it has its slip now."""

from __future__ import annotations

import pytest

from jackpot.books.models.entry import Entry
from jackpot.refusals import Refused
from jackpot.wins.models import Win
from tables.hits.actions import hit, lit_keys
from tests.tables.hits.test_hit import ref_b

pytestmark = pytest.mark.django_db


def test_from_the_card_on_the_win_is_logged_and_neither_key_nor_reject_takes_it_back() -> None:
    """002:404: what was undone free until then has its slip now; a back-out is another act."""
    floor = ref_b()
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    assert (Win.objects.get().slip, Win.objects.get().logged_at) == (None, None)
    floor.card()
    logged = Win.objects.get()
    assert (logged.slip, logged.state) == (1, "owed")
    assert logged.logged_at is not None
    written = Entry.objects.count()
    with pytest.raises(Refused, match=r"Royal.* at seat 1 is logged as slip 1: no key takes it back"):
        hit.unmark(**floor.place(0), seat=1, hand="royal", by="Test Dealer")
    with pytest.raises(Refused, match="is logged as slip 1"):
        lit_keys.put_out(**floor.place(0), hand="royal", by="Test Dealer")
    assert hit.unmark(**floor.place(0), seat=1, hand="full_house", by="Test Dealer")["repeat"], "that was never lit"
    for taking_back in (
        lambda: floor.mark(1, "royal"),
        lambda: hit.reject(**floor.place(0), by="Test Supervisor", why="wrong hand"),
    ):
        with pytest.raises(Refused):
            taking_back()
    assert (Entry.objects.count(), Win.objects.get().state) == (written, "owed")
