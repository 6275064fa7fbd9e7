"""Amounts, days, moments and people as filters of the API's lists: the same names everywhere, totals equal to SQL."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounting.cage.api import Payments
from accounting.desk.api import Adjustments
from jackpot.people.models import Operator
from jackpot.signing.api import Requests
from jackpot.trail.api.trail import Events
from jackpot.web.api.doors import ListDoor
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Payment, Win
from tables.hits.api.wins import Wins
from tests.builders import a_jackpot, a_person, a_property
from tests.jackpot.books.api_scene import READS_ALL, signed_in
from tests.scenes_adjusting import asked, done
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db
LISTS: Final[dict[str, type[ListDoor]]] = {
    "wins": Wins, "payments": Payments, "adjustments": Adjustments, "requests": Requests, "events": Events,
}  # fmt: skip


@pytest.fixture
def client() -> Client:
    """Five slips, of which two are paid by two people, and three requests of two people with amounts."""
    floor = WinFloor()
    floor.won({2: "royal", 4: "four"})
    floor.won({1: "five"})
    floor.won({3: "four", 5: "five"})
    for slip, who in ((1, "anna"), (3, "bert")):
        redeem(slip=slip, payer=a_person(who))
    grand = floor.casino.jackpot
    done("adjust", grand, amount="15.00")
    done("adjust", grand, amount="-2.5")
    asked("adjust", grand, amount="100.00", by="carla")
    return signed_in(*READS_ALL)


def rows(client: Client, words: str) -> list[dict[str, Any]]:
    answer = client.get(f"/api/v1/{words}")
    assert answer.status_code == 200, answer.content
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


def totals(client: Client, words: str) -> dict[str, Any]:
    told: dict[str, Any] = client.get(f"/api/v1/{words}&totals=true&limit=1").json()["totals"]
    return told


def by_sql(question: str, *values: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(question, values)
        return cursor.fetchone()


def test_wins_by_amount_day_and_person_with_their_sum(client: Client) -> None:
    every = "SELECT count(*), sum(amount) FROM jackpot_win"
    count, amount = by_sql(every)
    assert totals(client, "wins/?") == {"count": count, "amount": f"{amount:.2f}", "currency": "USD"}
    for words, where in (
        ("amount_min=100", "amount >= 100"),
        ("amount_min=100.01&amount_max=1,000.00", "amount BETWEEN 100.01 AND 1000"),
        ("amount_max=0.01", "amount <= 0.01"),
        ("state=paid", "state = 'paid'"),
        ("person=anna", "payer_id = (SELECT id FROM jackpot_operator WHERE username = 'anna')"),
    ):
        count, amount = by_sql(f"{every} WHERE {where}")
        answer = totals(client, f"wins/?{words}")
        assert (answer["count"], answer["amount"]) == (count, f"{amount or 0:.2f}"), words
        assert len(rows(client, f"wins/?{words}")) == count
    signed = by_sql(
        "SELECT count(DISTINCT win_id) FROM jackpot_signature s JOIN jackpot_operator o ON o.id = s.operator_id "
        "WHERE o.username = 'executive'"
    )[0]
    assert totals(client, "wins/?person=executive")["count"] == signed > 0
    day = Win.objects.exclude(gaming_day=None)[0].gaming_day
    assert day is not None
    for words, found in (
        (f"day={day}", 5), (f"from_day={day}&to_day={day}", 5), (f"to_day={day - timedelta(days=1)}", 0),
        (f"from_day={day + timedelta(days=1)}", 0),
    ):  # fmt: skip
        assert totals(client, f"wins/?{words}")["count"] == found, words


def test_payments_by_all_of_them_with_what_was_withheld(client: Client) -> None:
    gross, withheld, net, count = by_sql("SELECT sum(gross), sum(withheld), sum(net), count(*) FROM jackpot_payment")
    assert totals(client, "payments/?") == {
        "count": count, "gross": f"{gross:.2f}", "withheld": f"{withheld:.2f}", "net": f"{net:.2f}", "currency": "USD",
    }  # fmt: skip
    paid = Payment.objects.get(slip=3)
    assert [row["slip"] for row in rows(client, "payments/?person=bert")] == [3]
    assert [row["slip"] for row in rows(client, f"payments/?amount_min={paid.gross}&amount_max={paid.gross}")] == [3]
    assert [row["slip"] for row in rows(client, f"payments/?since={quote(paid.paid_at.isoformat())}")] == [3]
    assert [row["slip"] for row in rows(client, f"payments/?until={quote(paid.paid_at.isoformat())}")] == [1]
    (row,) = rows(client, "payments/?slip=3&method=cash")
    told = (row["gross"], row["payer"], row["jackpot"], row["name"])
    assert told == (
        f"{paid.gross:.2f}",
        "bert",
        "GRAND",
        "Five percent",
    )


def test_requests_and_the_trail_by_person_and_moment(client: Client) -> None:
    assert totals(client, "adjustments/?") == {"count": 3, "amount": "112.50", "currency": "USD"}
    assert totals(client, "adjustments/?amount_max=15&kind=adjust")["amount"] == "12.50"
    assert [row["amount"] for row in rows(client, "adjustments/?person=carla")] == ["100.00"]
    assert totals(client, "adjustments/?person=signer")["count"] == 2
    assert totals(client, "requests/?person=carla") == {"count": 1}
    soon = quote((timezone.now() + timedelta(minutes=1)).isoformat())
    assert (totals(client, f"requests/?since={soon}"), totals(client, f"requests/?until={soon}")) == (
        {"count": 0}, {"count": 3},
    )  # fmt: skip
    (lines,) = by_sql("SELECT count(*) FROM jackpot_trail t JOIN jackpot_operator o ON o.id = t.person_id "
                      "WHERE o.username = 'anna'")  # fmt: skip
    assert totals(client, "events/?person=anna") == {"count": lines}
    refused = client.get("/api/v1/events/?totals=true").json()
    assert refused["why"].startswith("Totals of the whole trail take too long. Say one of: act, actor")
    assert client.get("/api/v1/wins/").json()["totals"] is None, "who does not ask pays nothing"
    assert "totals" not in client.get("/api/v1/jackpots/").json()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("amount_min=1e5", "“amount_min”"),
        ("amount_max=１", "“amount_max”"),
        ("amount_min=5&amount_max=4", "“amount_min” is greater than “amount_max”"),
        ("from_day=20261118", "year-month-day"),
        ("from_day=2026-11-19&to_day=2026-11-18", "“from_day” is greater"),
        ("person=nobody", "nobody here signs in as “nobody”"),
        ("person=stranger", "nobody here signs in as “stranger”"),
        ("totals=perhaps", "“totals”"),
        ("amount=5", "There is no filter “amount” here. Known:"),
        ("amount_min=5&amount_min=6", "stands twice"),
    ],
)
def test_what_is_not_understood_is_refused_with_a_sentence(words: str, why: str) -> None:
    a_person("stranger", premises=a_property("OTHER"))
    answer = signed_in(*READS_ALL).get(f"/api/v1/wins/?{words}")
    assert (answer.status_code, why in answer.json()["why"]) == (400, True), answer.json()


def test_two_currencies_are_never_added_up() -> None:
    other = a_property("OTHER", currency="EUR")
    for name, house in (("GRAND", None), ("EURO", other)):
        jackpot, asker = a_jackpot(name, premises=house), a_person(f"asks-{name.lower()}", premises=house)
        asked("adjust", jackpot, amount="1.00", by=asker.username)
    regulator = signed_in(*READS_ALL, username="regulator")
    Operator.objects.filter(username="regulator").update(premises=None)
    assert len(rows(regulator, "adjustments/")) == 2, "over several houses"
    refused = regulator.get("/api/v1/adjustments/?totals=true")
    assert (refused.status_code, "nobody adds up" in refused.json()["why"]) == (400, True)
    assert totals(regulator, "adjustments/?jackpot=EURO")["currency"] == "EUR"


COLUMNS: Final = {
    "wins": ("jackpot_win", {"amount": ["amount"], "day": ["gaming_day"], "person": [
        "marker_id", "asker_id", "payer_id",
    ]}),
    "payments": ("jackpot_payment", {
        "amount": ["gross"], "day": ["gaming_day"], "moment": ["paid_at"], "person": ["payer_id"],
    }),
    "adjustments": ("jackpot_adjustment", {"amount": ["amount"]}),
    "requests": ("jackpot_request", {"moment": ["asked_at"], "person": [
        "asked_by_id", "decided_by_id", "withdrawn_by_id",
    ]}),
    "events": ("jackpot_trail", {"moment": ["at"], "person": ["person_id"]}),
}  # fmt: skip
INDEXED: Final = """
SELECT count(*) FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = %s
 WHERE i.indrelid = %s::regclass AND (i.indkey[0] = a.attnum OR i.indkey[1] = a.attnum AND i.indkey[0] =
       (SELECT attnum FROM pg_attribute p WHERE p.attrelid = i.indrelid AND p.attname = 'premises_id'))
"""


@pytest.mark.parametrize("name", LISTS)
def test_every_filter_is_carried_by_an_index(name: str) -> None:
    """A column that a filter compares leads an index, alone or behind the house; signatures have one by person."""
    table, columns = COLUMNS[name]
    shared = COLUMNS["requests"][1] if name == "adjustments" else {}  # which an adjustment is
    offered = {
        {"from_day": "day", "to_day": "day", "since": "moment", "until": "moment"}.get(word, word.partition("_m")[0])
        for word in LISTS[name].asks().fields
        if word.startswith(("amount_", "from_", "to_", "since", "until", "person")) or word == "day"
    }
    assert offered == set(columns) | set(shared)
    for column in (each for kind in columns.values() for each in kind):
        assert by_sql(INDEXED, column, table)[0], f"{name}: no index on {table}.{column}"
    assert by_sql(INDEXED, "operator_id", "jackpot_signature")[0]
