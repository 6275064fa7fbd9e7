"""Real threads on real PostgreSQL: the lock order, the numbers and the sums hold."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from jackpot.books.actions.post import EntryReference, open_books
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from tests.builders import a_jackpot

pytestmark = pytest.mark.race
THREADS, ROUNDS, SEATS = 8, 40, 7


def at_once(act: Callable[[int], None], times: int = THREADS) -> list[BaseException]:
    """Runs the act in threads that start together; returns what they met."""
    met: list[BaseException] = []
    start = threading.Barrier(times)

    def run(number: int) -> None:
        try:
            start.wait()
            act(number)
        except BaseException as problem:  # noqa: BLE001 - shown to the test
            met.append(problem)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return met


def test_eight_tables_on_two_jackpots_in_opposite_order(fresh_database: str) -> None:
    ids = [a_jackpot(code, rate=rate, reserve_rate="5").id for code, rate in (("GRAND", "60"), ("MINI", "10"))]

    def play(table: int) -> None:
        order = ids if table % 2 else ids[::-1]
        for number in range(ROUNDS):
            about = EntryReference(f"UTH-{table:02d}/{number}/1", bytes(32), f"UTH-{table:02d}", number)
            with open_books(order) as books:
                for jackpot_id in order:
                    books.coin_in(jackpot_id, SEATS, about)

    assert at_once(play) == []
    chips = THREADS * ROUNDS * SEATS
    for jackpot, part in zip(Jackpot.objects.order_by("id"), ("0.60", "0.10"), strict=True):
        assert jackpot.meter_money == Money.of("10000.00") + Money.of(part) * chips
        assert Money.of(jackpot.reserve) == Money.of("0.05") * chips
        numbers = list(jackpot.entries.values_list("seq", flat=True))
        assert numbers == list(range(1, THREADS * ROUNDS + 2))


def test_time_rises_with_the_numbers_whoever_waited_for_the_lock(fresh_database: str) -> None:
    jackpot = a_jackpot()

    def play(table: int) -> None:
        for number in range(ROUNDS):
            with open_books([jackpot.id]) as books:
                books.coin_in(jackpot.id, 1, EntryReference(f"UTH-{table:02d}/{number}/1", bytes(32)))

    assert at_once(play) == []
    times = list(jackpot.entries.order_by("seq").values_list("occurred_at", flat=True))
    assert times == sorted(times)
