from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from django.test import Client

from accounting.paper.printing import seals
from accounting.paper.printing.facts import facts_of
from accounting.paper.rules.copies import FILE_COPY
from jackpot.trail.models import Trail
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tests.builders import a_person
from tests.scenes_wins import WinFloor, backed_out

pytestmark = pytest.mark.django_db
CLOCK = re.compile(r"<time .*?</time>")  # its microseconds may be anything, a round's number too


def address_of(win: Win) -> str:
    return facts_of(win, FILE_COPY).sealed.address


def words(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


def test_a_genuine_page_is_told_with_amount_and_state_through_its_life(client: Client) -> None:
    win = WinFloor().royal()
    address = address_of(win)
    assert "Slip 1 is genuine" in words(client, address)
    assert "$20,000.00" in words(client, address)
    assert "Not paid yet" in words(client, address)
    redeem(slip=1, payer=a_person("cage"))
    assert "It has been paid and is not to be paid again." in words(client, address)
    backed_out(win)
    assert "It was backed out and is not to be paid." in words(client, address)


def test_nothing_about_people_seats_or_tables_is_told(client: Client) -> None:
    win = WinFloor().royal()
    told = CLOCK.sub("", words(client, address_of(win)))
    for secret in ("Test Executive", "Test Dealer", "UTH-01", "Royal flush", "0001", "eat 2"):
        assert secret not in told


def test_a_page_printed_before_run_stays_genuine_after_it(client: Client) -> None:
    win = WinFloor().royal()
    amount = win.amount_money
    assert amount is not None
    log = seals.queries.sealing_entries(Win.objects.get(slip=1))[0]
    digest = seals.slip_digest(seals.slips_key(), 1, amount, bytes(log.seal))
    assert log.kind == "log"
    assert "Slip 1 is genuine" in words(client, f"/verify/1/{digest}")


@pytest.mark.parametrize("digest", ["0" * 32, "a", "é", "0" * 64, "½" * 32])
def test_any_other_code_is_not_genuine_and_no_fault(client: Client, digest: str) -> None:
    WinFloor().royal()
    told = words(client, f"/verify/1/{digest}")
    assert "This slip is not genuine" in told
    assert "20,000.00" not in told


def test_a_code_that_nobody_can_type_is_no_address(client: Client) -> None:
    WinFloor().royal()
    answer = client.get("/verify/1/%00")
    assert answer.status_code == 404
    assert "20,000.00" not in answer.content.decode()


def test_the_code_of_one_slip_does_not_vouch_for_another(client: Client) -> None:
    address = address_of(WinFloor().won({2: "royal", 5: "five"})[0])
    assert "not genuine" in words(client, address.replace("/1/", "/2/"))
    assert "not genuine" in words(client, address.replace("/1/", "/999/"))


@pytest.mark.parametrize(("slip", "digest"), [(1, "0" * 32), (1, "x"), (999, "0" * 32)])
def test_a_wrong_code_costs_the_same_whether_the_slip_exists(slip: int, digest: str) -> None:
    WinFloor().royal()
    with patch.object(seals, "slip_digest", wraps=seals.slip_digest) as made:
        assert seals.genuine(slip, digest) is None
    assert made.call_count == 2


def test_another_key_makes_another_code(client: Client, settings: object) -> None:
    address = address_of(WinFloor().royal())
    settings.MASTER_KEY = b"another key"  # type: ignore[attr-defined]
    assert "not genuine" in words(client, address)


@pytest.mark.usefixtures("time_stands")
def test_guessing_codes_is_slowed_where_it_comes_from_and_the_trail_has_a_line_a_minute(client: Client) -> None:
    """A phone that reads pages all evening is never slowed; whoever tries codes is, and is known by the address."""
    address = address_of(WinFloor().royal())
    for _ in range(30):
        assert "Slip 1 is genuine" in words(client, address)
    guesser = {"REMOTE_ADDR": "10.0.0.66"}
    heard = [client.get(f"/verify/1/{guess:032x}", **guesser).status_code for guess in range(25)]
    assert heard == [200] * 20 + [429] * 5
    assert "was not looked up" in client.get(address, **guesser).content.decode()
    assert client.get(address).status_code == 200
    told = Trail.objects.filter(act="look").order_by("actor").values_list("actor", "subject", "outcome")
    assert list(told) == [("10.0.0.66", "slip 1", "refused"), ("127.0.0.1", "slip 1", "done")], "one line of each"
