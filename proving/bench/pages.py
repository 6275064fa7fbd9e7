"""`bench pages`: a thousand win pages, from the first key to the last file in the printer's folder."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from proving.bench.cpu import Used
from proving.bench.figures import Better, FigureQuestion, Window, answered, percentile
from proving.bench.machine import facts
from proving.bench.results import Result
from proving.bench.rounds import MeasurePlan, play, summary
from proving.gates import Gate, equal, prove, proven
from proving.house import NotCarriedOut, ProvingHouse, house
from proving.scene import CARD
from proving.wires import BenchPerson, BenchTable

PAGES: Final = 1_000
SMOKE: Final = 20
SEATS: Final = 7
DESKS: Final = 2  # people who print at the same time
PRINTING: Final = "win pages, two desks"
LONGEST: Final = 300.0  # seconds until a queue that does not empty is given up
WAITING: Final = b"SELECT count(*) FROM accounting_printjob WHERE state <> 'sent'"
COPIES: Final = b"""
SELECT p.slip, c.number, c.sha256, c.kind FROM accounting_copy c JOIN accounting_winpage p ON p.id = c.page_id
"""

QUESTIONS: Final = (
    FigureQuestion(
        "1,000 win pages into the folder", (PRINTING,), lambda window: PAGES / window.rate, 60, 60, Better.LOWER, "s"
    ),
    FigureQuestion(
        "a page, from the key to its bytes, p50", (PRINTING,), lambda window: window.p50_ms,
        50, 3_000, Better.LOWER, "ms",
    ),
    FigureQuestion("a page, from the key to its bytes, p99", (PRINTING,), lambda window: window.p99_ms, unit="ms"),
)  # fmt: skip
PrintedCopy = tuple[int, int, str]


@dataclass
class Printing:
    """Wins with slips, desks that print them, and what each desk was told."""

    house: ProvingHouse
    desks: Sequence[BenchPerson]
    wins: Sequence[int]
    told: list[PrintedCopy] = field(default_factory=list)
    turns: int = 0
    trouble: str = ""

    def printed(self) -> Window:
        """Originals in the first round, reprints with their reason in every further one."""
        self.turns += 1
        words = {"form": "letter", **({"reason": f"measured, turn {self.turns}"} if self.turns > 1 else {})}
        milliseconds: list[float] = []
        first, began = self.house.usage(), time.perf_counter()
        people = [
            threading.Thread(target=self._print, args=(desk, self.wins[place :: len(self.desks)], words, milliseconds))
            for place, desk in enumerate(self.desks)
        ]
        for person in people:
            person.start()
        for person in people:
            person.join()
        wait_until_sent(self.house)
        seconds, used = time.perf_counter() - began, Used.between(first, self.house.usage())
        if len(milliseconds) < len(self.wins):
            raise NotCarriedOut(f"Only {len(milliseconds)} of {len(self.wins)} pages were printed. {self.trouble}")
        python = sum(cpu for name, cpu in used.servers.items() if name != "database")
        return Window(
            len(self.wins), seconds, python, used.servers["database"], foreign=used.foreign_cores(),
            p50_ms=percentile(milliseconds, 0.5), p99_ms=percentile(milliseconds, 0.99),
        )  # fmt: skip

    def _print(self, desk: BenchPerson, wins: Sequence[int], words: dict[str, str], milliseconds: list[float]) -> None:
        for win in wins:
            began = time.perf_counter()
            try:
                told = desk.acts(f"/api/v1/wins/{win}/copies/", words)
            except (NotCarriedOut, OSError) as problem:
                self.trouble = str(problem)
                return
            milliseconds.append((time.perf_counter() - began) * 1000)
            self.told.append((told["slip"], told["number"], told["sha256"]))


def wait_until_sent(ours: ProvingHouse) -> None:
    """Until the worker has handed everything to the printer."""
    deadline = time.monotonic() + LONGEST
    with ours.connect() as connection:
        while _number(connection.execute(WAITING).fetchone()):
            if time.monotonic() > deadline:
                raise NotCarriedOut("The print queue does not become empty. Look at worker.log of the house.")
            time.sleep(0.02)


def measure(pace: MeasurePlan, say: Callable[[str], None]) -> Result:
    """Another page is printed first: the typesetter and the worker are warm before the clock starts."""
    with house() as ours:
        say("Making the house: PostgreSQL, a web process, the worker, hits that are approved …")
        printing = _printing(ours, SMOKE if pace.smoke else PAGES)
        rounds = play({PRINTING: printing.printed}, pace.rounds, lambda number: say(f"Round {number + 1} …"))
        return Result(
            "pages", pace, facts(ours.version(), ours.places.data),
            [answered(question, rounds, judged=not pace.smoke) for question in QUESTIONS],
            [*_gates(ours, printing), proven(prove(ours))], [summary(PRINTING, rounds)], rounds,
        )  # fmt: skip


def _printing(ours: ProvingHouse, pages: int) -> Printing:
    scene = ours.scene(hits=1)
    port = ours.open_door()
    ours.work()
    wins = approved_hits(BenchTable(port, scene["hits"][0]), pages + 1)
    printing = Printing(ours, [BenchPerson(port, scene["cashier"]) for _ in range(DESKS)], wins)
    told = printing.desks[0].acts(f"/api/v1/wins/{wins[-1]}/copies/", {"form": "letter"})
    wait_until_sent(ours)
    printing.wins = wins[:-1]
    printing.told.append((told["slip"], told["number"], told["sha256"]))
    return printing


def approved_hits(box: BenchTable, wanted: int) -> list[int]:
    """Hits of every seat, round after round, until there are enough."""
    found: list[int] = []
    while len(found) < wanted:
        box.round += 1
        box.say(do="coin_in", seats=list(range(1, SEATS + 1)))
        for seat in range(1, SEATS + 1):
            box.say(do="mark", seat=seat, hand="four_of_a_kind")
        hits = box.say(do="confirm")["hits"]
        box.say(do="card", card=CARD)
        box.say(do="end")
        found += [hit["id"] for hit in hits]
    return found[:wanted]


def _gates(ours: ProvingHouse, printing: Printing) -> Iterator[Gate]:
    """Every page that somebody asked for is a copy, was sent once, and lies in the folder with the very bytes."""
    with ours.connect() as connection:
        rows = connection.execute(COPIES).fetchall()
    kept = {(slip, number, sha256) for slip, number, sha256, _ in rows}
    yield equal("copies = pages that were answered", len(printing.told), len(rows))
    yield equal("copies the desks were told of and the books do not have", 0, len(set(printing.told) - kept))
    yield equal("originals = slips", len(printing.wins) + 1, sum(kind == "original" for *_, kind in rows))
    files = [path for path in (ours.places.data / "prints").iterdir() if path.suffix == ".pdf"]
    found = sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)
    yield equal("files in the folder = copies, byte for byte", len(rows), _same(found, sorted(row[2] for row in rows)))


def _same(found: list[str], wanted: list[str]) -> int | str:
    return len(found) if found == wanted else f"{len(found)} files, other bytes"


def _number(row: Any) -> int:
    return int(row[0])
