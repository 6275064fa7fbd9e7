"""What a page says of the hand: its cards and why they win, or who saw it, or who had it paid all the same."""

from __future__ import annotations

import io

import pypdf
import pytest

from accounting.paper.printing.facts import facts_of
from accounting.paper.printing.press import file_copy, preview
from accounting.paper.rules.copies import FILE_COPY, Form
from jackpot.property.models.property import Property
from jackpot.wins.models import Win
from tables.hits.actions.hand_override import override_cards
from tests.builders import CARD_PIN, a_pay_table
from tests.scenes_wins import LINES, WinFloor
from tests.tables.hits.test_hands import BOTH, SUPERVISOR, asked, enter, say_seen, swipe

pytestmark = pytest.mark.django_db


def hit_rows(win: Win) -> dict[str, str]:
    return dict(facts_of(win, FILE_COPY).plain()["groups"][0]["rows"])


def a_proven_win() -> Win:
    floor = asked((3, "royal_first_7"))
    enter(floor, "Ah Kh As Qh Kd", seat3="Jh Th")
    swipe(floor)
    return Win.objects.get()


def test_a_proven_hand_is_printed_with_its_verdict() -> None:
    rows = hit_rows(a_proven_win())
    assert rows["Cards"] == "J♥ 10♥ · board A♥ K♥ A♠ Q♥ K♦"
    assert rows["Verdict"].startswith("Royal flush, first 7 cards: uses Jh Th; the flop alone was not enough: 5 %")
    assert rows["Verdict"].endswith("Entered by Test Supervisor.")


def test_a_hand_that_was_only_seen_names_who_saw_it() -> None:
    floor = asked((3, "full_house"))
    say_seen(**floor.place(0), by="Test Second")
    swipe(floor)
    assert hit_rows(Win.objects.get())["Cards"] == "seen by Test Second, not entered"


def test_an_override_stands_on_the_page_with_its_people_and_reason() -> None:
    floor = asked((3, "royal_first_5"))
    enter(floor, seat3="2c 7d")
    override_cards(**floor.place(0), cards=BOTH, reason="mucked; camera 7")
    swipe(floor)
    win = Win.objects.get()
    assert hit_rows(win)["Override"] == "paid all the same: mucked; camera 7"
    people = facts_of(win, FILE_COPY).plain()["people"]
    assert [person["name"] for person in people if person["role"] == "Overrode the cards"] == [
        "Test Executive", "Test Supervisor",
    ]  # fmt: skip


def test_an_envied_seat_is_paid_for_the_hand_of_another() -> None:
    royal = {**LINES[0], "code": "royal_first_5", "envy": "1000.00"}
    own, envied = WinFloor(pay_table=a_pay_table(lines=[royal])).won({3: "royal_first_5"}, seats="35")
    assert hit_rows(envied)["Cards"] == hit_rows(own)["Cards"]


@pytest.mark.parametrize("form", [Form.LETTER, Form.A4])
def test_the_longest_verdict_still_leaves_one_page(form: Form) -> None:
    floor = asked((3, "royal_first_7"))
    Property.objects.update(dual_threshold=1)
    enter(floor, "Ah Kh As Qh Kd", seat3="2h Th")
    override_cards(**floor.place(0), cards=BOTH, reason="the shuffler exposed a card " * 7)
    swipe(floor)
    swipe(floor, SUPERVISOR, CARD_PIN)
    win = Win.objects.get()
    pdf = pypdf.PdfReader(io.BytesIO(file_copy(win, form)))
    assert len(pdf.pages) == 1
    assert "♥" in pdf.pages[0].extract_text()
    assert preview(win, form).startswith(b"\x89PNG")
