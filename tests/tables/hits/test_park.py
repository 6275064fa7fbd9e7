"""An executive parks an open hit: the table plays on, the hit stays open and frozen and is settled later."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from jackpot.books.models.entry import Entry
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.hits.actions import hit, key
from tables.hits.actions.park import park
from tables.hits.actions.undo import void_round
from tables.hits.models.open_case import OpenCase
from tables.hits.queries.table_state import table_states
from tables.rounds.models.round import Round
from tables.rounds.rules.round import EndRequest, PostedAnswer, Refusal
from tests.builders import CARD_PIN
from tests.hands import with_cards
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR, Floor, amounts, key_floor, ref_b

pytestmark = pytest.mark.django_db

WHY = "the player asks for the gaming commission"


def parked(floor: Floor, **changed: Any) -> dict[str, Any]:
    return park(**{**floor.place(0), "card": EXECUTIVE, "pin": "274916", "reason": WHY, **changed})


def a_marked_round() -> Floor:
    floor = ref_b(2, meter="19999.30", reserve="617.20")
    floor.coin_in("1")
    floor.mark(1, "five")
    return floor


def test_end_names_the_open_hits_with_their_seats_and_who_may_park_them() -> None:
    floor = ref_b()
    floor.coin_in("256")
    floor.mark(2, "five")
    floor.mark(6, "royal")
    refusal = floor.say(EndRequest(1))
    assert isinstance(refusal, Refusal)
    assert refusal.why == (
        "Round 1 at UTH-01 still has open: Five percent at seat 2 and Royal flush at seat 6. "
        "Settle that first, or an executive parks it."
    )


def test_the_table_plays_on_and_the_hit_is_paid_later_from_where_it_was_frozen() -> None:
    floor = a_marked_round()
    assert parked(floor) == {
        "parked": "Five percent at seat 1", "state": "ended", "next_round": 2, "repeat": False,
    }  # fmt: skip
    floor.coin_in("123")
    assert isinstance(floor.say(EndRequest(2)), PostedAnswer)
    floor.rounds[0] = 1
    with_cards(**floor.place(0))
    assert amounts(floor.card(SUPERVISOR, CARD_PIN)) == [(1, "1000.00")]  # 5 % of 20,000.00, whatever was played since
    assert floor.stands()[0] == "19002.10"
    assert Round.objects.get(number=1).open_hits == 0


def test_the_controller_is_told_what_is_parked_after_any_restart() -> None:
    floor = a_marked_round()
    parked(floor)
    told = table_states(["UTH-01"])["UTH-01"]
    assert (told["open_round"], told["next_round"]) == (None, 2)
    assert told["parked"] == [{"round": 1, "seat": 1, "name": "Five percent", "state": "asked"}]
    floor.coin_in("1")
    assert table_states(["UTH-01"])["UTH-01"]["parked"] == told["parked"]


def test_end_after_the_parking_is_answered_and_parking_again_is_harmless() -> None:
    floor = a_marked_round()
    parked(floor)
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)
    assert parked(floor)["repeat"] is True
    assert OpenCase.objects.count() == 1


def test_who_parked_and_why_stands_in_the_trail_the_books_and_the_case() -> None:
    floor = a_marked_round()
    parked(floor)
    assert Trail.objects.get(act="park").why == WHY
    assert list(Entry.objects.filter(win_id__isnull=False).values_list("kind", flat=True)) == ["mark", "ask", "park"]
    case = OpenCase.objects.get()
    assert (str(case.executive), case.reason, case.kind) == ("Test Executive", WHY, "parked")
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        OpenCase.objects.update(reason="another")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"card": SUPERVISOR, "pin": CARD_PIN}, "only by an executive; Test Supervisor has a supervisor card"),
        ({"pin": ""}, "Give its PIN"),
        ({"pin": "000000"}, "do not fit together"),
        ({"card": "123456789"}, "do not fit together"),
        ({"reason": " "}, "Say in at most 200 characters why the hit is parked"),
        ({"round_number": 9}, "There is no round 9 at UTH-01"),
    ],
)
def test_parking_is_an_executives_word_with_card_pin_and_reason(changed: dict[str, Any], words: str) -> None:
    floor = a_marked_round()
    with pytest.raises(Refused, match=words):
        parked(floor, **changed)
    assert Round.objects.get().state == "open"
    assert not OpenCase.objects.exists()


def test_a_round_without_a_hit_is_ended_and_one_that_is_over_is_a_late_claim() -> None:
    floor = ref_b()
    floor.coin_in("1")
    with pytest.raises(Refused, match=r"has no open hit\. Press END GAME"):
        parked(floor)
    floor.say(EndRequest(1))
    with pytest.raises(Refused, match="late claim"):
        parked(floor)


def test_a_parked_hit_may_be_rejected_or_fall_with_its_round() -> None:
    floor = a_marked_round()
    parked(floor)
    hit.reject(**floor.place(0), by="Test Supervisor", why="seat 1 held a pair")
    assert (floor.stands()[0], Win.objects.get().state) == ("20000.00", "rejected")
    floor.coin_in("1")
    floor.mark(1, "five")
    parked(floor)
    void_round(**floor.place(0), reason="shuffler malfunction", by="Test Supervisor")
    assert Win.objects.filter(state="fell").count() == 1
    assert floor.stands()[0] == "20000.00"


def test_key_profile_a_key_at_jph_is_turned_back_before_the_hit_is_parked() -> None:
    floor = key_floor()
    floor.coin_in("1")
    floor.mark(1, "five")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with pytest.raises(Refused, match=r"Key 17 stands at JPH at UTH-01\. Turn the key to RUN"):
        parked(floor)
    key.turn(table_code="UTH-01", key_number="17", position="RUN")
    parked(floor)
    assert Win.objects.get().state == "asked"


def test_key_profile_a_parked_hit_moves_at_the_card_though_the_key_stands_at_jph_for_another_round() -> None:
    floor = key_floor()
    floor.coin_in("1")
    floor.mark(1, "five")
    parked(floor)
    floor.coin_in("12")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    floor.rounds[0] = 1
    with_cards(**floor.place(0))
    assert [win["state"] for win in floor.card(SUPERVISOR, CARD_PIN)["wins"]] == ["owed"]
    assert key.turn(table_code="UTH-01", key_number="17", position="RUN")["wins"] == []


def test_later_hits_wait_for_a_parked_one() -> None:
    floor = a_marked_round()
    parked(floor)
    floor.coin_in("2", 1)
    floor.mark(2, "royal", 1)
    floor.confirm(1)
    with pytest.raises(Refused, match="Five percent at UTH-01 came first"):
        floor.card(table=1)


def test_a_lit_key_is_parked_only_with_its_seats() -> None:
    from tables.hits.actions.lit_keys import light

    floor = key_floor()
    floor.coin_in("1")
    light(**floor.place(0), hand="five", by="Test Dealer")
    with pytest.raises(Refused, match="which seats hold Five percent"):
        parked(floor)
