"""Authority over the API: what counts, what waits, asked for by one person and signed by another."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from jackpot.money import Money
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.property.rules.authority_change import SETTINGS
from tests.builders import a_card, a_person, a_property
from tests.scenes_authority import two_signers

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]
WHO_HOLDS_THE_COLUMNS = {"jackpot/property/models/property.py"}


RIGHT = {"password": "right"}


def said(browser: Client, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    answer = browser.generic(method, f"/api/v1/{path}", _json(body), content_type="application/json")
    return answer.status_code, answer.json()


def _json(body: Any) -> bytes:
    import json

    return json.dumps(body or {}).encode()


@pytest.fixture
def two() -> tuple[Client, Client]:
    a_property()
    browsers = Client(), Client()
    for browser, person in zip(browsers, two_signers(), strict=True):
        person.set_password("right")
        person.save()
        browser.force_login(person)
    return browsers


def test_asked_for_by_one_and_signed_by_another(two: tuple[Client, Client]) -> None:
    one, other = two
    wished = {"changes": {"executive_threshold": "7,500.00", "verifier_may_pay": False, "pin_from_level": 2}}
    status, looked = said(one, "POST", "authority/preview/", wished)
    assert (status, [each["stricter"] for each in looked["differences"]]) == (200, [False, True])
    status, told = said(one, "POST", "authority/", {**wished, "reason": "the season"})
    assert (status, told["change"]["state"], told["change"]["number"]) == (201, "asked", 1)
    assert said(one, "POST", "authority/changes/1/approve/", RIGHT)[1]["code"] == "same_person"
    assert said(other, "POST", "authority/changes/1/approve/")[1]["code"] == "signature", (
        "an open session signs nothing"
    )
    status, told = said(other, "POST", "authority/changes/1/approve/", RIGHT)
    assert (status, told["change"]["counts"]["pin_from_level"]) == (200, "at once")
    counts = said(one, "GET", "authority/")[1]
    assert (counts["settings"]["executive_threshold"], counts["settings"]["pin_from_level"]) == ("5000.00", 2)
    assert [(each["setting"], each["value"]) for each in counts["waiting"]] == [("executive_threshold", "7500.00")]
    assert said(other, "POST", "authority/changes/1/approve/", RIGHT)[0] == 409
    status, told = said(one, "POST", "authority/changes/1/withdraw/", {"reason": "it rains"})
    assert (status, told["change"]["fallen"]) == (200, {"executive_threshold": None})
    assert [each["state"] for each in said(one, "GET", "authority/changes/?state=withdrawn")[1]["results"]] == [
        "withdrawn"
    ]
    assert Property.objects.get().thresholds.executive == Money.of(5000)


def test_what_is_not_understood_is_refused_in_a_sentence(two: tuple[Client, Client]) -> None:
    for body, why in (
        ({"changes": {"meter": "1"}, "reason": "x"}, "is no setting"),
        ({"changes": {"pin_from_level": "4"}, "reason": "x"}, "choose one of"),
        ({"changes": {"executive_threshold": "6000"}}, "Say why"),
    ):
        status, told = said(two[0], "POST", "authority/", {"reason": "", **body})
        assert (status, why in told["why"]) == (400, True), told


def test_a_card_is_raised_by_two_and_lowered_by_one(two: tuple[Client, Client]) -> None:
    card = a_card(a_person("morgan"), level="supervisor")
    path = f"cards/{card.pk}/level/"
    told = said(two[0], "POST", path, {"level": "executive", "reason": "shift manager"})[1]
    assert (told["change"]["state"], told["change"]["card"]) == ("asked", card.pk)
    assert said(two[1], "POST", "authority/changes/1/refuse/", {"reason": "not yet"})[1]["change"]["why"] == "not yet"
    said(two[0], "POST", path, {"level": "executive", "reason": "now then"})
    said(two[1], "POST", "authority/changes/2/approve/", RIGHT)
    shown = said(two[0], "GET", "cards/")[1]["results"][0]
    assert (shown["level"], shown["next_level"]) == ("supervisor", "executive")
    assert said(two[0], "POST", path, {"level": "dealer", "reason": "left the pit"})[1]["change"]["alone"]
    assert Card.objects.get().level == Card.Level.DEALER


def test_a_change_of_another_house_is_not_there(two: tuple[Client, Client]) -> None:
    said(two[0], "POST", "authority/", {"changes": {"executive_threshold": "6000"}, "reason": "x"})
    stranger = Client()
    stranger.force_login(a_person("stranger", may=("configure",), premises=a_property("OTHER"), password="right"))
    assert said(stranger, "POST", "authority/changes/1/approve/", RIGHT)[0] == 404


def test_nobody_reads_the_first_values_where_the_ones_that_count_are_meant() -> None:
    """Only through `thresholds`: a column read directly would be yesterday's authority."""
    wrong = []
    for room in ("jackpot", "tables", "accounting", "config"):
        for path in (ROOT / room).rglob("*.py"):
            if str(path.relative_to(ROOT)) in WHO_HOLDS_THE_COLUMNS or {"migrations", "rules"} & set(path.parts):
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Attribute) and node.attr in SETTINGS:
                    holder = ast.unparse(node.value).rpartition(".")[2]
                    if holder != "thresholds":
                        wrong.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
    assert wrong == []
