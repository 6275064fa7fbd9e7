"""What the pit does with a table's hits beside approving: seats of a lit key, parking, a late claim."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, ClassVar

import pytest
from django.test import Client

from jackpot.people.models import Operator
from jackpot.wins.models import Win
from tables.floor.models.table import Profile, Table
from tables.hits.actions import hit, key, lit_keys
from tables.hits.actions.late_claim import claim
from tables.hits.models.open_case import OpenCase
from tables.rounds.models.round import Round
from tests.builders import AT_BOX, CARD_PIN, Casino, a_card, a_casino, a_person, a_property
from tests.jackpot.books.api_scene import play, signed_in
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db
SUPERVISOR, EXECUTIVE, PIN = "600000000201", "900000000301", "274916"
PIT = ("see", "run_tables", "verify", "approve")
VOIDS = ("see", "run_tables", "void")
HITS = "/pit/tables/UTH-01/hits/"
PLACE: dict[str, Any] = {"table_code": "UTH-01", "round_number": 1}


def a_round(profile: str = Profile.KEY, *, ends: bool = False, seats: str = "247") -> Casino:
    casino = a_casino()
    Table.objects.update(profile=profile)
    a_card(a_person("supervisor"), number=SUPERVISOR, level="supervisor")
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PIN)
    play(casino.controller, 1, seats, ends=ends)
    return casino


def lit(hand: str = "full_house", **more: Any) -> Casino:
    casino = a_round(**more)
    lit_keys.light(**PLACE, hand=hand, by="Test Dealer")
    return casino


def marked() -> Casino:
    casino = a_round(Profile.CARD)
    hit.mark(**PLACE, seat=2, hand="full_house", by="Test Dealer")
    return casino


def browser(*verbs: str) -> Client:
    """Somebody of the pit, or a person with these verbs only; the same person whenever asked for again."""
    username = "reader" if verbs else "pit"
    known = Operator.objects.filter(username=username).first()
    if known is None:
        return signed_in(*(verbs or PIT), username=username)
    client = Client()
    client.force_login(known)
    return client


def page(path: str = HITS, *verbs: str) -> str:
    answer = browser(*verbs).get(path)
    assert answer.status_code == 200, answer.content
    return " ".join(answer.content.decode().split())


def sent(act: str, **form: Any) -> str:
    answer = browser().post(f"{HITS}{act}/", {"form": act, **form}, follow=True)
    assert answer.status_code in (200, 400, 403, 404, 409)
    return " ".join(answer.content.decode().split())


def test_the_board_and_the_table_lead_to_the_lit_key() -> None:
    lit()
    board = page("/pit/")
    assert "say which seats hold it" in board
    assert "seats not said" in board
    assert board.count(f'href="{HITS}"') == 2
    assert "Which seats hold Full house?" in page("/pit/tables/UTH-01/")
    assert f'<a href="{HITS}">Say which seats hold the hand</a>' in page("/pit/wins/UTH-01/1/")


def test_the_seats_of_a_lit_key_are_said() -> None:
    lit()
    assert page().count("checked") == 0
    told = sent("seats", round="1", hand="full_house", seat=["2", "7"])
    assert "Seats 2, 7: marked with the rank of the lit key." in told
    assert list(Win.objects.filter(state="marked").order_by("seat").values_list("seat", flat=True)) == [2, 7]
    assert told.count("checked") == 2
    assert "The seats are said" in told


def test_a_board_hand_proposes_all_seats_with_coin_in() -> None:
    lit("royal_community")
    shown = page()
    assert shown.count("checked") == 3
    assert "every seat with coin-in is proposed" in shown


def test_a_wrong_seat_is_refused_on_the_page() -> None:
    lit()
    assert "Seat 3 has no coin-in in round 1 at UTH-01" in sent("seats", round="1", hand="full_house", seat=["3"])
    assert "Choose at least one seat" in sent("seats", round="1", hand="full_house")
    assert "Choose the round" in sent("seats", round="x", hand="full_house", seat=["2"])
    assert Win.objects.count() == 1


def test_whoever_only_reads_sees_it_and_has_no_key_to_press() -> None:
    lit()
    shown = page(HITS, "read_books")
    assert "A supervisor says the seats." in shown
    assert "<form" not in shown.split("<main")[1].split("</main")[0]


def test_a_hit_is_parked_and_settled_from_the_pit() -> None:
    marked()
    told = sent("park", round="1", card=EXECUTIVE, pin=PIN, reason="the cards are disputed")
    assert "Parked: Full house at seat 2. The table plays on with round 2." in told
    assert "Parked by Test Executive: the cards are disputed" in told
    assert Round.objects.get().state == "ended"
    win = page("/pit/wins/UTH-01/1/")
    assert "Parked by Test Executive: the cards are disputed" in win
    assert "Approval needed" in win
    board = page("/pit/")
    assert "the round is over; settle it" in board
    hit.swipe(**PLACE, card=SUPERVISOR, at_table=True, source=AT_BOX)
    assert "No open hit at UTH-01" in page()


def test_a_refused_parking_says_who_may_and_changes_nothing() -> None:
    marked()
    told = sent("park", round="1", card=SUPERVISOR, pin=CARD_PIN, reason="the cards are disputed")
    assert "A hit is parked only by an executive; Test Supervisor has a supervisor card." in told
    assert Round.objects.get().state == "open"


def test_the_hit_of_the_running_round_has_the_tile_and_the_parked_one_stays_in_the_list() -> None:
    casino = marked()
    sent("park", round="1", card=EXECUTIVE, pin=PIN, reason="the cards are disputed")
    play(casino.controller, 2, "3", ends=False)
    hit.mark(table_code="UTH-01", round_number=2, seat=3, hand="full_house", by="Test Dealer")
    board = page("/pit/")
    assert board.index('href="/pit/wins/UTH-01/1/"') < board.index('href="/pit/wins/UTH-01/2/"')
    assert "★</span> marked" in board


def test_with_the_key_at_jph_the_page_says_to_turn_it_first() -> None:
    lit()
    casino = Table.objects.get()
    casino.key_at_jph = "17"
    casino.save()
    assert "Key 17 stands at JPH. Turn it to RUN first." in page()


def a_claim(**changed: str) -> str:
    form = {
        "round": "1", "seat": "4", "hand": "full_house", "reason": "overlooked", "evidence": "camera 7, 02:14",
        "first-card": EXECUTIVE, "first-pin": PIN, "second-card": SUPERVISOR, "second-pin": CARD_PIN,
    }  # fmt: skip
    return sent("claim", **{**form, **changed})


def test_a_late_claim_is_opened_by_two_people_and_waits_for_its_approval() -> None:
    a_round(Profile.CARD, ends=True)
    assert "1 · " in page()
    told = a_claim()
    assert "The claim of seat 4 in round 1 is open and frozen. It waits for its approval." in told
    assert "Claimed late by Test Executive and Test Supervisor: overlooked" in told
    assert "(camera 7, 02:14)" in told
    assert Win.objects.get().state == "asked"
    assert Win.objects.get().marked_by == "Test Pit"


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"seat": ""}, "Choose the seat"),
        ({"seat": "5"}, "Seat 5 has no coin-in"),
        ({"evidence": ""}, "where it can be seen"),
        ({"second-card": EXECUTIVE, "second-pin": PIN}, "a second, different person"),
        ({"round": "0"}, "Choose the round"),
    ],
)
def test_a_claim_that_lacks_something_is_refused_on_the_page(changed: dict[str, str], words: str) -> None:
    a_round(Profile.CARD, ends=True)
    assert words in a_claim(**changed)
    assert not OpenCase.objects.exists()


def test_a_round_that_a_link_asks_for_is_offered_however_old() -> None:
    casino = a_round(Profile.CARD, ends=True)
    for number in range(2, 16):
        play(casino.controller, number, "2")
    assert '<option value="1"' not in page()
    assert '<option value="1" selected>' in page(f"{HITS}?round=1")


def test_another_house_finds_nothing_here() -> None:
    lit()
    assert signed_in(*PIT, premises=a_property("OTHER")).get(HITS).status_code == 404


def test_seats_said_with_the_key_at_jph_make_it_an_approval() -> None:
    casino = lit()
    from jackpot.people.actions.keys import sign_key_out

    sign_key_out(premises=casino.premises, number="17", operator=a_person("holder"), by="tests")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    sent("seats", round="1", hand="full_house", seat=["7"])
    assert "waits for a card" in page("/pit/")


def test_a_refused_claim_keeps_everything_but_cards_and_pins() -> None:
    a_round(Profile.CARD, ends=True)
    told = a_claim(seat="5", hand="royal_first_5", reason="overlooked by the dealer")
    claim = told.split('id="claim"')[1]
    assert '<p class="problem" role="alert">Seat 5 has no coin-in' in claim
    kept = ("<option selected>5</option>", 'value="royal_first_5" selected', 'value="overlooked by the dealer"',
            'value="camera 7, 02:14"')  # fmt: skip
    assert [words for words in kept if words not in claim] == []
    assert EXECUTIVE not in told
    assert PIN not in told


def test_refused_seats_stay_ticked_beside_their_refusal() -> None:
    lit()
    told = sent("seats", round="1", hand="full_house", seat=["2", "5"])
    assert 'value="2" checked' in told
    assert 'value="4"><span>' in told
    assert '<p class="problem" role="alert">' in told.split('name="form" value="seats"')[1]


def test_a_refused_parking_keeps_its_reason_beside_the_refusal() -> None:
    marked()
    told = sent("park", round="1", card=SUPERVISOR, pin=CARD_PIN, reason="a long dispute").split('id="park"')[1]
    assert 'value="a long dispute"' in told
    assert '<p class="problem" role="alert">A hit is parked only by an executive' in told


def test_a_refusal_whose_form_is_gone_is_read_at_the_top() -> None:
    a_round(Profile.CARD)
    told = sent("park", round="1", card=EXECUTIVE, pin=PIN, reason="too late")
    assert told.index('<p class="problem" role="alert">') < told.index("Open hits")


class TestVoid:
    WORDS: ClassVar[dict[str, str]] = {
        "round": "1",
        "form": "void",
        "reason": "Misdeal",
        "first-card": SUPERVISOR,
        "first-pin": CARD_PIN,
    }

    def test_a_supervisor_voids_a_round_of_today(self) -> None:
        a_round(Profile.CARD, ends=True)
        assert 'id="void-round"' in page(HITS, *VOIDS)
        answer = browser(*VOIDS).post(f"{HITS}void/", self.WORDS, follow=True)
        assert "Round 1 is void: its hands fall" in answer.content.decode()
        assert Round.objects.get().state == "void"
        assert 'id="void-round"' not in answer.content.decode(), "nothing is left to be voided"

    def test_an_older_round_takes_a_second_person_and_keeps_what_was_typed(self) -> None:
        a_round(Profile.CARD, ends=True)
        tamper_with(Round.objects.all(), gaming_day=Round.objects.get().gaming_day - timedelta(days=1))
        one = browser(*VOIDS).post(f"{HITS}void/", self.WORDS)
        told = one.content.decode()
        assert (one.status_code, "takes a second, different person" in told, 'value="Misdeal"' in told) == (
            403,
            True,
            True,
        )
        assert SUPERVISOR not in told
        two = {**self.WORDS, "second-card": EXECUTIVE, "second-pin": PIN}
        assert browser(*VOIDS).post(f"{HITS}void/", two).status_code == 302
        assert Round.objects.get().state == "void"

    def test_who_may_not_void_sees_no_form(self) -> None:
        a_round(Profile.CARD, ends=True)
        assert 'id="void-round"' not in page(HITS, "see", "verify", "approve")


def test_the_page_of_a_claim_knows_that_two_people_reject_it() -> None:
    a_round(Profile.CARD, ends=True)
    cards = [(EXECUTIVE, PIN), (SUPERVISOR, CARD_PIN)]
    words = {"seat": 2, "hand": "full_house", "reason": "forgotten", "evidence": "camera 7"}
    claim(**PLACE, **words, cards=cards, by=a_person("typist"))
    assert 'data-claimed="yes"' in page("/pit/wins/UTH-01/1/")
