"""V9, V9b and V10 with other parts, three jackpots, no reserve, a limit, two tables and a cancelled first of three.

Boxes play, people act over the API, the auditor reads; the figures are worked out by hand.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from jackpot.people.models import Operator
from jackpot.wins.models import Win
from tests.builders import a_pay_table, a_person
from tests.journeys.room import PINS, Room
from tests.journeys.story import played, three, told
from tests.journeys.test_vectors_varied import KEPT, NONE, ROYAL
from tests.journeys.test_wins_orders import posts
from tests.tables.hits.test_hit import EXECUTIVE, REF_B

WORDS = {"reason": "misdeal", "evidence": "camera 7, 02:14", "card": EXECUTIVE, "pin": PINS[EXECUTIVE]}
ALL = ("GRAND", "MIDI", "MINI")
UP = "B plays 1 2 3 4 5;" * 19  # with five more of C: 100 coin-ins, +70.00, +5.00


def backs_out(table: str, jackpot: str = "GRAND", **more: Any) -> dict[str, Any]:
    """The pit asks, the executive's card signs."""
    pit = Client()
    pit.force_login(
        Operator.objects.filter(username="pit").first() or a_person("pit", may=("see", "verify", "approve"))
    )
    win = Win.objects.get(table_code=table, jackpot__code=jackpot, state__in=["owed", "paid", "asked", "rejected"])
    return posts(pit, win.pk, "back-out", uuid4().hex, **WORDS, **more)


V9: list[tuple[str, tuple[str, str], dict[str, Any], str, str, str]] = [
    ("a part", ("19999.30", "617.20"), {}, "A bets 3; A asks 3=five; A pays 3=1000.00; B plays 1 2 3 4 5",
     "UTH-01", "20003.50 / 617.50 / 0.00"),
    ("a limit", ("19999.30", "617.20"), {"limit": "20001.00"},  # 10,619.35 + 9,382.75 = 20,002.10
     "A bets 3; A asks 3=royal; A pays 3=20000.00; B plays 1 2 3", "UTH-01", "20001.00 / 617.40 / 1.10"),
    ("the later of two tables", ("19998.60", "617.15"), {},
     "A bets 3; B bets 5; A asks 3=royal; B asks 5=royal; A pays 3=20000.00; B pays 5=10617.25; C plays 1 2",
     "UTH-02", "10618.65 / 0.10 / 0.00"),
    ("the first of three was cancelled", ("19997.90", "617.10"), {},
     ("A bets 1; B bets 3; C bets 5; A asks 1=royal; B asks 3=royal; C asks 5=five; A rejects; B pays 3=20000.00;"
     "C rejects; D plays 1 2 3"), "UTH-02", "20002.10 / 617.40 / 0.00"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("opening", "terms", "story", "undone", "stands"), [each[1:] for each in V9], ids=[each[0] for each in V9]
)
def test_v9_a_back_out_returns_everything(
    room_indoors: Room, opening: tuple[str, str], terms: dict[str, Any], story: str, undone: str, stands: str
) -> None:
    played(room_indoors.ref_b(4, *opening, **terms), story)
    assert backs_out(undone)["ok"]
    assert told(room_indoors) == stands


def test_v9_of_three_jackpots_one_is_taken_back_and_the_others_stay(room_indoors: Room) -> None:
    desks = room_indoors.opens(three(ROYAL, *KEPT, tables=2))
    played(desks, "A bets 6; A asks 6=royal; A pays 6=20000.50 6=3000.20 6=150.10; B plays 2 3 7")
    assert backs_out("UTH-01", "MIDI")["ok"]
    assert told(room_indoors, ALL) == "10101.51 / 0.03 / 0.00 · 3000.80 / 0.04 / 0.00 · 100.31 / 0.03 / 0.00"


V9B: list[tuple[str, tuple[str, str], dict[str, Any], str, str, str]] = [
    # without A's royal B would have counted from 20,070.00
    ("ten per cent", ("19999.30", "617.20"), {}, "C asks 7=straight_flush; C pays 7=1068.73", "938.27",
     "19001.27 / 622.25 / 0.00"),
    ("a second royal", ("19999.30", "617.20"), {}, "C asks 7=royal; C pays 7=10687.25", "9382.75",
     "19387.75 / 617.25 / 0.00"),
    ("no reserve", ("19999.30", "0.00"), NONE, "C asks 7=five; C pays 7=503.50", "500.00", "19566.50 / 0.00 / 0.00"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("opening", "terms", "story", "owed", "stands"), [each[1:] for each in V9B], ids=[each[0] for each in V9B]
)
def test_v9b_the_later_winner_is_shown_with_the_difference(
    room_indoors: Room, opening: tuple[str, str], terms: dict[str, Any], story: str, owed: str, stands: str
) -> None:
    desks = room_indoors.ref_b(3, *opening, **terms)
    played(desks, "A bets 4; A asks 4=royal; A pays 4=20000.00;" + UP + "C bets 1 2 3 6 7")
    played(desks, story)
    refused = backs_out("UTH-01")
    assert (refused["code"], owed in refused["why"]) == ("differences", True), refused
    assert backs_out("UTH-01", differences_seen=True)["ok"]
    assert told(room_indoors) == stands


def test_v9b_with_the_first_of_three_cancelled_the_open_third_holds_the_back_out_up(room_indoors: Room) -> None:
    """C's five counts from 10,617.25 after B's royal: 530.86; from 20,000.00 it would have been 1,000.00."""
    desks = room_indoors.ref_b(3, "19997.90", "617.10")
    played(desks, "A bets 1; B bets 3; C bets 5; A asks 1=royal; B asks 3=royal; C asks 5=five; A rejects")
    played(desks, "B pays 3=20000.00")
    assert "Five percent at UTH-03 is still open" in backs_out("UTH-02")["why"]
    played(desks, "C pays 5=530.86")
    assert "469.14" in backs_out("UTH-02")["why"]
    assert backs_out("UTH-02", differences_seen=True)["ok"]
    assert told(room_indoors) == "19469.14 / 617.25 / 0.00"


def waits(changes: dict[str, str]) -> None:
    """One asks for other terms, another approves: they wait for the next reset."""
    clients = [Client(), Client()]
    for client, name in zip(clients, ("ann", "bob"), strict=True):
        client.force_login(
            a_person(name, may=("see", "read_books", "configure", "override", "approve"), password="right")
        )
    path, asked = "/api/v1/jackpots/GRAND", {"changes": changes, "reason": "the season"}
    answer = clients[0].post(f"{path}/versions/", asked, content_type="application/json").json()
    approved = clients[1].post(
        f"{path}/changes/{answer['change']['number']}/approve/", {"password": "right"}, "application/json"
    )
    assert approved.status_code == 200, approved.json()


SEASON = {"rate": "60", "seed": "12000.00"}
V10: list[tuple[str, tuple[str, str], dict[str, Any], dict[str, str], str, str]] = [
    ("a part activates nothing", ("19999.30", "617.20"), {}, SEASON,
     "A bets 2; A asks 2=five; A pays 2=1000.00; C plays 1 2 3 4 5", "19003.50 / 617.50 / 0.00"),
    ("no reserve", ("19999.30", "0.00"), NONE, SEASON,
     "A bets 2; A asks 2=royal; A pays 2=20000.00; C plays 1 2 3 4 5", "12003.00 / 0.00 / 0.00"),
    ("a new limit", ("19999.30", "617.20"), {"limit": "30000.00"}, {**SEASON, "limit": "20100.00"},
     "A bets 2; A asks 2=royal; A pays 2=20000.00; C plays 1 2 3 4 5", "12620.25 / 0.25 / 0.00"),
    ("two tables", ("19998.60", "617.15"), {}, SEASON,  # the second counts from the new seed and begins it again
     "A bets 2; B bets 5; A asks 2=royal; B asks 5=royal; A pays 2=20000.00; B pays 5=12617.25; C plays 1 2 3 4 5",
     "12003.00 / 0.25 / 0.00"),
    ("the first of three cancelled", ("19997.90", "617.10"), {}, SEASON,  # 5 % of 12,617.25 = 630.8625
     ("A bets 2; B bets 5; C bets 1; A asks 2=royal; B asks 5=royal; C asks 1=five; A rejects; B pays 5=20000.00;"
     "C pays 1=630.86; C plays 1 2 3 4 5"), "11989.39 / 0.25 / 0.00"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("opening", "terms", "changes", "story", "stands"), [each[1:] for each in V10], ids=[each[0] for each in V10]
)
def test_v10_new_terms_begin_with_the_reset(
    room_indoors: Room,
    opening: tuple[str, str],
    terms: dict[str, Any],
    changes: dict[str, str],
    story: str,
    stands: str,
) -> None:
    desks = room_indoors.ref_b(3, *opening, **terms)
    waits(changes)
    played(desks, story)
    assert told(room_indoors) == stands


def test_v10_of_three_jackpots_only_the_one_that_changed(room_indoors: Room) -> None:
    desks = room_indoors.opens(three(ROYAL, *KEPT, tables=2))
    waits({"rate": "40", "seed": "12000.00"})
    played(desks, "A bets 6; A asks 6=royal; A pays 6=20000.50 6=3000.20 6=150.10; B plays 1 2 3 4 5")
    assert told(room_indoors, ALL) == "12102.01 / 0.05 / 0.00 · 1001.01 / 0.05 / 0.00 · 100.51 / 0.05 / 0.00"


def test_v9_a_tray_award_comes_back_from_the_house_alone(room_indoors: Room) -> None:
    lines = [*REF_B, {"code": "ten", "name": "Ten for one", "for_one": 10, "source": "tray"}]
    desks = room_indoors.ref_b(2, "19999.30", "617.20", pay_table=a_pay_table(lines=lines))
    played(desks, "A bets 3; A asks 3=ten; A supervised 3=10.00; B plays 1 2")
    assert backs_out("UTH-01")["ok"]
    assert told(room_indoors) == "20001.40 / 617.35 / 0.00"
    assert room_indoors.auditor.balances()["winners"] == "0.00"
