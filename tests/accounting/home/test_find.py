"""One box for everything, and nothing in it that one may not read."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from accounting.home.queries.find import found_for
from jackpot.people.models import Operator
from tests.accounting.reports.report_scene import PlayedHouse
from tests.builders import a_person, a_property
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db
READS = ("see", "read_books", "read_trail")


@pytest.fixture(scope="module", autouse=True)
def house(around_all: None) -> PlayedHouse:
    return PlayedHouse()


@pytest.mark.parametrize(
    ("typed", "href"),
    [
        ("slip 2", "/office/wins/2/"), ("GRAND 3", "/jackpots/GRAND/ledger/3/"), ("UTH-01/1", "/rounds/UTH-01/1/"),
        ("GRAND", "/jackpots/GRAND/"), ("UTH-02", "/rounds/?table=UTH-02"), ("five percent", "/office/wins/1/"),
        ("cashier", "/office/reports/access/?person=Test%20Cashier"), ("misdeal", "/office/requests/1/"),
        ("liability", "/office/reports/liability/"), ("laborat", "/office/lab/"),
        ("journal", "/office/reports/journal/"), ("Request 1", "/office/requests/1/"),
    ],
)  # fmt: skip
def test_whatever_one_has_in_hand_is_found(house: PlayedHouse, typed: str, href: str) -> None:
    href = href.replace("/office/requests/1/", f"/office/requests/{house.wins[2].requests.get().pk}/")
    typed = typed.replace("Request 1", f"Request {house.wins[2].requests.get().pk}")
    if typed == "five percent":
        href = f"/office/wins/{next(win.slip for win in house.wins if win.line == 'five')}/"
    answer = signed_in(*READS).get("/office/find/", {"q": typed})
    found = (
        [answer.url] if answer.status_code == 302 else [t.href for _, group in answer.context["groups"] for t in group]
    )
    assert href in found


def test_nobody_finds_what_they_may_not_read_nor_another_house() -> None:
    seen = signed_in("see", username="looker").get("/office/find/", {"q": "cashier"})
    assert seen.context["groups"] == []
    stranger = signed_in(*READS, username="stranger", premises=a_property("OTHER"))
    for typed in ("slip 2", "GRAND 3", "cashier", "UTH-02"):
        assert stranger.get("/office/find/", {"q": typed}).context["groups"] == [], typed


@pytest.mark.parametrize("name", ["Ann & Co", "Ann #2", "Ann + Bob", "50% Ann"])
def test_a_person_of_any_name_is_led_to(name: str) -> None:
    """What means something in an address does not cut the name short."""
    Operator.objects.filter(pk=a_person("looked-for").pk).update(name=name)
    (found,) = found_for(a_person("reader", may=READS), "looked-for")
    assert parse_qs(urlsplit(found.href).query) == {"person": [name]}
    assert not urlsplit(found.href).fragment
