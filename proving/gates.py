"""After the run: do the books hold exactly what was acknowledged? Asked in SQL of our own, apart from the product.

Sums, seals and rules are asked of the product's proof and of the stranger's verifier; here stands only what neither can
know: what controllers and signs were told.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from typing import Any, Final

import psycopg

from proving.drill.journal import Journals
from proving.house import PROJECT, Stage
from proving.scene import LINKED

CENT: Final = Decimal("0.01")
COUNTED: Final = b"""
SELECT count(*), count(*) FILTER (WHERE r.state = 'ended')
  FROM tables_round r JOIN tables_table t ON t.id = r.table_id WHERE starts_with(t.code, %s)
"""
ENTERED: Final = b"""
SELECT count(*) FILTER (WHERE e.kind = 'coin_in'),
       count(DISTINCT (e.table_code, e.round_number)) FILTER (WHERE e.kind = 'coin_in')
  FROM jackpot_jackpot j JOIN jackpot_entry e ON e.jackpot_id = j.id WHERE j.code = %s
"""
ROUNDS: Final = b"""
SELECT t.code, r.number, r.seats, r.state, r.revision FROM tables_round r JOIN tables_table t ON t.id = r.table_id
"""
ENTRIES: Final = b"""
SELECT e.seq, e.kind, e.key, e.meter_after
  FROM jackpot_entry e JOIN jackpot_jackpot j ON j.id = e.jackpot_id WHERE j.code = %s ORDER BY e.seq
"""
HEADS: Final = b"SELECT code, last_seq, meter FROM jackpot_jackpot"


@dataclass(slots=True)
class Gate:
    """One thing that must be so, with no tolerance, and what speaks against it."""

    name: str
    checked: int = 0
    against: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return not self.against

    def must(self, true: bool, otherwise: str) -> None:
        self.checked += 1
        if not true:
            self.against.append(otherwise)


def equal(name: str, expected: object, found: object) -> Gate:
    gate = Gate(name)
    gate.must(str(expected) == str(found), f"expected {expected}, found {found}")
    return gate


@dataclass(slots=True)
class Acknowledged:
    """What the clients of a bench were told over all windows, warm-ups and endings included."""

    coin_ins: int = 0
    ends: int = 0
    refused: int = 0
    lost: int = 0
    why: str = ""

    def add(self, report: dict[str, Any]) -> None:
        self.coin_ins += report["all_coin_ins"]
        self.ends += report["all_ends"]
        self.refused += report["refused"]
        self.lost += report["lost"] + report["unfinished"]
        self.why = self.why or report["first_refusal"]


def counted(connection: psycopg.Connection[Any], told: dict[str, Acknowledged]) -> Iterator[Gate]:
    """A bench counts: `told` is by the letter of the tables."""
    for letter, said in told.items():
        yield equal(f"{letter}: refused messages", 0, said.refused if not said.why else f"{said.refused} ({said.why})")
        yield equal(f"{letter}: messages without an answer", 0, said.lost)
        rounds, ended = _row(connection, COUNTED, f"{letter}-")
        yield equal(f"{letter}: rounds = acknowledged coin-ins", said.coin_ins, rounds)
        yield equal(f"{letter}: ended rounds = acknowledged ends", said.ends, ended)
        for code in LINKED[letter]:
            entered, named = _row(connection, ENTERED, code)
            yield equal(f"{code}: entries = acknowledged coin-ins", said.coin_ins, entered)
            yield equal(f"{code}: every round once", entered, named)


def _row(connection: psycopg.Connection[Any], question: bytes, value: str) -> tuple[Any, ...]:
    row = connection.execute(question, [value]).fetchone()
    assert row is not None, "an aggregate has one row"
    return tuple(row)


@dataclass(frozen=True, slots=True)
class BooksFound:
    """What stands in the database, read by the superuser."""

    rounds: Mapping[tuple[str, int], tuple[str, str, int]]
    entries: Mapping[str, Sequence[tuple[Any, ...]]]
    heads: Mapping[str, tuple[int, Decimal]]

    @classmethod
    def read(cls, connection: psycopg.Connection[Any]) -> BooksFound:
        rounds = {
            (code, number): (seats, state, revision)
            for code, number, seats, state, revision in connection.execute(ROUNDS)
        }
        heads = {code: (last, meter) for code, last, meter in connection.execute(HEADS)}
        entries = {code: connection.execute(ENTRIES, [code]).fetchall() for code in heads}
        return cls(rounds, entries, heads)


def checked(books: BooksFound, journals: Journals, fed: Mapping[str, Sequence[str]]) -> Iterator[Gate]:
    """A drill compares one by one; `fed` says which jackpots each table feeds."""
    yield acknowledged_stands(books, journals)
    yield acknowledged_is_entered_once(books, journals, fed)
    yield nothing_unsaid(books, journals, fed)
    yield ended(books, journals)
    yield nobody_was_contradicted(journals)
    yield signs_never_fell(journals)
    yield signs_showed_the_books(books, journals)
    yield signs_show_the_end(books, journals)


def acknowledged_stands(books: BooksFound, journals: Journals) -> Gate:
    gate = Gate("every acknowledged coin-in stands, with the same seats")
    for code, journal in journals.tables.items():
        for told in journal.told:
            seats, _, revision = books.rounds.get((code, told.round), ("no round", "", 1))
            what = f"{code}/{told.round}: acknowledged seats {told.seats}, found {seats}"
            gate.must((seats, revision) == (told.seats, 1), what)
    return gate


def acknowledged_is_entered_once(books: BooksFound, journals: Journals, fed: Mapping[str, Sequence[str]]) -> Gate:
    gate = Gate("… exactly once in every jackpot its table feeds")
    counted = {jackpot: _times_entered(rows) for jackpot, rows in books.entries.items()}
    for code, journal in journals.tables.items():
        for told in journal.told:
            for jackpot in fed[code]:
                times = counted[jackpot].get(f"{code}/{told.round}/1", 0)
                gate.must(times == 1, f"{code}/{told.round}: {times} entries in {jackpot}")
    return gate


def _times_entered(rows: Sequence[tuple[Any, ...]]) -> dict[str, int]:
    times: dict[str, int] = {}
    for _, kind, key, *_ in rows:
        if kind == "coin_in":
            times[key] = times.get(key, 0) + 1
    return times


def nothing_unsaid(books: BooksFound, journals: Journals, fed: Mapping[str, Sequence[str]]) -> Gate:
    """A round stands only if its controller said it, with these seats, and each entry belongs to such a round."""
    gate = Gate("nothing stands that no controller said")
    said = {
        (code, number, seats)
        for code, journal in journals.tables.items()
        for number, seats in [*((told.round, told.seats) for told in journal.told), *journal.in_the_air]
    }
    for (code, number), (seats, _, _) in books.rounds.items():
        gate.must((code, number, seats) in said, f"{code}/{number}: seats {seats} were never said")
    due = {
        jackpot: {f"{code}/{number}/1" for code, number in books.rounds if jackpot in fed[code]}
        for jackpot in books.entries
    }
    for jackpot, rows in books.entries.items():
        for seq, kind, key, *_ in rows[1:]:
            gate.must(kind == "coin_in" and key in due[jackpot], f"{jackpot}/{seq}: {kind} {key} belongs to no round")
    return gate


def ended(books: BooksFound, journals: Journals) -> Gate:
    gate = Gate("every acknowledged end stands")
    for code, journal in journals.tables.items():
        for number in journal.ended:
            _, state, _ = books.rounds.get((code, number), ("", "missing", 1))
            gate.must(state == "ended", f"{code}/{number}: {state}")
    return gate


def nobody_was_contradicted(journals: Journals) -> Gate:
    """A controller that only says what is due is never refused, and no server forgets what it acknowledged."""
    gate = Gate("no controller was refused, forgotten or told two things")
    for code, journal in journals.tables.items():
        wrong = [*journal.refused, *journal.forgotten, *journal.unequal]
        gate.checked += len(journal.told) + len(journal.ended) + journal.connections
        gate.against += [f"{code}: {words}" for words in wrong]
    return gate


def signs_never_fell(journals: Journals) -> Gate:
    gate = Gate("no sign fell without a reason, across every restart")
    for code, journal in journals.signs.items():
        gate.checked += journal.figures
        gate.against += [f"{code}: {words}" for words in journal.wrong]
    return gate


def signs_showed_the_books(books: BooksFound, journals: Journals) -> Gate:
    """Each figure that was shown is the meter after the entry that it names, cut to the cent."""
    gate = Gate("every figure shown is in the books at its version")
    for jackpot, figures in journals.figures.items():
        after = {row[0]: row[3] for row in books.entries[jackpot]}
        for version, amount in figures.items():
            due = _cut(after.get(int(version), Decimal(-1)))
            gate.must(Decimal(amount) == due, f"{jackpot} version {version}: shown {amount}, the books had {due}")
    return gate


def signs_show_the_end(books: BooksFound, journals: Journals) -> Gate:
    gate = Gate("at the end every sign shows the books")
    for code, journal in journals.signs.items():
        for jackpot, (last, meter) in books.heads.items():
            version, amount = journal.shown.get(jackpot, (0, "-1"))
            stands = version == last and Decimal(amount) == _cut(meter)
            gate.must(stands, f"{code}: {jackpot} {amount} at {version}, the books {meter} at {last}")
    return gate


def _cut(meter: Decimal) -> Decimal:
    return meter.quantize(CENT, rounding=ROUND_DOWN)


def proven(verdict: Mapping[str, Any]) -> Gate:
    """What `prove` says of seals, sums, rules and rounds."""
    return Gate("the books prove: every seal, sum, rule and round", verdict["entries"], list(verdict["findings"]))


def verified(ours: Stage) -> Gate:
    """What a stranger says of the exported books, with the one file that shares no line with the product."""
    export = ours.places.data / "books.jsonl"
    ours.run("django", "export", "--output", str(export))
    verifier = [sys.executable, str(PROJECT / "deploy" / "verify_books.py"), str(export)]
    done = subprocess.run(verifier, capture_output=True, text=True, check=False)
    gate = Gate("the stranger's verifier finds nothing in the export", len(export.read_bytes().splitlines()))
    gate.must(done.returncode == 0, (done.stdout + done.stderr).strip()[-2000:])
    return gate


def prove(ours: Stage, times: int = 0) -> dict[str, Any]:
    """What the product's own proof found, and how long each further proof of the books alone took."""
    answer: dict[str, Any] = json.loads(ours.run("proving.proof", str(times)))
    return answer
