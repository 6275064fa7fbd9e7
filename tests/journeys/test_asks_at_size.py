"""T01 and T25 over real sockets: a whole floor at once, every fraction kept, every sign monotonic, slips without a gap.

T01 plays 5,040 chips; `FAIRMETER_ASKS_ROUNDS=11112` makes it a million (1,000,080), some minutes on two cores.
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


def a_floor(tables: int, seats: int, **of_the_jackpot: Any) -> Casino:
    grand = a_jackpot("GRAND", **of_the_jackpot)
    floor = [a_table(f"UTH-{number:02d}", grand, seats=seats) for number in range(1, tables + 1)]
    return Casino(grand.premises, [grand], floor, [a_controller(table) for table in floor])


def test_t01_ten_tables_of_nine_lose_no_fraction(live: Any) -> None:
    """SD 20:18:17:24.02: chips times the rate, 14.29 %; a chip rounded to the cent would have given 14 cents."""
    casino = a_floor(10, 9, meter="7000.00", reserve="0.00", rate="14.29", reserve_rate="0")
    assert play_at_once(live, casino.controllers, seats=9, rounds=ROUNDS) == 20 * ROUNDS
    auditor = Auditor(live, casino.premises)
    chips = 90 * ROUNDS
    stands = Decimal("7000.00") + chips * Decimal("0.1429")
    assert auditor.balances()["meter"].rstrip("0") == str(stands).rstrip("0")
    if chips == 5040:
        assert str(stands) == "7720.2160"
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
    """13:69E-1.39C (b): 7 tables x 8 seats x 60 rounds at 65 % and 4 %: 3,360 chips."""
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PINS[EXECUTIVE])
    casino = a_floor(7, 8, meter="9000.00", reserve="0.00", rate="65", reserve_rate="4")
    with watched(live, casino, ("WALL-1", "WALL-2", "WALL-3"), last="11184.00") as frames:
        play_at_once(live, casino.controllers, seats=8, rounds=60)
    auditor = Auditor(live, casino.premises)
    assert (auditor.balances()["meter"], auditor.balances()["reserve"]) == ("11184.00", "134.40")
    assert auditor.entries() == 1 + 7 * 60, "1, 2, 3 ... without a gap: the take-over and each round"
    for heard in frames:
        told = [(frame["meters"][0]["version"], Decimal(frame["meters"][0]["amount"])) for frame in heard]
        assert told == sorted(told), "no figure falls, and no older one follows a newer"
        assert told[-1] == (1 + 7 * 60, Decimal("11184.00")), "however fast the play, each sign ends at the last figure"
    assert auditor.proves()
    the_page_keeps_its_number(live, casino)


def the_page_keeps_its_number(live: Any, casino: Casino) -> None:
    """A royal at the first table; its page printed, printed again, and void once the win is backed out, by the API."""
    box = HttpController(live, casino.controller, secret_for(casino.controller))
    table = Desk(lambda **words: box.say(**words)[1], "UTH-01")
    table.round = 60
    table.bets(4)
    table.asks(seat_4="royal_first_5")
    assert table.pays() == [(4, "11184.65")]
    win = Win.objects.get()
    assert win.slip == 1
    cage = signed_in("pay", "read_books", "approve", username="cage")
    where = f"/api/v1/wins/{win.pk}/"

    def prints(**why: str) -> tuple[str, int]:
        told = cage.post(f"{where}copies/", {"form": "letter", **why}, content_type="application/json").json()
        return told["copy"], told["slip"]

    assert prints() == ("ORIGINAL", 1)
    assert prints(reason="paper jam") == ("REPRINT 1", 1)
    words = {"reason": "misdeal", "evidence": "camera 7, 02:14", "card": EXECUTIVE, "pin": PINS[EXECUTIVE]}
    told = cage.post(f"{where}back-out/", words, "application/json", headers={"Idempotency-Key": "back-0001"}).json()
    assert told["wins"][0]["state"] == "backed_out"
    assert prints(reason="void page for the file") == ("VOID", 1)
