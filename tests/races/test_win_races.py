"""Wins under real threads on real PostgreSQL: whoever comes in between, one award, one number, one payment."""

from __future__ import annotations

import contextlib
import time
import urllib.error
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from jackpot.books.models.entry import Entry
from jackpot.refusals import Refused
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.hits.actions.undo import void_round
from tables.rounds.models.round import Round
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import EndRequest
from tests.builders import CARD_PIN, a_card, a_person
from tests.controller import HttpController, secret_for
from tests.deep import often
from tests.hands import with_cards
from tests.living import Live
from tests.mortal import MortalServer
from tests.patience import PATIENCE
from tests.races.life_checks import Needs, check_everything
from tests.races.test_books import at_once
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR, Floor, ref_b

pytestmark = pytest.mark.race
OTHER = "600000000002"


def tried(act: Callable[..., Any], **told: Any) -> Any:
    """The answer, or the refusal as it was said."""
    try:
        return act(**told)
    except Refused as refusal:
        return refusal


def holds(floor: Floor) -> bool:
    floor.casino.premises.refresh_from_db()
    check_everything(floor.casino.premises, partial(Needs.of, floor.casino.premises, []))
    verdict = prove()
    assert verdict.holds, verdict.plain()
    return True


def side_by_side(*acts: Callable[[], Any]) -> list[Any]:
    """Every act in a thread of its own, all begun in the same instant; their answers in order."""
    answers: list[Any] = [None] * len(acts)

    def run(number: int) -> None:
        answers[number] = acts[number]()

    assert at_once(run, len(acts)) == []
    return answers


def two_supervisors_approve(times: int) -> Floor:
    floor = ref_b(meter="4000.00", reserve="0.00")
    a_card(a_person("other"), number=OTHER, level="supervisor", pin=CARD_PIN)
    for _ in range(times):
        floor.coin_in("1")
        floor.mark(1, "five")
        floor.confirm()
        approve = partial(tried, hit.swipe, **floor.place(0))
        heard = side_by_side(
            partial(approve, card=SUPERVISOR, pin=CARD_PIN), partial(approve, card=OTHER, pin=CARD_PIN)
        )
        done, refused = sorted(heard, key=lambda one: isinstance(one, Refused))
        assert refused.code == "approved", refused
        assert f"slip {done['wins'][0]['slip']}" in refused.why
        assert done["who"] in refused.why
        assert floor.say(EndRequest(floor.rounds[0]))
    assert Entry.objects.filter(kind="award").count() == Win.objects.filter(state="owed").count() == times
    return floor


def test_two_supervisors_approve_the_same_hit_in_the_same_instant_again_and_again(fresh_database: str) -> None:
    assert holds(two_supervisors_approve(often(50, deep=200)))


def test_sixteen_windows_redeem_one_slip_and_one_pays(fresh_database: str) -> None:
    floor = ref_b()
    floor.coin_in("1")
    floor.mark(1, "five")
    floor.confirm()
    floor.card(SUPERVISOR, CARD_PIN)
    payers = [a_person(f"cage-{number}") for number in range(16)]
    heard = side_by_side(*(lambda payer=payer: tried(redeem, slip=1, payer=payer) for payer in payers))
    [paid] = [one for one in heard if not isinstance(one, Refused)]
    assert {one.code for one in heard if one is not paid} == {"paid"}
    assert all(f"by {paid.paid_by}" in one.why and paid.paid_at.strftime("%H:%M") in one.why
               for one in heard if one is not paid)  # fmt: skip
    assert Entry.objects.filter(kind="pay").count() == 1
    assert holds(floor)


@pytest.mark.parametrize("rounds", [12])
def test_approve_reject_unmark_void_and_end_at_once_leave_one_end_of_the_hit(fresh_database: str, rounds: int) -> None:
    floor, ends = ref_b(meter="4000.00"), Counter[str]()
    for _ in range(rounds):
        number = floor.coin_in("12")
        floor.mark(1, "five")
        floor.confirm()
        place = floor.place(0)
        card, reject, void, _, _ = side_by_side(
            lambda place=place: tried(hit.swipe, **place, card=SUPERVISOR, pin=CARD_PIN),
            lambda place=place: tried(hit.reject, **place, by="Test Supervisor", why="a pair"),
            lambda place=place: tried(void_round, **place, by="Test Supervisor", reason="misdeal"),
            lambda place=place: tried(hit.unmark, **place, seat=1, hand="five", by="Test Dealer"),
            lambda number=number: floor.say(EndRequest(number)),
        )
        win, round_ = Win.objects.get(round_number=number), Round.objects.get(number=number)
        ends[win.state] += 1
        done = {act for act, told in (("owed", card), ("rejected", reject)) if not isinstance(told, Refused)}
        assert done == {win.state} - {"fell"}
        assert (round_.state == "void") == (not isinstance(void, Refused))
        assert not (win.state == "owed" and round_.state == "void")
        assert floor.say(EndRequest(number)), "whatever happened, the table can go on"
    assert sum(ends.values()) == rounds
    assert holds(floor)


def test_two_top_hits_at_two_tables_within_a_moment_are_paid_in_the_order_of_their_marks(fresh_database: str) -> None:
    floor = ref_b(2, meter="19998.60", reserve="617.15")
    floor.coin_in("3", 0)
    floor.coin_in("5", 1)
    side_by_side(lambda: floor.mark(3, "royal", 0), lambda: floor.mark(5, "royal", 1))
    side_by_side(lambda: floor.confirm(0), lambda: floor.confirm(1))
    first, second = (win.table_code for win in Win.objects.order_by("mark_seq"))

    def approve(table: int) -> list[Any]:
        told: list[Any] = []
        while not told or isinstance(told[-1], Refused):
            told.append(tried(hit.swipe, **floor.place(table), card=EXECUTIVE, pin="274916"))
        return told

    heard = dict(zip(("UTH-01", "UTH-02"), side_by_side(lambda: approve(0), lambda: approve(1)), strict=True))
    assert [one["wins"][0]["amount"] for one in (heard[first][-1], heard[second][-1])] == ["20000.00", "10617.25"]
    assert {one.code for one in heard[second][:-1]} <= {"queue"}
    assert heard[first][:-1] == []
    assert floor.stands() == ("10000.00", "0.00")
    assert holds(floor)


def test_the_first_of_three_is_cancelled_while_the_others_press(fresh_database: str) -> None:
    floor = ref_b(4, meter="19999.30", reserve="617.20")
    for table, seats, between in ((0, "1", 3), (1, "47", 4), (2, "2", 0)):
        floor.coin_in(seats, table)
        floor.mark(int(seats[0]), "royal", table)
        floor.coin_ins(between, 3)
        floor.confirm(table)
    pressing = [lambda table=table: tried(floor.card, table=table) for table in (1, 2)]
    cancel = lambda: hit.reject(**floor.place(0), by="Test Supervisor", why="seat 1 held a pair")  # noqa: E731
    side_by_side(*pressing, *pressing, cancel)
    for press in (*pressing, *pressing):
        press()
    told = [(win.table_code, win.state, str(win.amount_money)) for win in Win.objects.order_by("mark_seq")]
    # B marked at 20,003.50 / 617.50; C four chips and one of its own later, at what B left: 10,621.00
    assert told == [
        ("UTH-01", "rejected", "None"), ("UTH-02", "owed", "20003.50"), ("UTH-03", "owed", "10621.00"),
    ]  # fmt: skip
    assert floor.stands() == ("10000.25", "0.00")
    assert holds(floor)


def test_a_recorded_swipe_said_again_is_refused_and_so_is_the_card_itself(live: Live) -> None:
    floor = ref_b()
    box = HttpController(live, floor.casino.controller, secret_for(floor.casino.controller))
    for words in ({"do": "coin_in", "seats": [1]}, {"do": "mark", "seat": 1, "hand": "five"}, {"do": "confirm"}):
        assert box.say(round=1, **words)[0] == 200
    with_cards("UTH-01", 1)
    swipe = b'{"do":"card","round":1,"card":"600000000001"}'
    assert box.send(swipe)[1]["wins"][0]["win"] == 1
    status, answer = box.send(swipe, sequence=str(box.sequence))
    assert (status, answer["code"]) == (401, "replay")
    status, answer = box.send(swipe)
    assert (status, answer["code"]) == (409, "approved")
    assert "is slip 1, approved by Test Supervisor" in answer["why"]
    assert holds(floor)


@pytest.fixture
def server(fresh_database: str, tmp_path: Path) -> Iterator[MortalServer]:
    mortal = MortalServer(fresh_database, tmp_path)
    mortal.start()
    yield mortal
    mortal.close()


def says(box: HttpController, **words: Any) -> dict[str, Any]:
    """Until it is answered, as a controller does: the listening socket outlives the process."""
    given_up = time.monotonic() + PATIENCE
    while time.monotonic() < given_up:
        with contextlib.suppress(OSError, urllib.error.URLError, ValueError):
            status, answer = box.say(**words)
            if status != 503:
                return answer
        time.sleep(0.05)
    raise AssertionError(f"{words} was never answered")


@pytest.mark.drill
def test_the_web_is_killed_between_the_card_and_the_page(server: MortalServer) -> None:
    floor = ref_b(meter="4000.00")
    device = floor.casino.controller
    box = HttpController(server.live, device, secret_for(device))
    seen = Counter[str]()
    for number, moment in enumerate((0.0, 0.002, 0.004, 0.006, 0.008, 0.012, 0.02, 0.04), start=1):
        says(box, do="coin_in", round=number, seats=[1])
        says(box, do="mark", round=number, seat=1, hand="five")
        says(box, do="confirm", round=number)
        with_cards("UTH-01", number)
        with ThreadPoolExecutor(1) as pool:
            swiping = pool.submit(tried_once, box, number)
            time.sleep(moment)
            server.kill()
            server.start()
            swiping.result()
        hits = says(box, do="hello", device=device.code, version="2.0.0", profile="card")["open_round"]["hits"]
        again = says(box, do="card", round=number, card=SUPERVISOR, pin=CARD_PIN)
        stands = Win.objects.get(round_number=number)
        seen[hits[0]["state"]] += 1
        if hits[0]["state"] == "owed":
            assert (again["code"], hits[0]["win"]) == ("approved", stands.number)
            assert f"is slip {stands.slip}, approved" in again["why"]
        else:
            assert again["wins"][0]["win"] == stands.number
        assert says(box, do="end", round=number)["ok"]
    assert seen["owed"] + seen["asked"] == 8
    assert list(Win.objects.order_by("number").values_list("number", "slip")) == [(n, n) for n in range(1, 9)]
    assert Entry.objects.filter(kind="award").count() == 8
    connection.close()
    assert holds(floor)


def tried_once(box: HttpController, number: int) -> None:
    with contextlib.suppress(OSError, urllib.error.URLError, ValueError):
        box.say(do="card", round=number, card=SUPERVISOR, pin=CARD_PIN)
