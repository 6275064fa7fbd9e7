"""Who stands on the page of a win: everybody who gave a word of any kind, with what it was."""

from __future__ import annotations

import pytest
from django.utils import timezone

from accounting.paper.printing.people import PARTS
from accounting.paper.printing.press import file_copy
from accounting.paper.rules.copies import Form
from jackpot.people.models import Card
from jackpot.wins.models import Signature
from tests.accounting.paper.test_pages import words
from tests.scenes_wins import WinFloor


def test_every_word_that_somebody_can_give_has_its_line() -> None:
    assert set(PARTS) | {Signature.Part.APPROVE} == set(Signature.Part)


@pytest.mark.django_db
@pytest.mark.parametrize(("part", "line"), [
    ("rejoin", "Put it back in the queue Test Executive"),
    ("taken_back", "Word taken back with the key Test Executive"),
    ("override", "Let it pass the queue Test Executive"),
])  # fmt: skip
def test_an_order_that_was_changed_and_a_word_that_was_taken_back_print(part: str, line: str) -> None:
    win = WinFloor().royal()
    card = Card.objects.get(operator__name="Test Executive")
    Signature.objects.create(
        win=win, operator=card.operator, card=card, level=card.level, part=part, at=timezone.now(), entry=win.mark_seq
    )
    assert line in words(file_copy(win, Form.LETTER))
