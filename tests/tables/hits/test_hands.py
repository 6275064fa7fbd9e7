"""Cards of the hand: entered by revision, judged by the game, asked for before a card approves."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from jackpot.people.actions.keys import sign_key_out
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.wins.models import Signature, Win
from tables.hits.actions import hit, key
from tables.hits.actions.hand_entry import EnteredCards, enter_cards, say_seen
from tables.hits.actions.hand_override import follow_cards
from tables.hits.models.cards import RoundCards
from tests.builders import CARD_PIN, a_jackpot, a_pay_table, a_person
from tests.hands import hand_of, with_cards
from tests.tables.hits.test_hit import EXECUTIVE, SECOND, SUPERVISOR, Floor, amounts

pytestmark = pytest.mark.django_db
PIN, SECOND_PIN = "274916", "385027"
BOARD = "Ah Kh Qh As Kd"
BOTH = [(EXECUTIVE, PIN), (SUPERVISOR, CARD_PIN)]


def asked(*hits: tuple[int, str], **more: Any) -> Floor:
    """Hits that wait, without a card entered."""
    floor = Floor(**{"meter": "20000.00", "reserve": "617.25", **more})
    floor.coin_in("".join(str(seat) for seat, _ in sorted(hits)))
    for seat, hand in hits:
        floor.mark(seat, hand)
    hit.confirm(**floor.place(0), by="Test Supervisor")
    return floor


def enter(floor: Floor, board: str | None = BOARD, by: str = "Test Supervisor", **said: Any) -> dict[str, Any]:
    """`enter(floor, seat3="Jh Th")`: the cards of seats by keyword."""
    seats = {int(word.removeprefix("seat")): said.pop(word) for word in list(said) if word.startswith("seat")}
    return enter_cards(**floor.place(0), entered=EnteredCards(board, seats, **said), by=by)


def swipe(floor: Floor, number: str = EXECUTIVE, pin: str = PIN, **more: Any) -> dict[str, Any]:
    return hit.swipe(**floor.place(0), card=number, pin=pin, **more)


def proofs(answer: dict[str, Any]) -> dict[int, str]:
    return {seat["seat"]: seat["hits"][0]["proof"] for seat in answer["seats"] if seat["hits"]}


def refused(code: str, match: str | None = None) -> Any:
    return pytest.raises(Refused, match=match, check=lambda refusal: refusal.code == code)


def test_cards_that_were_judged_by_other_terms_prove_nothing_until_they_are_entered_again() -> None:
    """A round counted again may be of a newer version; nobody is paid on a verdict by another pay table."""
    floor = asked((3, "royal_first_7"))
    enter(floor, "Ah Kh As Qh Kd", seat3="Jh Th")
    row = RoundCards.objects.get()
    others = {"999999": next(iter((row.verdicts or {}).values()))}
    RoundCards.objects.create(
        table=row.table, number=row.number, revision=2, board=row.board, seats=row.seats, by="x", at=row.at,
        verdicts=others,
    )  # fmt: skip
    with refused("cards"):
        swipe(floor)
    again = enter(floor, "Ah Kh As Qh Kd", seat3="Jh Th")
    assert (again["repeat"], again["revision"], proofs(again)) == (False, 3, {3: "proven"})
    assert swipe(floor)["missing"] is None


class TestEntering:
    def test_the_verdict_names_the_line_the_five_cards_and_why(self) -> None:
        floor = asked((3, "royal_first_7"))
        answer = enter(floor, "Ah Kh As Qh Kd", seat3="Jh Th")
        [verdict] = answer["seats"][0]["hits"]
        assert (verdict["proof"], verdict["five"]) == ("proven", ["Ah", "Kh", "Qh", "Jh", "Th"])
        assert verdict["why"] == (
            "Royal flush, first 7 cards: uses Jh Th; the flop alone was not enough: 5 % (Ah Kh Qh Jh Th)."
        )
        assert (answer["missing"], answer["revision"]) == ([], 1)

    def test_the_board_serves_every_seat_and_later_cards_are_a_revision(self) -> None:
        floor = asked((3, "royal_first_5"), (6, "full_house"))
        first = enter(floor, seat3="Jh Th")
        assert proofs(first) == {3: "proven", 6: "missing"}
        second = enter(floor, None, "Test Second", seat6=["Ac", "7c"])
        assert proofs(second) == {3: "proven", 6: "proven"}
        kept = list(RoundCards.objects.values_list("revision", "board", "seats", "by"))
        assert kept == [
            (1, BOARD, {"3": "Jh Th"}, "Test Supervisor"),
            (2, BOARD, {"3": "Jh Th", "6": "Ac 7c"}, "Test Second"),
        ]

    def test_the_same_again_is_the_same_and_nothing_is_written(self) -> None:
        floor = asked((3, "royal_first_5"))
        enter(floor, seat3="Jh Th")
        again = enter(floor, "ah kh qh as kd", by="Test Second", seat3="Jh,Th")
        assert (again["repeat"], again["revision"]) == (True, 1)
        assert RoundCards.objects.count() == 1

    def test_a_royal_on_the_board_needs_no_hole_cards(self) -> None:
        floor = asked(*((seat, "royal_community") for seat in range(1, 8)))
        answer = enter(floor, "Ah Kh Qh Jh Th")
        assert set(proofs(answer).values()) == {"proven"}
        assert answer["missing"] == []

    def test_an_empty_hand_takes_the_cards_of_a_seat_back(self) -> None:
        floor = asked((3, "royal_first_5"))
        enter(floor, seat3="Jh Th")
        assert proofs(enter(floor, None, seat3="")) == {3: "missing"}

    @pytest.mark.parametrize(
        ("board", "own", "code", "words"),
        [
            (BOARD, "Ah Th", "card_twice", "The ace of hearts .Ah. is in the board and in seat 3"),
            ("Ah Ah Qh As Kd", "Jh Th", "card_twice", "twice in the board"),
            ("Ah Kh Qh As", "Jh Th", "wrong_number", "The board has 4 cards; it needs 5"),
            (BOARD, "Jh Th 9h", "wrong_number", "Seat 3 has 3 cards; it needs 2"),
            (BOARD, "1h Th", "not_a_card", "“1h” is not a card"),
        ],
    )
    def test_what_cannot_lie_on_a_felt_is_refused_and_not_kept(
        self, board: str, own: str, code: str, words: str
    ) -> None:
        floor = asked((3, "royal_first_5"))
        with refused(code, words):
            enter(floor, board, seat3=own)
        assert not RoundCards.objects.exists()

    def test_a_seat_that_the_table_has_not_is_refused(self) -> None:
        with refused("seats", "There is no seat 8; the table has seats 1 to 7"):
            enter(asked((3, "royal_first_5")), seat8="Jh Th")

    def test_cards_are_entered_while_a_hit_waits_and_stand_once_it_is_approved(self) -> None:
        floor = asked((3, "royal_first_5"))
        enter(floor, seat3="Jh Th")
        swipe(floor)
        with refused("approved", "Round 1 at UTH-01 is approved; its cards stand"):
            enter(floor, seat3="Jc Tc")

    def test_a_round_without_a_hit_takes_no_cards(self) -> None:
        floor = Floor()
        floor.coin_in("3")
        with refused("no_hit"):
            enter(floor, seat3="Jh Th")

    def test_who_looked_at_older_cards_is_told(self) -> None:
        floor = asked((3, "royal_first_5"))
        enter(floor, seat3="Jh Th")
        with refused("changed", "Round 1 at UTH-01: Test Supervisor entered cards"):
            enter(floor, by="Test Second", seat3="Jc Tc", revision=0)

    def test_nobody_changes_the_cards_under_a_signature(self) -> None:
        floor = asked((3, "royal_first_5"))
        Property.objects.update(dual_threshold=15000)
        enter(floor, seat3="Jh Th")
        assert swipe(floor)["missing"] == "a second person's card"
        with refused("signed", "Test Executive has signed"):
            enter(floor, seat3="Jc Tc")
        assert swipe(floor, SECOND, SECOND_PIN)["missing"] is None

    def test_the_database_keeps_every_revision(self) -> None:
        enter(asked((3, "royal_first_5")), seat3="Jh Th")
        for change in (lambda: RoundCards.objects.update(board=""), lambda: RoundCards.objects.all().delete()):
            with pytest.raises(DatabaseError), transaction.atomic():
                change()


class TestApproving:
    @pytest.mark.parametrize("hand", ["royal_first_5", "royal_first_7", "royal_community"])
    def test_parts_and_awards_from_the_threshold_up_need_cards(self, hand: str) -> None:
        floor = asked((3, hand))
        with refused("cards", "Seat 3 .*: its cards are not entered. Enter them on the hit's page first."):
            swipe(floor, at_table=True)
        assert not Signature.objects.exists()
        with_cards(**floor.place(0))
        assert swipe(floor)["missing"] is None
        assert Win.objects.get().cards_checked

    def test_below_it_cards_seen_is_enough_and_kept_with_the_name(self) -> None:
        floor = asked((3, "full_house"))
        with refused("cards", "nobody said “cards seen”"):
            swipe(floor, SUPERVISOR, CARD_PIN)
        say_seen(**floor.place(0), by="Test Second")
        swipe(floor, SUPERVISOR, CARD_PIN)
        win = Win.objects.get()
        assert (win.cards_checked, hand_of(win).proof, hand_of(win).by) == (
            False,
            "seen",
            "Test Second",
        )

    def test_the_card_at_the_table_itself_says_cards_seen(self) -> None:
        floor = asked((3, "full_house"))
        swipe(floor, SUPERVISOR, CARD_PIN, at_table=True)
        assert hand_of(Win.objects.get()).by == "Test Supervisor"
        assert RoundCards.objects.get().seen == {"3": "Test Supervisor"}

    def test_cards_seen_is_not_enough_for_a_part(self) -> None:
        floor = asked((3, "royal_first_5"), (6, "full_house"))
        assert say_seen(**floor.place(0), by="Test Supervisor")["missing"] == [
            "Seat 3 (Royal flush, first 5 cards): its cards are not entered. Enter them on the hit's page first."
        ]
        with refused("cards"):
            swipe(floor)

    def test_the_threshold_is_the_houses(self) -> None:
        floor = asked((3, "straight_flush"))
        Property.objects.update(cards_from_multiple=250)
        with refused("cards", "its cards are not entered"):
            swipe(floor, SUPERVISOR, CARD_PIN, at_table=True)

    @pytest.mark.parametrize("hand", ["royal_first_5", "full_house"])
    def test_a_house_that_begins_softly_asks_for_nothing(self, hand: str) -> None:
        floor = asked((3, hand))
        Property.objects.update(cards_required=False)
        assert swipe(floor)["missing"] is None
        assert hand_of(Win.objects.get()).proof == "missing"

    def test_but_cards_that_were_entered_count_there_too(self) -> None:
        floor = asked((3, "full_house"))
        Property.objects.update(cards_required=False)
        enter(floor, seat3="2c 7d")
        with refused("cards_differ"):
            swipe(floor)

    def test_a_wrong_level_is_told_before_the_cards(self) -> None:
        with refused("level"):
            swipe(asked((3, "royal_first_5")), SUPERVISOR, CARD_PIN)

    def test_j_pot_is_refused_until_the_cards_are_entered(self) -> None:
        floor = asked_by_key()
        with refused("cards"):
            key.j_pot(table_code="UTH-01")
        with_cards(**floor.place(0))
        assert key.j_pot(table_code="UTH-01")["wins"][0]["state"] == "logged"
        key.turn(table_code="UTH-01", key_number="17", position="RUN")
        assert hand_of(Win.objects.get()).proof == "proven"

    def test_a_line_that_the_game_cannot_judge_is_paid_on_cards_and_eyes(self) -> None:
        lines = [{"code": "five", "name": "Five percent", "part": "1/20"}]
        floor = asked((3, "five"), pay_table=a_pay_table(lines=lines))
        with refused("cards"):
            swipe(floor, SUPERVISOR, CARD_PIN)
        enter(floor, seat3="2c 7d")
        swipe(floor, SUPERVISOR, CARD_PIN)
        win = Win.objects.get()
        assert (win.cards_checked, hand_of(win).proof) == (False, "unjudged")

    def test_v14_with_the_cards_typed(self) -> None:
        floor = Floor(meter="19998.60", reserve="0.00", pay_table=a_pay_table(source="meter"))
        floor.coin_in("36")
        floor.mark(3, "royal_first_5")
        floor.mark(6, "full_house")
        hit.confirm(**floor.place(0), by="Test Supervisor")
        enter(floor, seat3="Jh Th", seat6="Ac 7c")
        assert amounts(swipe(floor)) == [(6, "10.00"), (3, "19990.00")]
        why = {win.seat: hand_of(win).why for win in Win.objects.all()}
        assert why[6] == "Full house, aces over kings (Ah As Ac Kh Kd), uses Ac: 10 for 1."
        assert "both hole cards and the flop make it" in why[3]


class TestHeld:
    @pytest.mark.parametrize(
        ("own", "words"),
        [("2c 7d", "but the cards win nothing: Two pair"), ("Ac 7c", "but the cards prove: Full house")],
    )
    def test_cards_that_say_something_else_than_the_mark_are_held(self, own: str, words: str) -> None:
        floor = asked((3, "royal_first_5"))
        enter(floor, seat3=own)
        with refused("cards_differ", words):
            swipe(floor)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("royal_first_5", "royal_first_5"), ("royal_first_5", "royal_first_7"), ("royal_first_7", "royal_first_7"),
            ("royal_first_7", "royal_community"), ("royal_community", "full_house"),
        ],
    )  # fmt: skip
    def test_hands_that_exclude_each_other_are_held(self, one: str, other: str) -> None:
        floor = asked((2, one), (5, other))
        with refused("impossible", "no deal of one deck holds .* at seat [25]. Enter the cards of both."):
            swipe(floor, at_table=True)

    def test_the_cards_say_which_of_two_impossible_hands_it_is(self) -> None:
        floor = asked((2, "royal_first_5"), (5, "royal_first_5"))
        answer = enter(floor, seat2="Jh Th", seat5="2c 7d")
        assert proofs(answer) == {2: "proven", 5: "no_line"}

    def test_a_card_that_really_lies_twice_is_kept_so_and_held(self) -> None:
        floor = asked((2, "royal_first_5"), (5, "full_house"))
        answer = enter(floor, seat2="Jh Th", seat5="Ah 7c", as_it_lies=True)
        assert proofs(answer) == {2: "impossible", 5: "impossible"}
        with refused("impossible", "The ace of hearts .Ah. is in the board and in seat 5"):
            swipe(floor)
        assert proofs(enter(floor, seat5="Ac 7c")) == {2: "proven", 5: "proven"}

    def test_the_mark_follows_the_cards_and_its_changer_does_not_approve_it(self) -> None:
        floor = asked((3, "four_of_a_kind"))
        enter(floor, seat3="Ac 7c")
        changer = Operator.objects.get(username="supervisor")
        assert follow_cards(**floor.place(0), by=changer)["marks"][0]["hand"] == "full_house"
        assert list(Win.objects.order_by("id").values_list("line", "state")) == [
            ("four_of_a_kind", "unmarked"), ("full_house", "asked"),
        ]  # fmt: skip
        with refused("same_person"):
            swipe(floor, SUPERVISOR, CARD_PIN)
        assert amounts(swipe(floor)) == [(3, "10.00")]

    def test_a_mark_without_a_line_is_taken_back_and_the_others_stay(self) -> None:
        floor = asked((3, "four_of_a_kind"), (6, "full_house"))
        enter(floor, seat3="2c 7d", seat6="Ac 7c")
        left = follow_cards(**floor.place(0), by="Test Supervisor")
        assert [(mark["seat"], mark["hand"]) for mark in left["marks"]] == [(6, "full_house")]
        assert amounts(swipe(floor)) == [(6, "10.00")]

    def test_each_level_of_a_table_gets_its_own_line(self) -> None:
        grand = a_jackpot(meter="20000.00")
        small = {"code": "straight_flush", "name": "Mini straight flush", "part": "1"}
        mini = a_jackpot("MINI", rate="10", reserve_rate="0", pay_table=a_pay_table(lines=[small]))
        floor = Floor(jackpots=[grand, mini])
        floor.coin_in("3")
        floor.mark(3, "full_house")
        hit.confirm(**floor.place(0), by="Test Dealer")
        enter(floor, "9h Th Jh 2c 2d", seat3="7h 8h")
        follow_cards(**floor.place(0), by="Test Supervisor")
        standing = Win.objects.filter(state="asked").values_list("jackpot__code", "line")
        assert sorted(standing) == [("GRAND", "straight_flush"), ("MINI", "straight_flush")]

    def test_nothing_to_follow_is_said(self) -> None:
        floor = asked((3, "royal_first_5"))
        enter(floor, seat3="Jh Th")
        with refused("nothing_differs"):
            follow_cards(**floor.place(0), by="Test Supervisor")


def asked_by_key() -> Floor:
    floor = Floor(meter="20000.00", reserve="617.25")
    table = floor.casino.table
    table.profile = "key"
    table.save()
    holder = a_person("holder")
    sign_key_out(premises=floor.casino.premises, number="17", operator=holder, by="tests", level=Card.Level.EXECUTIVE)
    floor.coin_in("3")
    floor.mark(3, "royal_first_7")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    return floor
