"""T01 and T25 over real sockets: a whole floor at once, every fraction kept, every sign monotonic, slips without a gap.

T01 plays 5,040 chips; `FAIRMETER_ASKS_ROUNDS=11112` makes it a million (1,000,080), some minutes on two cores, and
`FAIRMETER_ASKS_RATE` another rate. T25 plays 60 rounds of seven tables with eight seats; `FAIRMETER_ASKS_FLOOR=8x7x200`
makes it as many as the ask has.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from typing import Any, Final

from websockets.exceptions import ConnectionClosed

from jackpot.wins.models import Win
from tests.builders import Casino, a_card, a_controller, a_jackpot, a_person, a_table
from tests.controller import HttpController, secret_for
from tests.jackpot.books.api_scene import signed_in
from tests.journeys.room import PINS, Desk
from tests.journeys.sockets import play_at_once
from tests.journeys.visitor import Auditor, BoxSign
from tests.patience import PATIENCE
from tests.tables.hits.test_hit import EXECUTIVE

ROUNDS: Final = int(os.environ.get("FAIRMETER_ASKS_ROUNDS", "56"))
RATE: Final = os.environ.get("FAIRMETER_ASKS_RATE", "14.29")
TABLES, SEATS, HANDS = map(int, os.environ.get("FAIRMETER_ASKS_FLOOR", "7x8x60").split("x"))


def a_floor(tables: int, seats: int, **of_the_jackpot: Any) -> Casino:
    grand = a_jackpot("GRAND", **of_the_jackpot)
    floor = [a_table(f"UTH-{number:02d}", grand, seats=seats) for number in range(1, tables + 1)]
    return Casino(grand.premises, [grand], floor, [a_controller(table) for table in floor])


def test_t01_ten_tables_of_nine_lose_no_fraction(live: Any) -> None:
    """SD 20:18:17:24.02: chips times the rate, 14.29 %; a chip rounded to the cent would have given 14 cents."""
    casino = a_floor(10, 9, meter="7000.00", reserve="0.00", rate=RATE, reserve_rate="0")
    assert play_at_once(live, casino.controllers, seats=9, rounds=ROUNDS) == 20 * ROUNDS
    auditor = Auditor(live, casino.premises)
    chips = 90 * ROUNDS
    stands = Decimal("7000.00") + chips * Decimal(RATE) / 100
    assert Decimal(auditor.balances()["meter"]) == stands
    if (chips, RATE) == (5040, "14.29"):
        assert stands == Decimal("7720.2160")
    assert auditor.proves()


@contextmanager
def watched(live: Any, casino: Casino, signs: Sequence[str], last: str) -> Iterator[list[list[dict[str, Any]]]]:
    """Every frame that these signs hear until each has heard its last figure, each sign in a thread of its own."""
    boxes = [BoxSign(live, code, casino.jackpot) for code in signs]
    frames: list[list[dict[str, Any]]] = [[] for _ in boxes]

    def listen(box: BoxSign, heard: list[dict[str, Any]]) -> None:
        with suppress(ConnectionClosed, TimeoutError):
            while not heard or heard[-1]["meters"][0]["amount"] != last:
                heard.append(box.heard())

    threads = [threading.Thread(target=listen, args=each, daemon=True) for each in zip(boxes, frames, strict=True)]
    for thread in threads:
        thread.start()
    yield frames
    for thread in threads:
        thread.join(PATIENCE)
    for box in boxes:
        box.close()


def test_t25_seven_tables_at_once_and_a_void_page_keeps_its_number(live: Any) -> None:
    """13:69E-1.39C (b): 7 tables x 8 seats x 60 rounds at 65 % and 4 %: 3,360 chips are 2,184.00 and 134.40."""
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PINS[EXECUTIVE])
    casino = a_floor(TABLES, SEATS, meter="9000.00", reserve="0.00", rate="65", reserve_rate="4")
    rounds, chips = TABLES * HANDS, TABLES * SEATS * HANDS
    last = 9000 + chips * Decimal("0.65")
    with watched(live, casino, [f"WALL-{number}" for number in range(1, 4)], last=f"{last:.2f}") as frames:
        play_at_once(live, casino.controllers, seats=SEATS, rounds=HANDS)
    auditor = Auditor(live, casino.premises)
    stands = [Decimal(auditor.balances()[account]) for account in ("meter", "reserve")]
    assert stands == [last, chips * Decimal("0.04")]
    if chips == 3360:
        assert stands == [Decimal("11184.00"), Decimal("134.40")]
    assert auditor.entries() == 1 + rounds, "1, 2, 3 ... without a gap: the take-over and each round"
    for heard in frames:
        told = [(frame["meters"][0]["version"], Decimal(frame["meters"][0]["amount"])) for frame in heard]
        assert told == sorted(told), "no figure falls, and no older one follows a newer"
        assert told[-1] == (1 + rounds, last), "however fast the play, each sign ends at the last figure"
    assert auditor.proves()
    the_page_keeps_its_number(live, casino, last)


def the_page_keeps_its_number(live: Any, casino: Casino, stood: Decimal) -> None:
    """A royal at the first table; its page printed, printed again, void once the win is backed out, and that again."""
    box = HttpController(live, casino.controller, secret_for(casino.controller))
    table = Desk(lambda **words: box.say(**words)[1], "UTH-01")
    table.round = HANDS
    table.bets(4)
    table.asks(seat_4="royal_first_5")
    assert table.pays() == [(4, f"{stood + Decimal('0.65'):.2f}")]
    win = Win.objects.get()
    assert win.slip == 1
    cage = signed_in("pay", "read_books", "approve", username="cage")
    where = f"/api/v1/wins/{win.pk}/"

    def prints(**why: str) -> tuple[str, int, int]:
        told = cage.post(f"{where}copies/", {"form": "letter", **why}, content_type="application/json").json()
        return told["copy"], told["number"], told["slip"]

    assert prints() == ("ORIGINAL", 0, 1)
    assert prints(reason="paper jam") == ("REPRINT 1", 1, 1)
    words = {"reason": "misdeal", "evidence": "camera 7, 02:14", "card": EXECUTIVE, "pin": PINS[EXECUTIVE]}
    told = cage.post(f"{where}back-out/", words, "application/json", headers={"Idempotency-Key": "back-0001"}).json()
    assert told["wins"][0]["state"] == "backed_out"
    assert prints(reason="void page for the file") == ("VOID", 2, 1)
    assert prints(reason="the file's was wet") == ("VOID", 3, 1)
