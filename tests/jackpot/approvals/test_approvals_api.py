"""Programs read what was approved, and enter one more for another person to sign."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.test import Client

from tests.builders import a_jackpot, a_person, a_property

pytestmark = pytest.mark.django_db
WORD = {
    "thing": "jackpot", "name": "GRAND", "by": "Bureau", "reference": "GL-7", "begins": "2026-01-02",
    "reason": "before the opening",
}  # fmt: skip


def posts(client: Client, where: str, told: dict[str, Any], key: str = "approval-0001") -> Any:
    return client.post(
        f"/api/v1/{where}", told, content_type="application/json", headers={"Idempotency-Key": key}
    ).json()  # fmt: skip


def signed_in(username: str, *may: str) -> Client:
    client = Client()
    client.force_login(a_person(username, may=may, password="right"))
    return client


def test_one_asks_adds_the_document_and_another_signs_all_over_the_api() -> None:
    a_jackpot("GRAND", premises=a_property(approves_jackpot=True))
    ann, boss = signed_in("ann", "configure"), signed_in("boss", "configure", "read_books")
    row = posts(ann, "approvals/", WORD)["request"]
    assert posts(ann, "approvals/", WORD)["request"]["id"] == row["id"], "the same key asks once"
    assert boss.get("/api/v1/approvals/").json() == {"ok": True, "asked": ["jackpot"], "approvals": []}
    where = f"requests/{row['id']}"
    refused = posts(boss, f"{where}/approve/", {"password": "right"})
    assert "has no document" in refused["why"]
    letter = {"name": "letter.pdf", "content": base64.b64encode(b"%PDF-1.7\nthe letter\n").decode()}
    assert posts(ann, f"{where}/evidence/", letter, "evidence-0001")["ok"]
    assert posts(boss, f"{where}/approve/", {"password": "right"}, "approval-0002")["ok"]
    (told,) = boss.get("/api/v1/approvals/").json()["approvals"]
    assert told == {
        "thing": "jackpot", "name": "GRAND", "word": "given", "begins": "2026-01-02", "until": None, "counts": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"begins": "soon"}, "The day on which it begins"),
        ({"until": "2026-01-01"}, "It ends on 2026-01-01, before it begins"),
        ({"word": "withdrawn"}, "There is no approval of the jackpot GRAND to withdraw"),
        ({"name": "?"}, "Name it as the house does"),
    ],
)
def test_what_could_not_be_read_is_refused_in_a_sentence(wrong: dict[str, str], why: str) -> None:
    a_jackpot("GRAND")
    assert why in posts(signed_in("ann", "configure"), "approvals/", {**WORD, **wrong})["why"]
