"""Many people at once, on real PostgreSQL: one original, one payment, every print sent once."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest
from django.db import connection

from accounting.paper.actions.copies import add_copy, next_stamp
from accounting.paper.actions.queue import drain_print_queue
from accounting.paper.models.page import Copy
from accounting.paper.models.printer import PrintJob
from accounting.paper.printing.facts import facts_of
from accounting.paper.printing.press import print_page
from accounting.paper.printing.typeset import page_bytes
from accounting.paper.rules.copies import Form
from jackpot.adjusting.models import Adjustment
from jackpot.books.models.entry import Entry
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.refusals import Refused
from jackpot.requests.rules.wire import ADJUSTMENT_STATES, wire_state
from jackpot.signing.actions import SecondPerson, sign
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tests.builders import a_person
from tests.deep import often
from tests.scenes_adjusting import asked, done
from tests.scenes_owed import OwedFloor
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.race
MANY: Final = often(6, deep=16)


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Runs the acts in threads that start together; returns what each answered."""
    start = threading.Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        start.wait(30)
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def prints(win: Win, by: Operator, reason: str = "") -> str:
    try:
        return print_page(win=win, form=Form.LETTER, by=by, reason=reason).copy.stamp.word
    except Refused as refused:
        return refused.code


def pays(by: Operator, slip: int = 1) -> str:
    try:
        return str(redeem(slip=slip, payer=by).amount_money)
    except Refused as refused:
        return refused.why


def test_of_many_prints_at_once_one_is_the_original(fresh_database: str) -> None:
    win, people = WinFloor().royal(), [a_person(f"clerk-{number}") for number in range(MANY)]
    words = Counter(at_once(*[lambda by=by: prints(win, by) for by in people]))
    assert words == {"ORIGINAL": 1, "reason": MANY - 1}
    words = Counter(at_once(*[lambda by=by: prints(win, by, "again") for by in people]))
    assert set(words) == {f"REPRINT {number}" for number in range(1, MANY + 1)}


def test_a_page_is_set_while_nothing_is_locked(fresh_database: str) -> None:
    """Setting a page takes longer than an approval of the same jackpot may wait."""
    win, cage = WinFloor().royal(), a_person("cage")
    under_lock: list[bool] = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is page_bytes.__code__:
            under_lock.append(connection.in_atomic_block)

    sys.setprofile(watch)
    try:
        printed = print_page(win=win, form=Form.A4, by=cage)
    finally:
        sys.setprofile(None)
    assert (under_lock, printed.copy.stamp.word) == ([False], "ORIGINAL")


def test_a_page_that_was_overtaken_is_set_again(fresh_database: str) -> None:
    """Paid while its page was set: what is printed says so, and the page that was set for nothing is not kept."""
    win, cage = WinFloor().royal(), a_person("cage")
    stamp = next_stamp(win=win, by=cage, reason="")
    content = page_bytes(facts_of(win, stamp).plain(), Form.A4)
    redeem(slip=1, payer=a_person("payer"))
    assert add_copy(win=win, stamp=stamp, form=Form.A4, by=cage, reason="", content=content) is None
    assert not Copy.objects.exists()
    printed = print_page(win=win, form=Form.A4, by=cage)
    assert (printed.copy.stamp.word, bytes(printed.copy.content) != content) == ("ORIGINAL", True)


def test_of_many_that_redeem_and_print_at_once_one_pays(fresh_database: str) -> None:
    floor = WinFloor()
    win, people = floor.royal(), [a_person(f"clerk-{number}") for number in range(MANY)]
    acts: list[Any] = [lambda by=by: pays(by) for by in people] + [lambda by=by: prints(win, by) for by in people]
    answers = at_once(*acts)
    paid, printed = answers[:MANY], Counter(answers[MANY:])
    assert paid.count("20000.00") == 1
    payer = str(people[paid.index("20000.00")])
    assert all(payer in why and "Do not pay it again" in why for why in paid if why != "20000.00")
    assert printed == {"ORIGINAL": 1, "reason": MANY - 1}
    floor.casino.jackpot.refresh_from_db()
    assert Money(floor.casino.jackpot.balances.paid) == Money.of("20000.00")
    assert Entry.objects.filter(kind="pay").count() == 1


def test_of_many_workers_that_drain_at_once_each_page_is_sent_by_one(
    fresh_database: str, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    win, cage = WinFloor().royal(), a_person("cage")
    for _ in range(8):
        print_page(win=win, form=Form.A4, by=cage, reason="again")
    assert sum(at_once(*[drain_print_queue] * MANY)) == 8
    assert set(PrintJob.objects.values_list("state", "tries")) == {("sent", 1)}
    assert len(list((tmp_path / "prints").iterdir())) == Copy.objects.count() == 8


def test_of_many_payments_of_a_difference_at_once_one_pays(fresh_database: str) -> None:
    floor, people = OwedFloor(), [a_person(f"cage-{number}") for number in range(MANY)]
    first, later = floor.v9b()
    row = done("difference", floor.jackpot, cause=floor.back_out(first), win=later, pays=True)
    assert [page.slip for page in row.pages.all()] == [3]
    answers = at_once(*(partial(pays, person, 3) for person in people))
    paid = [answer for answer in answers if answer == "469.14"]
    told = [answer for answer in answers if "Do not pay it again" in answer]
    assert (len(paid), len(told)) == (1, MANY - 1)
    assert Entry.objects.filter(kind="pay").count() == 1


def test_of_two_who_approve_a_difference_at_once_one_makes_the_page(fresh_database: str) -> None:
    floor = OwedFloor()
    first, later = floor.v9b()
    row = asked("difference", floor.jackpot, cause=floor.back_out(first), win=later, pays=True)
    people = [a_person(f"signer-{number}") for number in range(MANY)]
    answers = at_once(*(partial(signs, row, person) for person in people))
    assert (answers.count("approved"), answers.count("decided")) == (1, MANY - 1)
    assert [page.slip for page in row.pages.all()] == [3]


def signs(row: Adjustment, by: Operator) -> str:
    try:
        return str(wire_state(ADJUSTMENT_STATES, sign(request_id=row.pk, approver=SecondPerson(by)).state))
    except Refused as refused:
        return refused.code
