from __future__ import annotations

import pytest

from tests.builders import a_card, a_person, a_property, a_role
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db


def test_people_are_told_with_their_roles_and_no_password() -> None:
    a_role("dealer", "see", "deal")
    a_person("ann", roles=["dealer"], password="a long secret")
    client = signed_in("people")
    told = client.get("/api/v1/people/ann/").json()
    assert (told["username"], told["roles"], told["active"]) == ("ann", ["dealer"], True)
    assert "secret" not in str(told)
    assert "argon" not in str(told)
    assert [row["username"] for row in client.get("/api/v1/people/?role=dealer").json()["results"]] == ["ann"]


def test_cards_show_their_last_four_and_nothing_more() -> None:
    a_card(a_person("ann"), number="600000001234", pin="271828")
    (card,) = signed_in("people").get("/api/v1/cards/?last_four=1234").json()["results"]
    assert (card["person"], card["last_four"], card["level"], card["has_pin"]) == ("ann", "1234", "supervisor", True)
    assert "60000000" not in str(card)
    assert "hash" not in str(card)


def test_people_of_another_house_are_not_there() -> None:
    a_card(a_person("ann", premises=a_property("OTHER")))
    client = signed_in("people", premises=a_property("OURS"))
    assert client.get("/api/v1/people/ann/").status_code == 404
    assert client.get("/api/v1/cards/").json()["results"] == []
