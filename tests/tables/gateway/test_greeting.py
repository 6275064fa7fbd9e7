"""After a restart a whole floor says hello at once: read together, and none of them harms another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from jackpot.database.raw import ask_together
from jackpot.refusals import NotAllowedNow, NotFound
from tables.floor.models.device import Device
from tables.gateway.actions.greeting import Greeting, greet, hello
from tables.gateway.together import AT_ONCE, Together
from tests.builders import a_casino, a_controller, a_table, a_version_rule
from tests.patience import PATIENCE

Work = Callable[..., Sequence[str | Exception]]


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(max_workers=2) as threads:
        yield threads


def asked(pool: ThreadPoolExecutor, work: Work, words: Sequence[str]) -> list[str | BaseException]:
    """All of these words at once."""

    async def run() -> list[str | BaseException]:
        together: Together[str, str] = Together(pool, work, "words")
        return await asyncio.gather(*(together.ask(word) for word in words), return_exceptions=True)  # the first alone

    return asyncio.run(run())


def test_who_comes_while_one_group_is_looked_up_forms_the_next(pool: ThreadPoolExecutor) -> None:
    sizes: list[int] = []

    def look_up(*, words: Sequence[str]) -> list[str]:
        sizes.append(len(words))
        return [word.upper() for word in words]

    many = [f"t{number}" for number in range(AT_ONCE + 10)]
    assert asked(pool, look_up, many) == [word.upper() for word in many]
    assert sizes == [1, AT_ONCE, 9], "the first waits for nobody"


def test_what_one_of_a_group_breaks_is_its_own(pool: ThreadPoolExecutor) -> None:
    def look_up(*, words: Sequence[str]) -> list[str]:
        if "broken" in words:
            raise ValueError("this one")
        return list(words)

    first, broken, last = asked(pool, look_up, ["first", "broken", "last"])
    assert (first, str(broken), last) == ("first", "this one", "last")


def test_a_database_that_is_away_is_asked_once_for_all(pool: ThreadPoolExecutor) -> None:
    times: list[int] = []

    def look_up(*, words: Sequence[str]) -> list[str]:
        times.append(threading.get_ident())
        raise OperationalError(f"away for {len(words)}")

    told = asked(pool, look_up, ["one", "two", "three"])
    assert [type(each) for each in told] == [OperationalError] * 3
    assert len(times) == 2, "the first came alone, the others together"


def test_a_group_that_waits_for_the_database_holds_up_no_later_one(pool: ThreadPoolExecutor) -> None:
    go_on = threading.Event()

    def look_up(*, words: Sequence[str]) -> list[str]:
        if "stuck" in words:
            assert go_on.wait(PATIENCE)
        else:
            go_on.set()
        return list(words)

    assert asked(pool, look_up, ["stuck", "later"]) == ["stuck", "later"]


@pytest.mark.django_db
def test_who_hung_up_meanwhile_is_refused_and_takes_nobodys_place() -> None:
    a_casino()
    gone = Greeting("UTH-01-C", "2.0.0", "given up", still_there=lambda: False)
    there, refused = greet(greetings=[Greeting("UTH-01-C", "2.0.0", "mine"), gone])
    assert isinstance(refused, NotAllowedNow)
    assert refused.code == "hung_up"
    assert there["table"] == "UTH-01"  # type: ignore[index]
    assert Device.objects.get(code="UTH-01-C").connection == "mine"


@pytest.mark.django_db
def test_a_group_hears_what_each_would_hear_alone() -> None:
    casino = a_casino(tables=3)
    codes = [device.code for device in casino.controllers]
    alone = [hello(device_code=code, version="2.0.0", connection="") for code in codes]
    together = greet(greetings=[Greeting(code, "2.0.0", "") for code in codes])
    assert [{**facts, "at": ""} for facts in alone] == [{**facts, "at": ""} for facts in together]  # type: ignore[dict-item]


@pytest.mark.django_db
def test_a_device_without_a_table_is_refused_and_the_others_are_greeted() -> None:
    casino = a_casino(tables=2)
    lost = Device.objects.create(code="LOST-C", kind="controller", state="active")
    first, homeless, nobody, second = greet(
        greetings=[Greeting(code, "3.1", "line") for code in ("UTH-01-C", lost.code, "NOBODY", "UTH-02-C")]
    )
    assert isinstance(homeless, NotFound)
    assert isinstance(nobody, NotFound)
    assert [facts["table"] for facts in (first, second)] == ["UTH-01", "UTH-02"]  # type: ignore[index]
    said = Device.objects.filter(table__in=casino.tables).values_list("version", "connection")
    assert set(said) == {("3.1", "line")}
    assert Device.objects.get(code=lost.code).version == "", "nothing is kept of a hello that was refused"


@pytest.mark.django_db
def test_of_two_lines_of_one_device_the_later_counts() -> None:
    a_casino()
    greet(greetings=[Greeting("UTH-01-C", "2.0.0", "earlier"), Greeting("UTH-01-C", "2.0.0", "later")])
    assert Device.objects.get(code="UTH-01-C").connection == "later"


@pytest.mark.django_db
@pytest.mark.parametrize("closes", [False, True])
def test_twelve_tables_cost_no_more_questions_than_three(closes: bool) -> None:
    casino = a_casino(tables=3)
    if closes:
        a_version_rule(casino.premises)
    for number in range(4, 13):
        a_controller(a_table(f"UTH-{number:02d}", *casino.jackpots, premises=casino.premises))
    codes = list(Device.objects.order_by("code").values_list("code", flat=True))

    def questions(of: Sequence[str]) -> int:
        with CaptureQueriesContext(connection) as counted:
            greet(greetings=[Greeting(code, "7.0", "line") for code in of])
        return len(counted)

    assert questions(codes) == questions(codes[:3])


@pytest.mark.django_db
def test_the_line_is_noted_in_one_statement_whatever_the_order() -> None:
    casino = a_casino(tables=3)
    backwards = [device.code for device in reversed(casino.controllers)]
    greet(greetings=[Greeting(code, code, "") for code in backwards])
    (rows,) = ask_together([("SELECT code, version FROM tables_device WHERE table_id IS NOT NULL ORDER BY code", [])])
    assert [code == version for code, version in rows] == [True] * 3
