"""Other terms over the API: drafted, previewed, signed, refused, withdrawn; and V10 told by a controller."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.terms.models.terms_change import TermsChange
from tables.calculation.desk import desk
from tables.requests.actions import configure
from tests.accounting.lab.lab_scene import outcomes_are_known
from tests.builders import CARD_PIN, Casino, a_card, a_casino, a_pay_table, a_person
from tests.jackpot.books.api_scene import signed_in
from tests.tables.hits.test_hit import REF_B

pytestmark = pytest.mark.django_db
ASKS = ("see", "read_books", "configure")
STRANGE = {"pay_table": a_pay_table(lines=REF_B)}  # no pack knows its rows, so nothing is calculated


@pytest.fixture
def casino() -> Casino:
    return a_casino(meter="20000.00", reserve="617.25", **STRANGE)


@pytest.fixture
def asker(casino: Casino) -> Client:
    return signed_in(*ASKS, username="ann", password="right")


@pytest.fixture
def signer(casino: Casino) -> Client:
    return signed_in(*ASKS, "override", username="bob", password="right")


def post(client: Client, where: str, **words: Any) -> Any:
    return client.post(f"/api/v1/jackpots/GRAND/{where}", words, content_type="application/json")


def signs(client: Client, number: int, password: str = "right") -> Any:
    return post(client, f"changes/{number}/approve/", password=password)


def ask(client: Client, **changes: Any) -> Any:
    return post(client, "versions/", changes=changes, reason="the season begins")


def test_a_draft_is_previewed_and_told_with_what_differs(asker: Client) -> None:
    answer = ask(asker, rate="60", seed="12000.00")
    told = answer.json()["change"]
    assert (answer.status_code, told["number"], told["state"], told["asked_by"]) == (201, 1, "previewed", "Test Ann")
    assert [(each["term"], each["before"], each["after"]) for each in told["differences"]] == [
        ("seed", "10000.00", "12000.00"), ("rate", "70 %", "60 %"),
    ]  # fmt: skip
    assert [finding["code"] for finding in told["findings"]] == ["no_mathematics"]
    assert Jackpot.objects.get().version.number == 1  # type: ignore[union-attr]


def test_a_second_person_approves_and_nobody_their_own(asker: Client, signer: Client) -> None:
    ask(asker, rate="60")
    own = signs(asker, 1)
    assert (own.status_code, own.json()["code"]) == (403, "same_person")
    told = signs(signer, 1).json()["change"]
    assert (told["state"], told["version"], told["decided_by"]) == ("waiting", 2, "Test Bob")
    again = signs(signer, 1)
    assert (again.status_code, again.json()["ok"]) == (409, False)
    versions = signer.get("/api/v1/jackpots/GRAND/versions/").json()["results"]
    assert [(each["number"], each["in_force"]) for each in versions] == [(2, False), (1, True)]


def test_a_refusal_and_a_withdrawal_keep_their_reasons(asker: Client, signer: Client) -> None:
    ask(asker, rate="60")
    ask(asker, rate="50")
    assert post(signer, "changes/1/refuse/").status_code == 400
    assert post(signer, "changes/1/refuse/", reason="too low").json()["change"]["why"] == "too low"
    assert post(signer, "changes/2/withdraw/", reason="no").status_code == 403
    assert post(asker, "changes/2/withdraw/", reason="a slip").json()["change"]["state"] == "withdrawn"
    listed = asker.get("/api/v1/jackpots/GRAND/changes/?order=number").json()["results"]
    assert [each["state"] for each in listed] == ["refused", "withdrawn"]
    assert [
        each["number"] for each in asker.get("/api/v1/jackpots/GRAND/changes/?state=refused").json()["results"]
    ] == [1]


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        ({"changes": {"seed": "0"}}, 400, "above zero"),
        ({"changes": {"rate": "99"}}, 400, "more than 100 %"),
        ({"changes": {"limit": "15000.00"}}, 409, "below the present meter"),
        ({"changes": {"colour": "red"}}, 400, "not a term"),
        ({"changes": {"policy": "clockwise"}}, 400, "list of switches"),
        ({"changes": {"rate": 17.33}}, 400, "Write it as text"),
        ({"changes": {"rate": {"a": 1}}}, 400, "percentage"),
        ({"changes": {"pay_table": {"game": "uth", "code": "PT99"}}}, 400, "PT99"),
        ({"changes": "all"}, 400, "changes"),
        ({}, 400, "changes"),
        ({"changes": {"wager": "2.00"}}, 409, "UTH-01 takes a wager of 1.00"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(asker: Client, words: Any, status: int, why: str) -> None:
    answer = post(asker, "versions/", **{"reason": "why not", **words})
    assert answer.status_code == status, answer.json()
    assert why in answer.json()["why"]
    assert not TermsChange.objects.exists()


def test_a_draft_says_why(asker: Client) -> None:
    assert post(asker, "versions/", changes={"rate": "60"}).json()["code"] == "reason"


def test_who_only_reads_asks_for_nothing(casino: Casino) -> None:
    reader = signed_in("see", "read_books", username="auditor")
    assert ask(reader, rate="60").status_code == 403
    assert post(reader, "preview/", changes={"rate": "60"}).status_code == 403
    assert reader.get("/api/v1/jackpots/GRAND/changes/").status_code == 200


def test_looking_ahead_says_everything_at_once_and_asks_for_nothing(asker: Client) -> None:
    told = post(asker, "preview/", changes={"limit": "15000.00", "wager": "2.00"}).json()
    codes = [(finding["code"], finding["weight"]) for finding in told["findings"]]
    assert codes == [("limit", "refused"), ("jackpots", "refused"), ("no_mathematics", "warning")]
    assert not TermsChange.objects.exists()


def test_a_rate_above_an_entered_preset_names_the_cure(asker: Client) -> None:
    refused = ask(asker, preset_rate="60")
    assert (refused.status_code, refused.json()["code"]) == (400, "terms")
    assert refused.json()["why"].endswith("Lower it, or name the approved par sheet.")
    told = ask(asker, preset_rate="60", par_sheet="PS-2026-7").json()["change"]
    assert [each["name"] for each in told["differences"]] == ["Preset of the par sheet", "Approved par sheet"]


def test_a_change_that_is_not_there_is_not_found(asker: Client) -> None:
    assert asker.get("/api/v1/jackpots/GRAND/changes/7/").status_code == 404
    assert signs(asker, 7).status_code == 404


class TestTheLaboratory:
    """REF loses money, and the preview must say so; then it takes an executive."""

    @pytest.fixture
    def known(self, monkeypatch: pytest.MonkeyPatch) -> Casino:
        outcomes_are_known(Path(settings.DATA_DIR))
        monkeypatch.setattr(configure, "IN_A_REQUEST", 60.0)
        return a_casino(meter="20000.00", reserve="617.25")

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def office(cls) -> Iterator[None]:
        yield
        desk().close()

    def test_two_configurations_stand_side_by_side_and_a_losing_one_needs_an_executive(self, known: Casino) -> None:
        asker, other = (
            signed_in(*ASKS, username="ann", password="right"),
            signed_in(*ASKS, username="cal", password="right"),
        )
        told = ask(asker, rate="60", seed="12000.00").json()["change"]
        assert "house_loses" in [finding["code"] for finding in told["findings"]]
        change = TermsChange.objects.get()
        before, after = change.figures
        assert before["house_edge"] != after["house_edge"]
        refused = signs(other, 1)
        assert (refused.status_code, refused.json()["code"]) == (403, "house_loses")
        assert refused.json()["why"].count("An executive must sign.") == 1
        executive = signed_in(*ASKS, "override", username="bob", password="right")
        assert signs(executive, 1).json()["change"]["state"] == "waiting"

    def test_a_setting_that_earns_is_signed_by_anybody_who_configures(self, known: Casino) -> None:
        asker, other = (
            signed_in(*ASKS, username="ann", password="right"),
            signed_in(*ASKS, username="cal", password="right"),
        )
        told = ask(asker, rate="20", reserve_rate="0", pay_table={"game": "uth", "code": "PT01", "fixed_from": "meter"})
        weights = {finding["weight"] for finding in told.json()["change"]["findings"]}
        assert "refused" not in weights, told.json()["change"]["findings"]
        assert signs(other, 1).json()["change"]["state"] == "waiting"

    def test_looking_ahead_has_the_laboratory_s_answer_where_outcomes_are_known(self, known: Casino) -> None:
        asker = signed_in(*ASKS, username="ann", password="right")
        told = post(asker, "preview/", changes={"rate": "58"}).json()
        assert told["ready"] is True
        assert "house_loses" in [finding["code"] for finding in told["findings"]]


def test_while_it_is_calculated_the_draft_waits_and_nobody_signs(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configure, "_laboratory", lambda *_: configure.TermsPreview([], [], 40))
    asker, signer = (
        signed_in(*ASKS, username="ann", password="right"),
        signed_in(*ASKS, username="bob", password="right"),
    )
    assert ask(asker, rate="60").json()["change"]["state"] == "draft"
    waiting = post(asker, "changes/1/preview/")
    assert (waiting.status_code, waiting.json()["percent"], waiting.headers["Retry-After"]) == (202, 40, "1")
    assert signs(signer, 1).json()["code"] == "no_preview"


def test_an_open_session_alone_signs_nothing(asker: Client, signer: Client, casino: Casino) -> None:
    """Whoever passes a session that somebody left open has no password, no card and no PIN."""
    ask(asker, rate="60")
    for given, code in (({}, "signature"), ({"password": "wrong"}, "wrong_sign_in")):
        answer = post(signer, "changes/1/approve/", **given)
        assert (answer.status_code >= 400, answer.json()["code"]) == (True, code)
    executive = a_person("executive", may=("configure",), premises=casino.premises)
    a_card(executive, number="900000000009", level="executive", pin="7391")
    a_card(a_person("pit"), number="900000000008", level="supervisor")
    assert post(signer, "changes/1/approve/", card="900000000008", pin=CARD_PIN).json()["code"] == "level"
    told = post(signer, "changes/1/approve/", card="900000000009", pin="7391").json()["change"]
    assert (told["state"], told["decided_by"]) == ("waiting", "Test Executive")


def test_the_entries_tell_under_which_version_they_were_posted(asker: Client, signer: Client) -> None:
    ask(asker, rate="60")
    signs(signer, 1)
    rows = asker.get("/api/v1/jackpots/GRAND/entries/").json()["results"]
    assert [row["version"] for row in rows] == [1] * Entry.objects.count()
