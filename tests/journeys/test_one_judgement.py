"""V5, V5b, V22 and V24 through the door of the devices, with everything recorded that the sign was told meanwhile."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from websockets.exceptions import ConnectionClosed

from jackpot.books.models.jackpot import Jackpot
from jackpot.property.models.property import Property
from tests.builders import a_pay_table, a_sign
from tests.journeys.room import Desk, Room
from tests.patience import PATIENCE
from tests.tables.hits.test_hit import REF_B
from tests.tables.signs.scene import listening

ENVY = a_pay_table(lines=[{"code": "royal", "name": "Royal flush", "part": "1", "envy": "1000.00"}])


class Recorder:
    """Everything one sign hears."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    @property
    def now(self) -> tuple[str, str | None, list[tuple[str, str]]]:
        words = self.heard[-1]
        verifying = [(each["table"], each["amount"]) for each in words["verifying"]]
        return words["meters"][0]["amount"], words["meters"][0]["reason"], verifying

    def waits(self, told: Callable[[Recorder], bool]) -> None:
        until = time.monotonic() + PATIENCE
        while not (self.heard and told(self)):
            assert time.monotonic() < until, self.heard[-1:]
            time.sleep(0.02)

    def says(self, amount: str, *verifying: tuple[str, str], reason: str | None = "verifying") -> None:
        self.waits(lambda it: it.now == (amount, reason, list(verifying)))

    def never_falls_without_a_word(self) -> None:
        meters = [words["meters"][0] for words in self.heard]
        for before, after in pairwise(meters):
            if float(after["amount"]) < float(before["amount"]):
                assert after["version"] > before["version"]
                assert after["reason"]


@contextmanager
def recorded(room: Room) -> Iterator[Recorder]:
    a_sign("WALL", Jackpot.objects.get())
    Property.objects.update(demo=True)
    recorder = Recorder()
    with listening(room.live, "WALL") as socket:

        def hears() -> None:
            try:
                for told in socket:
                    words = json.loads(told)
                    if "meters" in words:
                        recorder.heard.append(words)
            except ConnectionClosed:
                return

        thread = threading.Thread(target=hears, daemon=True)
        thread.start()
        yield recorder
        recorder.never_falls_without_a_word()
    thread.join(PATIENCE)


def two_royals(a: Desk, b: Desk) -> None:
    """A marks at 20,000.00 / 617.25; B has three coin-ins and marks at 20,002.10."""
    a.bets(1)
    a.marks(seat_1="royal")
    b.bets(1, 2, 3)
    b.marks(seat_2="royal")
    a.does("confirm", round=a.round)
    assert [due["amount"] for due in b.does("confirm", round=b.round)["hits"]] == ["10619.35"]


def test_v22_two_asked_hits_are_told_as_they_are_then_paid(room: Room) -> None:
    a, b, c = room.ref_b(3, "19999.30", "617.20")
    with recorded(room) as sign:
        two_royals(a, b)
        sign.says("10000.15", (a.table, "20000.00"), (b.table, "10619.35"))
        c.plays(1, 2, 3, 4)
        sign.says("10002.95", (a.table, "20000.00"), (b.table, "10619.35"))
        assert a.pays() == [(1, "20000.00")]
        sign.says("10002.95", (b.table, "10619.35"))
        assert b.pays() == [(2, "10619.35")]
        sign.says("10002.95", reason="won")
    assert room.stands() == ("10002.95", "0.20")


def test_v5_a_rejected_hit_gives_the_figure_back_as_not_confirmed(room: Room) -> None:
    a, b = room.ref_b(2, "19999.30", "617.20")
    with recorded(room) as sign:
        a.bets(1)
        a.marks(seat_1="royal")
        b.plays(1, 2, 3)
        sign.says("20002.10", reason=None)
        a.does("confirm", round=a.round)
        sign.says("10619.35", (a.table, "20000.00"))
        a.does("reject", round=a.round, reason="seat 1 held a pair")
        sign.says("20002.10", reason="not confirmed")


def test_v5b_the_first_is_rejected_and_the_second_is_worth_the_whole_meter(room: Room) -> None:
    a, b = room.ref_b(2, "19999.30", "617.20")
    with recorded(room) as sign:
        two_royals(a, b)
        a.does("reject", round=a.round, reason="seat 1 held a pair")
        sign.says("10617.40", (b.table, "20002.10"))
        assert b.pays() == [(2, "20002.10")]
        sign.says("10617.40", reason="won")


def test_v24_envy_is_told_before_it_is_paid_and_the_approval_lowers_nothing(room: Room) -> None:
    (a,) = room.ref_b(1, "19997.90", "617.10", pay_table=ENVY)
    with recorded(room) as sign:
        a.bets(1, 3, 5)
        a.asks(seat_3="royal")
        sign.says("8617.25", (a.table, "20000.00"))
        at = len(sign.heard)
        assert a.pays() == [(3, "20000.00"), (5, "1000.00"), (1, "1000.00")]
        sign.says("8617.25", reason="won")
        assert {words["meters"][0]["amount"] for words in sign.heard[at:]} == {"8617.25"}
        assert sign.heard[-1]["last"]["amount"] == "20000.00"


def test_a_full_house_beside_a_royal_is_not_promised_again(room: Room) -> None:
    lines = [*REF_B, {"code": "full_house", "name": "Full house", "for_one": 10, "source": "meter"}]
    (a,) = room.ref_b(1, "9999.60", "0.00", pay_table=a_pay_table(source="meter", lines=lines), reserve_rate="0")
    with recorded(room) as sign:
        a.bets(2, 5)
        a.asks(seat_2="royal", seat_5="full_house")
        sign.says("10000.00", (a.table, "10.00"), (a.table, "9991.00"))
        assert a.pays() == [(5, "10.00"), (2, "9991.00")]
        sign.says("10000.00", reason="won")
