"""The page of a late claim: who opened it stands beside who approved it, and it is still one page."""

from __future__ import annotations

import io

import pypdf
import pytest

from accounting.paper.printing import typeset
from accounting.paper.printing.facts import facts_of
from accounting.paper.rules.copies import FILE_COPY, Form
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.hits.actions.late_claim import claim
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest
from tests.builders import CARD_PIN, a_card, a_person
from tests.hands import with_cards
from tests.scenes_wins import EXECUTIVE, PIN, SUPERVISOR, WinFloor

pytestmark = pytest.mark.django_db


def a_claim() -> Win:
    floor = WinFloor()
    a_card(a_person("second"), number="900000000009", level="executive", pin=PIN)
    place = {"table_code": "UTH-01", "round_number": 1}
    for ask in (CoinInRequest(1, "25"), EndRequest(1)):
        post_messages([DeviceRequest("UTH-01", floor.casino.controller.id, 1, ask)])
    words = {"seat": 2, "hand": "royal", "reason": "the key was forgotten", "evidence": "camera 7, 02:14"}
    claim(**place, **words, cards=[(EXECUTIVE, PIN), (SUPERVISOR, CARD_PIN)], by=a_person("typist"))
    with_cards(**place)
    hit.swipe(**place, card="900000000009", pin=PIN)
    return Win.objects.select_related("jackpot__premises", "version").get()


@pytest.mark.parametrize("form", list(Form))
def test_everybody_who_signed_a_claim_stands_on_its_page(form: Form) -> None:
    facts = facts_of(a_claim(), FILE_COPY).plain()
    people = [(person["role"], person["name"]) for person in facts["people"]]
    assert people[1:4] == [
        ("Opened the claim", "Test Executive"), ("Opened the claim", "Test Supervisor"), ("Executive", "Test Second"),
    ]  # fmt: skip
    pages = pypdf.PdfReader(io.BytesIO(typeset.document(facts, form))).pages
    text = " ".join(pages[0].extract_text().split())
    assert (len(pages), "Opened the claim" in text) == (1, True)
