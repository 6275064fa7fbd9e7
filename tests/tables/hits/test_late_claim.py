"""A hand claimed after END: frozen at the claim, with evidence, an executive and a second person."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.books.models.entry import Entry
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.hits.actions.late_claim import claim
from tables.hits.actions.park import park
from tables.hits.actions.undo import void_round
from tables.hits.models.open_case import OpenCase
from tables.rounds.models.round import Round
from tables.rounds.rules.round import EndRequest, PostedAnswer
from tests.builders import CARD_PIN, a_card, a_jackpot, a_pay_table, a_person
from tests.hands import with_cards
from tests.scenes_adjusting import done
from tests.tables.hits.test_hit import EXECUTIVE, REF_B, SECOND, SUPERVISOR, Floor, amounts, ref_b

pytestmark = pytest.mark.django_db

DEALER_CARD = "600000000777"
TWO = [(EXECUTIVE, "274916"), (SUPERVISOR, CARD_PIN)]


def claimed(floor: Floor, **changed: Any) -> dict[str, Any]:
    told = {
        "seat": 2, "hand": "five", "reason": "the key was forgotten", "evidence": "camera 7, 02:14", "cards": TWO,
        "by": "Test Pit", **floor.place(0),
    }  # fmt: skip
    return claim(**{**told, **changed})


def an_ended_round() -> Floor:
    floor = ref_b(2, meter="19997.90", reserve="617.10")
    floor.coin_in("123")
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)
    return floor


def test_the_amount_is_frozen_at_the_claim_and_later_coin_ins_build_the_next_meter() -> None:
    floor = an_ended_round()
    floor.coin_ins(100, 1)
    told = claimed(floor)
    assert [(due["seat"], due["amount"]) for due in told["hits"]] == [(2, "1003.50")]  # 5 % of 20,070.00
    floor.coin_ins(100, 1)
    with_cards(**floor.place(0))
    assert amounts(floor.card(SECOND, "385027")) == [(2, "1003.50")]
    assert floor.stands()[0] == "19136.50"


def test_the_claim_is_an_open_hit_that_ranks_behind_those_marked_before_it() -> None:
    floor = an_ended_round()
    floor.coin_in("2", 1)
    floor.mark(2, "royal", 1)
    claimed(floor)
    assert Round.objects.get(table__code="UTH-01").open_hits == 1
    with pytest.raises(Refused, match="Royal flush at UTH-02 came first"):
        floor.card(SUPERVISOR, CARD_PIN)


def test_reason_evidence_and_people_stand_in_the_books_the_trail_and_the_case() -> None:
    floor = an_ended_round()
    claimed(floor)
    assert list(Entry.objects.filter(win_id__isnull=False).values_list("kind", flat=True)) == ["mark", "claim", "ask"]
    case = OpenCase.objects.get()
    assert (case.kind, case.evidence, str(case.executive), str(case.second)) == (
        "claimed", "camera 7, 02:14", "Test Executive", "Test Supervisor",
    )  # fmt: skip
    assert Trail.objects.get(act="late_claim").details["entered_by"] == "Test Pit"


def test_the_second_card_may_be_swiped_first() -> None:
    floor = an_ended_round()
    claimed(floor, cards=TWO[::-1])
    assert str(OpenCase.objects.get().executive) == "Test Executive"


def test_a_rejected_claim_leaves_everything_to_the_meter() -> None:
    floor = an_ended_round()
    claimed(floor)
    told = {**floor.place(0), "by": "Test Supervisor", "why": "the camera shows a pair"}
    with pytest.raises(Refused, match="An executive and a second person reject it"):
        hit.reject(**told)
    hit.reject(**told, cards=TWO)
    assert (floor.stands(), Round.objects.get().open_hits) == (("20000.00", "617.25"), 0)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"reason": ""}, "what is claimed and why so late"),
        ({"evidence": " "}, "where it can be seen"),
        ({"seat": 5}, "Seat 5 has no coin-in in round 1; seats 1, 2 and 3 took part"),
        ({"hand": "quads"}, "No jackpot of UTH-01 pays the hand “quads”"),
        ({"round_number": 7}, "There is no round 7 at UTH-01"),
        ({"cards": [TWO[0], TWO[0]]}, "an executive and a second, different person"),
        ({"cards": [TWO[1], (DEALER_CARD, CARD_PIN)]}, "an executive and a second, different person"),
        (
            {"cards": [TWO[0], (DEALER_CARD, CARD_PIN)]},
            "second person needs a supervisor card; Test Dealer has a dealer card",
        ),
        ({"cards": [(EXECUTIVE, "000000"), TWO[1]]}, "do not fit together"),
    ],
)
def test_a_claim_that_lacks_something_is_refused_and_nothing_stands(changed: dict[str, Any], words: str) -> None:
    floor = an_ended_round()
    a_card(a_person("dealer"), number=DEALER_CARD, level="dealer", pin=CARD_PIN)
    with pytest.raises(Refused, match=words):
        claimed(floor, **changed)
    assert not Win.objects.exists()
    assert not OpenCase.objects.exists()


def test_a_running_round_is_marked_at_the_table_and_a_void_one_has_no_hands() -> None:
    floor = an_ended_round()
    floor.coin_in("12")
    with pytest.raises(Refused, match=r"Round 2 at UTH-01 still runs\. Mark the hand at the table"):
        claimed(floor)
    void_round(**floor.place(0), reason="shuffler malfunction", by="Test Supervisor")
    with pytest.raises(Refused, match="Round 2 at UTH-01 is void"):
        claimed(floor)


def test_a_seat_is_awarded_once_and_a_parked_hit_is_settled_first() -> None:
    floor = an_ended_round()
    claimed(floor)
    with pytest.raises(Refused, match=r"has a hit open already\. Settle that one first"):
        claimed(floor, seat=3)
    with_cards(**floor.place(0))
    floor.card(SECOND, "385027")
    with pytest.raises(Refused, match="Seat 2 already has Five percent of GRAND"):
        claimed(floor)
    floor.coin_in("2")
    floor.mark(2, "five")
    park(**floor.place(0), card=SECOND, pin="385027", reason="looked at later")
    with pytest.raises(Refused, match="has a hit open already"):
        claimed(floor)


RETIRED = "GRAND is retired: nothing is won there any more. Pay a proven claim .* two people adjust that jackpot"


@pytest.mark.parametrize("hand", ["royal", "five"])
def test_nothing_is_claimed_on_a_retired_jackpot_and_no_seed_is_posted_onto_it(hand: str) -> None:
    floor = an_ended_round()
    done("retire", floor.casino.jackpot, reading="20000.00")
    with pytest.raises(Refused, match=RETIRED) as refused:
        claimed(floor, hand=hand)
    assert refused.value.code == "retired"
    assert not Win.objects.exists()
    assert not OpenCase.objects.exists()
    assert floor.stands() == ("20000.00", "617.25")


def test_where_the_hand_pays_on_several_jackpots_it_is_claimed_on_those_that_still_play() -> None:
    levels = [a_jackpot(code, meter="500.00", rate="10", pay_table=a_pay_table(lines=REF_B)) for code in ("A", "B")]
    floor = Floor(1, jackpots=levels)
    floor.coin_in("123")
    floor.say(EndRequest(1))
    done("retire", levels[0], reading="500.30")
    claimed(floor)
    assert [win.jackpot.code for win in Win.objects.select_related("jackpot")] == ["B"]
    assert Trail.objects.get(act="late_claim").details["retired_and_not_claimed"] == ["A"]
    done("suspend", levels[1])
    assert [win.state for win in Win.objects.all()] == ["asked"]
