"""`bench size`: what every page and list costs in a large house, and whether that rises with the books.

The house is made by the product's own acts, first to a tenth of its size and then whole; at both sizes every address
that reads is asked again and again by one person, over HTTP, of a web process started as `up` starts it.
"""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from proving.bench.cpu import Used
from proving.bench.figures import Better, FigureLine, FigureVerdict, percentile
from proving.bench.machine import facts
from proving.bench.results import Result
from proving.bench.rounds import MeasurePlan
from proving.gates import Gate
from proving.house import ProvingHouse, house, kept_house

MOST_MS: Final = 300.0
MOST_KB: Final = 100.0
REPORT_MS: Final = 1000.0
CLOSE_SECONDS: Final = 10.0
RISES: Final = 1.5  # ten times the books and this much slower is still no line that rises, on a machine with noise
FLAT_BELOW_MS: Final = 100.0  # what is quicker than this is not judged by its growth: noise is as large
PAUSE: Final = 60.0  # seconds until an address is given up


@dataclass(frozen=True, slots=True)
class HouseSize:
    """How large the house shall be; `times` is how often each address is asked."""

    rounds: int = 1_000_000
    wins: int = 10_000
    jackpots: int = 100
    tables: int = 2_000
    times: int = 20

    def part(self, of: int) -> HouseSize:
        return replace(self, rounds=max(1, self.rounds // of), wins=max(1, self.wins // of))


SMALL: Final = HouseSize(rounds=60, wins=10, jackpots=10, tables=4, times=1)


@dataclass(frozen=True, slots=True)
class PageCost:
    """What one address cost."""

    address: str
    status: int
    p50_ms: float
    p95_ms: float
    cpu_ms: float  # of a look, by all servers together: what a loaded machine does not change
    kb: float

    @property
    def is_report(self) -> bool:
        return "/reports/" in self.address and self.address.count("/") > 3


def measure(
    pace: MeasurePlan, say: Callable[[str], None], wanted: Mapping[str, int], kept: Path | None = None
) -> Result:
    """`kept` is where the house stays, and where one that stands is asked as it is."""
    size = replace(SMALL if pace.smoke else HouseSize(), **wanted)
    with house() if kept is None else kept_house(kept) as ours:
        port, walks, made = 0, [], {}
        for part in (size,) if pace.smoke or kept is not None else (size.part(10), size):
            say(f"Making a house of {part.rounds:,} rounds and {part.wins:,} wins …")
            made = grown(ours, part)
            port = port or ours.open_door()
            say(f"{made['entries']:,} entries. Asking every address {part.times} times …")
            walks.append([_cost(ours, port, made["session"], each, part.times) for each in addresses(ours, made)])
        say("Closing the day of the largest jackpot …")
        closed = json.loads(ours.run("proving.size_close"))
        return _result(pace, ours, walks, {**made, "close": closed})


def grown(ours: ProvingHouse, size: HouseSize) -> dict[str, Any]:
    wanted = {"rounds": size.rounds, "wins": size.wins, "jackpots": size.jackpots, "tables": size.tables}
    made: dict[str, Any] = json.loads(ours.run("proving.size_house", json.dumps(wanted)))
    with ours.connect() as connection:
        connection.execute("ANALYZE")  # as autovacuum would have done by the time a house is that large
    return made


def addresses(ours: ProvingHouse, made: Mapping[str, Any]) -> list[str]:
    """Every page and list that reads what the house holds, and the questions that people ask of the long ones."""
    words = {name: made[name] for name in ("day", "table", "round", "win", "slip")}
    found: list[str] = json.loads(ours.run("proving.size_addresses", json.dumps(words)))
    return found


def _cost(ours: ProvingHouse, port: int, cookies: Mapping[str, str], address: str, times: int) -> PageCost:
    """One look that warms up and is not counted, then so many that are."""
    head = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()), "Accept": _kind(address)}
    looks, before = [_look(port, address, head)], ours.usage()
    if times > 1 and looks[0][1] < PAUSE:
        looks = [_look(port, address, head) for _ in range(times)]
    used = sum(Used.between(before, ours.usage()).servers.values())
    taken = [seconds * 1000 for _, seconds, _ in looks]
    return PageCost(
        address, looks[-1][0], round(percentile(taken, 0.5), 1), round(percentile(taken, 0.95), 1),
        round(used / len(looks) * 1000, 1), round(looks[-1][2] / 1000, 1),
    )  # fmt: skip


def _kind(address: str) -> str:
    return "application/json" if address.startswith("/api/") else "text/html"


def _look(port: int, address: str, head: Mapping[str, str]) -> tuple[int, float, int]:
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PAUSE)
    try:
        connection.request("GET", address, headers=dict(head))
        answer = connection.getresponse()
        size = len(answer.read())
        return answer.status, time.perf_counter() - began, size
    except TimeoutError:
        return 0, PAUSE, 0
    finally:
        connection.close()


def _result(
    pace: MeasurePlan, ours: ProvingHouse, walks: Sequence[Sequence[PageCost]], made: Mapping[str, Any]
) -> Result:
    small, large = walks[0], walks[-1]  # the smoke walks once
    lines = list(_lines(small, large, made, judged=not pace.smoke))
    facts_of_it = {**facts(ours.version(), ours.places.data), "entries": made["entries"], "wins": made["wins"]}
    pages = [
        {**_plain(now), "p50_ms_at_a_tenth": before.p50_ms, "p95_ms_at_a_tenth": before.p95_ms}
        for before, now in _pairs(small, large)
    ]
    return Result("size", pace, facts_of_it, lines, [_answered(large)], pages=pages)


def _plain(page: PageCost) -> dict[str, Any]:
    return {
        "address": page.address, "status": page.status, "p50_ms": page.p50_ms, "p95_ms": page.p95_ms,
        "cpu_ms": page.cpu_ms, "kb": page.kb,
    }  # fmt: skip


def _lines(
    small: Sequence[PageCost], large: Sequence[PageCost], made: Mapping[str, Any], *, judged: bool
) -> Iterator[FigureLine]:
    plain = [page for page in large if not page.is_report]
    reports = [page for page in large if page.is_report]
    rate = made["rounds_played"] / made["seconds"] if made["seconds"] else 0.0
    yield _line("slowest page or list, p95", max(page.p95_ms for page in plain), MOST_MS, "ms", judged=judged)
    yield _line("largest page or list", max(page.kb for page in large), MOST_KB, "kB", judged=judged)
    yield _line("slowest report, p95", max(page.p95_ms for page in reports), REPORT_MS, "ms", judged=judged)
    yield _line("rises most, against a tenth of the books", _rise(small, large), RISES, "×", judged=judged)
    close = made["close"]
    yield _line(f"day of {close['entries']:,} entries closed", close["seconds"], CLOSE_SECONDS, "s", judged=judged)
    yield _line("rounds made a second", rate, None, "/s", judged=judged)


def _pairs(small: Sequence[PageCost], large: Sequence[PageCost]) -> list[tuple[PageCost, PageCost]]:
    """The same address at both sizes; the numbers in it are those of the newest slip and round, so they differ."""
    before = {re.sub(r"\d+", "0", page.address): page for page in small}
    return [(before[key], now) for now in large if (key := re.sub(r"\d+", "0", now.address)) in before]


def _rise(small: Sequence[PageCost], large: Sequence[PageCost]) -> float:
    """The worst of those that cost something: by the middle look, so that one hiccup is no rise."""
    pairs = [(before.p50_ms, now.p50_ms) for before, now in _pairs(small, large)]
    return max((now / before for before, now in pairs if now > FLAT_BELOW_MS and before), default=1.0)


def _line(name: str, found: float, most: float | None, unit: str, *, judged: bool) -> FigureLine:
    verdict = FigureVerdict.MEASURED
    if most is not None:
        verdict = FigureVerdict.AIM if found <= most else FigureVerdict.BELOW
    shown = verdict if judged else FigureVerdict.UNJUDGED
    return FigureLine(name, found, found, found, 1, 0, found, most, most, unit, Better.LOWER.value, shown.value)


def _answered(pages: Sequence[PageCost]) -> Gate:
    """An address that answers quickly because it refuses says nothing."""
    gate = Gate("every address answered")
    for page in pages:
        gate.must(page.status == 200, f"{page.address}: {page.status}")
    return gate
