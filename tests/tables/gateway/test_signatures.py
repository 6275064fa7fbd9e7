"""Who signs what, at the device's door: people are compared by key, and a round is taken back as a win is approved."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from jackpot.books.models.entry import Entry
from jackpot.people.actions.people import alter_person
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from jackpot.wins.models import Signature, Win
from tables.floor.models.table import Profile
from tables.hits.actions.late_claim import claim
from tables.rounds.models.round import Round
from tests.builders import CARD_PIN, a_card, a_person
from tests.tables.gateway.test_refusals import DEALER, EXECUTIVE, PIN, SUPERVISOR, Box, stands
from tests.tampering import tamper_with

OTHER, SECOND = "600000000002", "900000000002"


@pytest.fixture
def box(indoors: Any) -> Box:
    made = Box(indoors)
    a_card(a_person("other"), number=OTHER)
    a_card(a_person("second"), number=SECOND, level="executive", pin=PIN)
    return made


def renamed(username: str, name: str) -> Operator:
    person = Operator.objects.get(username=username)
    alter_person(operator=person, name=name, roles=[], by="tests")
    return person


def badges_in(box: Box, number: str) -> None:
    box.told("dealer", badge=number, **{"in": True})


def card(box: Box, number: str, pin: str = "", **words: Any) -> str:
    """What a card brought: its refusal's code, or the sum."""
    answer = box.say("card", round=1, card=number, pin=pin, **words)
    return str(answer["total"] if answer["ok"] else answer["code"])


class TestPeopleAreKeys:
    def test_a_person_renamed_between_mark_and_card_is_still_refused(self, box: Box) -> None:
        badges_in(box, SUPERVISOR)
        box.asks()
        renamed("supervisor", "Renamed Person")
        before = stands()
        assert card(box, SUPERVISOR) == "same_person"
        assert stands() == before
        assert (Win.objects.get().marked_by, card(box, OTHER)) == ("Test Supervisor", "10.00")

    def test_who_takes_the_markers_name_is_not_the_marker(self, box: Box) -> None:
        badges_in(box, SUPERVISOR)
        box.asks()
        renamed("other", "Test Supervisor")
        assert [card(box, SUPERVISOR), card(box, OTHER)] == ["same_person", "10.00"]

    def test_a_namesake_from_the_beginning_is_another_person(self, box: Box) -> None:
        for person in ("supervisor", "other"):
            renamed(person, "Sam Smith")
        badges_in(box, OTHER)
        box.asks()
        assert [card(box, OTHER), card(box, SUPERVISOR)] == ["same_person", "10.00"]

    def test_two_namesakes_are_two_people_and_one_renamed_is_one(self, box: Box) -> None:
        Property.objects.update(dual_threshold=5)
        for person in ("supervisor", "other"):
            renamed(person, "Sam Smith")
        box.asks()
        assert card(box, SUPERVISOR) == "10.00"
        assert Win.objects.get().state == "asked"
        renamed("supervisor", "Another Name")
        assert card(box, SUPERVISOR) == "same_person"
        assert card(box, OTHER) == "pin_needed", "the second person's presence is always shown"
        assert card(box, OTHER, CARD_PIN) == "10.00"
        assert Win.objects.get().state == "owed"

    def test_where_nobody_is_badged_in_the_mark_is_nobodys_and_says_so(self, box: Box) -> None:
        renamed("supervisor", "nobody badged in at UTH-01")
        box.asks()
        win = Win.objects.get()
        assert (win.marker, win.asker) == (None, None)
        assert win.marked_by == win.asked_by == "nobody badged in at UTH-01"
        assert card(box, SUPERVISOR) == "10.00", "a name alone bars nobody"

    def test_who_asked_is_known_beside_who_marked(self, box: Box) -> None:
        badges_in(box, DEALER)
        box.runs()
        box.marks()
        badges_in(box, OTHER)
        box.told("confirm", round=1)
        win = Win.objects.select_related("marker", "asker").get()
        assert (win.marker.username, win.asker.username) == ("dealer", "other")  # type: ignore[union-attr]

    def test_a_key_that_asks_and_its_holders_name(self, indoors: Any) -> None:
        made = Box(indoors, Profile.KEY)
        made.runs()
        made.marks()
        made.told("key", key="17", position="JPH")
        win = Win.objects.select_related("asker").get()
        assert (win.asker.username, win.asked_by) == ("supervisor", "Test Supervisor")  # type: ignore[union-attr]


CLAIMERS = [(EXECUTIVE, PIN), (OTHER, CARD_PIN)]


def claimed(box: Box, **changed: Any) -> None:
    """Round 1 is over; an executive and Other open a full house of seat 2, typed by nobody of the two."""
    box.runs()
    box.told("end", round=1)
    words = {"seat": 2, "hand": "full_house", "reason": "forgotten", "evidence": "camera 7", "cards": CLAIMERS}
    claim(table_code="UTH-01", round_number=1, by=a_person("typist"), **{**words, **changed})


class TestALateClaim:
    @pytest.mark.parametrize("first", [0, 1], ids=["executive first", "second first"])
    def test_neither_of_the_two_who_signed_it_approves_it(self, box: Box, first: int) -> None:
        claimed(box, cards=[CLAIMERS[first], CLAIMERS[1 - first]])
        assert [card(box, EXECUTIVE, PIN), card(box, OTHER)] == ["same_person", "same_person"]
        assert card(box, SUPERVISOR) == "10.00"

    def test_nor_under_another_name_nor_where_markers_may_verify(self, box: Box) -> None:
        Property.objects.update(marker_may_verify=True)
        claimed(box)
        renamed("other", "Somebody Else")
        assert card(box, OTHER) == "same_person"

    def test_who_typed_it_is_its_marker_and_may_not_either(self, box: Box) -> None:
        claimed(box)
        a_card(Operator.objects.get(username="typist"), number="600000000009")
        assert card(box, "600000000009") == "same_person"

    def test_no_void_ends_it(self, box: Box) -> None:
        claimed(box)
        before = stands()
        for words in (
            {"card": SUPERVISOR, "pin": CARD_PIN},
            {"card": SUPERVISOR, "second_card": SECOND, "second_pin": PIN},
        ):
            answer = box.say("void", round=1, reason="misdeal", **words)
            why = "has a late claim, opened by Test Executive and Test Other. Approve or reject it first."
            assert (answer["code"], answer["why"]) == ("claimed", f"Round 1 at UTH-01 {why}")
        assert stands() == before


def void(box: Box, **words: Any) -> str:
    answer = box.say("void", round=1, reason="misdeal", **words)
    return "void" if answer["ok"] else str(answer["code"])


def recount(box: Box, **words: Any) -> str:
    answer = box.say("recount", round=1, seats=[2], spots="", **words)
    return "void" if answer["ok"] else str(answer["code"])


def yesterday() -> None:
    for round_ in Round.objects.all():
        tamper_with(Round.objects.all(), gaming_day=round_.gaming_day - timedelta(days=1))


@pytest.mark.parametrize("take_back", [void, recount])
class TestTakingBack:
    @pytest.mark.parametrize(
        ("words", "heard"),
        [
            ({"card": EXECUTIVE}, "pin_needed"),
            ({"card": EXECUTIVE, "pin": "111111"}, "pin_wrong"),
            ({"card": EXECUTIVE, "pin": PIN}, "void"),
            ({"card": SUPERVISOR, "pin": CARD_PIN}, "void"),
            ({"card": SUPERVISOR}, "void"),
            ({"card": DEALER}, "pin_needed"),
            ({"card": "123456789"}, "pin_needed"),
            ({"card": "123456789", "pin": "111111"}, "pin_wrong"),
            ({}, "pin_needed"),
        ],
    )
    def test_a_card_is_shown_as_for_an_approval(
        self, box: Box, take_back: Any, words: dict[str, Any], heard: str
    ) -> None:
        box.runs()
        before = stands()
        assert take_back(box, **words) == heard
        assert (stands() == before) is (heard != "void")

    def test_a_supervisor_too_where_the_house_asks_it(self, box: Box, take_back: Any) -> None:
        Property.objects.update(pin_from_level=2)
        box.runs()
        assert take_back(box, card=SUPERVISOR) == "pin_needed"

    def test_a_locked_or_blocked_card_takes_nothing_back(self, box: Box, take_back: Any) -> None:
        box.runs()
        for _ in range(3):
            take_back(box, card=EXECUTIVE, pin="111111")
        assert take_back(box, card=EXECUTIVE, pin=PIN) == "pin_wrong"
        Card.objects.filter(operator__username="supervisor").update(blocked_at="2027-01-01T00:00Z")
        assert take_back(box, card=SUPERVISOR) == "pin_needed"
        assert take_back(box, card=SUPERVISOR, pin=CARD_PIN) == "card_blocked", "its person is there, and is told"

    @pytest.mark.parametrize(
        ("words", "heard"),
        [
            ({"card": SUPERVISOR, "pin": CARD_PIN}, "two_people"),
            ({"card": EXECUTIVE, "pin": PIN}, "two_people"),
            ({"card": SUPERVISOR, "second_card": SUPERVISOR, "second_pin": CARD_PIN}, "two_people"),
            ({"card": SUPERVISOR, "second_card": DEALER}, "pin_needed"),
            ({"card": SUPERVISOR, "second_card": OTHER}, "pin_needed"),
            ({"card": SUPERVISOR, "second_card": OTHER, "second_pin": CARD_PIN}, "void"),
            ({"card": SUPERVISOR, "second_card": EXECUTIVE}, "pin_needed"),
            ({"card": SUPERVISOR, "second_card": EXECUTIVE, "second_pin": PIN}, "void"),
            ({"card": OTHER, "second_card": SUPERVISOR, "second_pin": CARD_PIN}, "void"),
        ],
    )
    def test_a_round_of_an_earlier_gaming_day_takes_two_people(
        self, box: Box, take_back: Any, words: dict[str, Any], heard: str
    ) -> None:
        box.runs()
        yesterday()
        before = stands()
        assert take_back(box, **words) == heard
        assert (stands() == before) is (heard != "void")
        if heard == "void":
            assert Trail.objects.get(act=take_back.__name__).details["second"]

    @pytest.mark.parametrize(("switch", "heard"), [(True, "two_people"), (False, "void")])
    def test_or_one_where_the_house_says_so(self, box: Box, take_back: Any, switch: bool, heard: str) -> None:
        Property.objects.update(old_rounds_need_two=switch)
        box.runs()
        yesterday()
        assert take_back(box, card=SUPERVISOR, pin=CARD_PIN) == heard

    def test_two_cards_of_one_renamed_person_are_one_person(self, box: Box, take_back: Any) -> None:
        a_card(Operator.objects.get(username="supervisor"), number="600000000003")
        renamed("supervisor", "Another Name")
        box.runs()
        yesterday()
        second = {"second_card": "600000000003", "second_pin": CARD_PIN}
        assert take_back(box, card=SUPERVISOR, **second) == "two_people"

    def test_a_key_is_a_person_too(self, indoors: Any, take_back: Any) -> None:
        made = Box(indoors, Profile.KEY)
        a_card(a_person("other"), number=OTHER)
        made.runs()
        yesterday()
        assert take_back(made, key="17") == "two_people"
        assert take_back(made, key="17", second_card=SUPERVISOR, second_pin=CARD_PIN) == "two_people"
        assert take_back(made, key="17", second_card=OTHER, second_pin=CARD_PIN) == "void"


def test_a_void_said_again_on_a_later_day_is_a_repeat(box: Box) -> None:
    box.runs()
    box.told("void", round=1, reason="misdeal", card=SUPERVISOR, pin=CARD_PIN)
    yesterday()
    entries = Entry.objects.count()
    assert box.told("void", round=1, reason="misdeal", card=SUPERVISOR, pin=CARD_PIN)["repeat"] is True
    assert Entry.objects.count() == entries


def test_nothing_else_is_signed_by_a_claim(box: Box) -> None:
    claimed(box)
    assert sorted(Signature.objects.values_list("operator__username", "part")) == [
        ("executive", "claim"), ("other", "claim"),
    ]  # fmt: skip


def test_a_box_alone_ends_no_claim_by_rejecting_it(box: Box) -> None:
    claimed(box)
    before = stands()
    answer = box.say("reject", round=1, reason="not the hand")
    why = "opened this late claim. An executive and a second person reject it on the pit page."
    assert (answer["code"], answer["why"]) == ("two_people", f"Test Executive and Test Other {why}")
    assert stands() == before
