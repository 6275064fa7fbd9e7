"""The same acts for programs: seats of a lit key, parking, a late claim."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, ClassVar

import pytest
from django.test import Client

from jackpot.books.models.entry import Entry
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.floor.models.table import Profile
from tables.hits.actions import hit
from tables.hits.models.open_case import OpenCase
from tables.rounds.models.round import Round
from tests.builders import CARD_PIN, a_property
from tests.jackpot.books.api_scene import signed_in
from tests.tables.pit.test_pit_hits import EXECUTIVE, PIN, PLACE, SUPERVISOR, a_round, browser, lit, marked
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db
CLAIM = {
    "seat": 4, "hand": "full_house", "reason": "overlooked", "evidence": "camera 7, 02:14",
    "cards": [{"card": EXECUTIVE, "pin": PIN}, {"card": SUPERVISOR, "pin": CARD_PIN}],
}  # fmt: skip


def asked(act: str, body: dict[str, Any], *verbs: str, client: Client | None = None) -> tuple[int, dict[str, Any]]:
    person = client or browser(*verbs)
    answer = person.post(f"/api/v1/rounds/UTH-01/1/{act}/", body, content_type="application/json")
    return answer.status_code, answer.json()


def test_the_seats_of_a_lit_key() -> None:
    lit()
    status, told = asked("seats", {"hand": "full_house", "seats": [7, 2]})
    assert (status, [mark["seat"] for mark in told["marks"]]) == (200, [2, 7])


def test_parking_tells_what_stays_open_and_what_comes_next() -> None:
    marked()
    status, told = asked("park", {"card": EXECUTIVE, "pin": PIN, "reason": "disputed"})
    assert (status, told["parked"], told["next_round"]) == (200, "Full house at seat 2", 2)


def test_a_late_claim_answers_the_closed_list() -> None:
    a_round(Profile.CARD, ends=True)
    status, told = asked("claim", CLAIM)
    assert (status, told["total"], told["card"]) == (200, "10.00", "supervisor")
    status, told = asked("claim", CLAIM)
    assert (status, told["code"]) == (409, "hits_open")


@pytest.mark.parametrize(
    ("act", "body", "status"),
    [
        ("seats", {"hand": "full_house", "seats": []}, 400),
        ("seats", {"hand": "full_house", "seats": [10]}, 400),
        ("park", {"card": SUPERVISOR, "reason": "disputed"}, 403),
        ("park", {"card": EXECUTIVE, "pin": PIN}, 400),
        ("claim", {**CLAIM, "cards": CLAIM["cards"][:1]}, 400),
        ("claim", {**CLAIM, "seat": 0}, 400),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_sentence(act: str, body: dict[str, Any], status: int) -> None:
    marked()
    answered, told = asked(act, body)
    assert answered == status, told
    assert told["why"]
    assert Round.objects.get().state == "open"
    assert not OpenCase.objects.exists()


def test_another_house_and_other_roles_do_not_come_in() -> None:
    marked()
    body = {"card": EXECUTIVE, "pin": PIN, "reason": "disputed"}
    other = signed_in("approve", premises=a_property("OTHER"), username="stranger")
    assert asked("park", body, client=other)[0] == 404
    assert asked("park", body, "read_books")[0] == 403
    hit.unmark(**PLACE, seat=2, hand="full_house", by="Test Dealer")


class TestTakingBack:
    """A round voided and a claim rejected from the pit: by as many people as the rule says."""

    TWO: ClassVar[list[dict[str, str]]] = [{"card": EXECUTIVE, "pin": PIN}, {"card": SUPERVISOR, "pin": CARD_PIN}]

    def test_a_supervisor_voids_a_round_of_today_and_says_it_again(self) -> None:
        a_round(Profile.CARD, ends=True)
        client = signed_in("void", username="voider")
        body = {"reason": "misdeal", "cards": self.TWO[1:]}
        status, told = asked("void", body, client=client)
        assert (status, told["state"], told["repeat"], Round.objects.get().state) == (200, "void", False, "void")
        assert asked("void", body, client=client)[1]["repeat"] is True

    @pytest.mark.parametrize(
        ("cards", "heard"),
        [
            ([{"card": SUPERVISOR, "pin": CARD_PIN}], (403, "two_people")),
            ([{"card": EXECUTIVE}], (403, "pin_needed")),
            ([{"card": SUPERVISOR, "pin": CARD_PIN}, {"card": SUPERVISOR, "pin": CARD_PIN}], (403, "two_people")),
            ([{"card": SUPERVISOR, "pin": CARD_PIN}, {"card": EXECUTIVE}], (403, "pin_needed")),
            ([], (400, "not_understood")),
            (TWO, (200, None)),
        ],
    )
    def test_an_older_round_takes_two(self, cards: list[dict[str, str]], heard: tuple[int, str | None]) -> None:
        a_round(Profile.CARD, ends=True)
        tamper_with(Round.objects.all(), gaming_day=Round.objects.get().gaming_day - timedelta(days=1))
        entries = Entry.objects.count()
        client = signed_in("void", username="voider")
        status, told = asked("void", {"reason": "misdeal", "cards": cards}, client=client)
        assert (status, told.get("code")) == heard
        assert (Entry.objects.count() > entries) is (status == 200)

    def test_only_whoever_voids_comes_in(self) -> None:
        a_round(Profile.CARD, ends=True)
        assert asked("void", {"reason": "misdeal", "cards": self.TWO}, "verify", "approve")[0] == 403

    @pytest.mark.parametrize(
        ("cards", "heard"),
        [
            (None, (403, "two_people")),
            ([{"card": SUPERVISOR, "pin": CARD_PIN}, {"card": SUPERVISOR, "pin": CARD_PIN}], (403, "two_people")),
            ([{"card": EXECUTIVE}, {"card": SUPERVISOR, "pin": CARD_PIN}], (403, "pin_needed")),
            (TWO, (200, None)),
        ],
    )
    def test_what_two_people_opened_two_people_reject(
        self, cards: list[dict[str, str]] | None, heard: tuple[int, str | None]
    ) -> None:
        a_round(Profile.CARD, ends=True)
        asked("claim", CLAIM)
        win = Win.objects.get()
        body = {"reason": "not the hand", **({"cards": cards} if cards else {})}
        answer = browser().post(f"/api/v1/wins/{win.id}/reject/", body, content_type="application/json")
        assert (answer.status_code, answer.json().get("code")) == heard
        win.refresh_from_db()
        assert win.state == ("rejected" if answer.status_code == 200 else "asked")
        told = Trail.objects.filter(act="reject_hits").values_list("person__username", "why", "object_key", "details")
        first, second = win.signatures.filter(part="claim").order_by("id")
        said = {"hits": f"{win.line_name} at seat {win.seat} of {win.jackpot.code}", "second": str(second.operator)}
        said["second_key"] = second.operator_id
        assert list(told) == (
            [(first.operator.username, "not the hand", "UTH-01/1", said)] if answer.status_code == 200 else []
        )
