"""A small house with two administrators, and a browser for each."""

from __future__ import annotations

from typing import Any, Final

from django.test import Client

from accounting.setup_desk.actions.founding import Founder, FoundingWish, code_of_today, found_house
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN
from jackpot.signing.actions import SecondPerson, kind_of, sign

WORDS: Final = ("three words only one joins", "another row of plain words")
JACKPOT: Final = {
    "code": "GRAND", "name": "Grand", "wager": "1.00", "seed": "10000.00", "rate": "25", "reserve_rate": "5",
    "pay_table": {"game": "uth", "code": "PT01", "fixed_from": "tray"},
}  # fmt: skip
JACKPOT_FORM: Final = {
    "code": "GRAND", "name": "Grand", "pay_table": "uth:PT01", "fixed_from": "tray", "wager": "1.00",
    "seed": "10,000.00", "rate": "25", "reserve_rate": "5", "opening": "seed", "act": "make",
}  # fmt: skip
TABLES_FORM: Final = {"code": "T-01…T-03", "game": "uth", "seats": "7", "wager": "1.00", "profile": "card",
                      "bank": "house", "act": "make"}  # fmt: skip


def a_founding(**changed: Any) -> FoundingWish:
    told: dict[str, Any] = {
        "code": code_of_today(), "property": {"code": "NEW", "name": "New Card Room", "time_zone": "America/Denver"},
        "first": Founder("ann", "Test Ann", WORDS[0], WORDS[0]),
        "second": Founder("bob", "Test Bob", WORDS[1], WORDS[1]),
    }  # fmt: skip
    return FoundingWish(**{**told, **changed})


def a_new_house() -> Property:
    return found_house(wish=a_founding(), address="127.0.0.1")


def person(username: str) -> Operator:
    return Operator.objects.get(username=username)


def browser(username: str) -> Client:
    client = Client()
    client.force_login(person(username))
    return client


def signed(row: Request, by: str = "bob") -> Request:
    """The second person's word, as soon as the laboratory's figures are there."""
    kind_of(row.kind).finish(row, None, wait=60)
    done: Request = sign(request_id=row.pk, approver=SecondPerson(person(by)))
    return done


def post(client: Client, part: str, **typed: str) -> str:
    return client.post(f"/office/setup/part-{part}/", typed, follow=True).content.decode()


def an_opened_jackpot(client: Client) -> Jackpot:
    post(client, "jackpots", **JACKPOT_FORM)
    signed(Request.objects.get(kind="set_up", state__in=OPEN))
    return Jackpot.objects.get(code="GRAND")
