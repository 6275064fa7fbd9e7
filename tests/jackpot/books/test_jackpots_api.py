from __future__ import annotations

import pytest

from tests.builders import a_jackpot, a_property
from tests.jackpot.books.api_scene import a_played_casino, signed_in

pytestmark = pytest.mark.django_db


def test_a_jackpot_tells_its_balances_what_its_signs_promise_and_its_terms() -> None:
    a_jackpot("GRAND", meter="20000.5199", reserve="617.25", limit="25000.00")
    told = signed_in().get("/api/v1/jackpots/GRAND/").json()
    assert told["shown"] == "20000.51"
    assert told["limit"] == "25000.00"
    assert told["balances"]["meter"] == "20000.5199"
    assert told["balances"]["outside"] == "-20617.7699"
    assert (told["state"], told["version"], told["counters"]["entries"]) == ("open", 1, 1)


def test_coin_ins_are_counted_as_a_positive_sum() -> None:
    a_played_casino()
    told = signed_in().get("/api/v1/jackpots/GRAND/").json()
    assert told["counters"] == {"entries": 6, "contributed": "1.50"}


def test_the_list_is_ordered_by_code_and_filtered_by_state() -> None:
    a_jackpot("MINI")
    a_jackpot("GRAND")
    client = signed_in()
    assert [row["code"] for row in client.get("/api/v1/jackpots/").json()["results"]] == ["GRAND", "MINI"]
    assert [row["code"] for row in client.get("/api/v1/jackpots/?order=-code").json()["results"]] == ["MINI", "GRAND"]
    assert client.get("/api/v1/jackpots/?state=retired").json()["results"] == []


def test_a_list_goes_on_behind_its_cursor() -> None:
    for code in ("A", "B", "C"):
        a_jackpot(code)
    client = signed_in()
    first = client.get("/api/v1/jackpots/?limit=2").json()
    second = client.get(first["next"]).json()
    assert [row["code"] for row in first["results"] + second["results"]] == ["A", "B", "C"]
    assert second["next"] is None


def test_a_version_tells_its_terms_and_that_its_digest_fits() -> None:
    a_jackpot("GRAND", limit="25000.00")
    (version,) = signed_in().get("/api/v1/jackpots/GRAND/versions/").json()["results"]
    assert version["digest"] == version["digest_found"]
    assert version["terms"]["limit"] == "25000.00"
    assert (version["number"], version["in_force"]) == (1, True)
    assert (version["requested_by"], version["approved_by"]) == ("first tester", "second tester")


def test_the_jackpot_of_another_house_is_not_there() -> None:
    a_jackpot("GRAND", premises=a_property("OTHER"))
    client = signed_in(premises=a_property("OURS"))
    assert client.get("/api/v1/jackpots/").json()["results"] == []
    for address in ("", "entries/", "versions/", "proof/"):
        assert client.get(f"/api/v1/jackpots/GRAND/{address}").status_code == 404


def test_the_proof_reads_every_entry_and_holds() -> None:
    a_played_casino()
    told = signed_in().get("/api/v1/jackpots/GRAND/proof/").json()
    assert told["holds"] is True
    assert told["findings"] == []
    assert told["jackpots"][0]["entries"] == 6


def test_books_too_long_to_wait_for_are_refused_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    a_played_casino()
    monkeypatch.setattr("jackpot.proof.api.PROVEN_WHILE_YOU_WAIT", 5)
    answer = signed_in().get("/api/v1/jackpots/GRAND/proof/")
    assert answer.status_code == 409
    assert "manage.py prove" in answer.json()["why"]
