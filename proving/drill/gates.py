"""After the drill: do the books hold exactly what was acknowledged? Asked in SQL of our own, apart from the product."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from typing import Any, Final

import psycopg

from proving.drill.journal import Journals
from proving.drill.scene import RATES

CENT: Final = Decimal("0.01")
ROUNDS: Final = b"""
SELECT t.code, r.number, r.seats, r.state, r.revision FROM tables_round r JOIN tables_table t ON t.id = r.table_id
"""
ENTRIES: Final = b"""
SELECT e.seq, e.kind, e.key, e.meter, e.meter_after, e.contributed
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


@dataclass(frozen=True, slots=True)
class Books:
    """What stands in the database, read by the superuser."""

    rounds: Mapping[tuple[str, int], tuple[str, str, int]]
    entries: Mapping[str, Sequence[tuple[Any, ...]]]
    heads: Mapping[str, tuple[int, Decimal]]

    @classmethod
    def read(cls, connection: psycopg.Connection[Any]) -> Books:
        rounds = {
            (code, number): (seats, state, revision)
            for code, number, seats, state, revision in connection.execute(ROUNDS)
        }
        heads = {code: (last, meter) for code, last, meter in connection.execute(HEADS)}
        entries = {code: connection.execute(ENTRIES, [code]).fetchall() for code in heads}
        return cls(rounds, entries, heads)


def checked(books: Books, journals: Journals, scene: Mapping[str, Any]) -> Iterator[Gate]:
    fed = {table["place"]: table["meters"] for table in scene["tables"]}
    yield acknowledged_stands(books, journals)
    yield acknowledged_is_entered_once(books, journals, fed)
    yield nothing_unsaid(books, journals, fed)
    yield ended(books, journals)
    yield nobody_was_contradicted(journals)
    yield meter_is_its_sum(books, scene["meters"])
    yield meter_is_what_was_said(books, scene["meters"])
    yield numbers_without_a_gap(books)
    yield signs_never_fell(journals)
    yield signs_showed_the_books(books, journals)
    yield signs_show_the_end(books, journals)


def acknowledged_stands(books: Books, journals: Journals) -> Gate:
    gate = Gate("every acknowledged coin-in stands, with the same seats")
    for code, journal in journals.tables.items():
        for told in journal.told:
            seats, _, revision = books.rounds.get((code, told.round), ("no round", "", 1))
            what = f"{code}/{told.round}: acknowledged seats {told.seats}, found {seats}"
            gate.must((seats, revision) == (told.seats, 1), what)
    return gate


def acknowledged_is_entered_once(books: Books, journals: Journals, fed: Mapping[str, Sequence[str]]) -> Gate:
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


def nothing_unsaid(books: Books, journals: Journals, fed: Mapping[str, Sequence[str]]) -> Gate:
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


def ended(books: Books, journals: Journals) -> Gate:
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


def meter_is_its_sum(books: Books, opening: Mapping[str, str]) -> Gate:
    gate = Gate("meter = sum of its entries, balance after balance")
    for jackpot, rows in books.entries.items():
        running = Decimal(0)
        for seq, _, _, moved, after, _ in rows:
            running += moved
            gate.must(running == after, f"{jackpot}/{seq}: {after} stands, the sum is {running}")
        gate.must(running == books.heads[jackpot][1], f"{jackpot}: meter {books.heads[jackpot][1]}, sum {running}")
        gate.must(rows[0][3] == Decimal(opening[jackpot]), f"{jackpot}: opened with {rows[0][3]}")
    return gate


def meter_is_what_was_said(books: Books, opening: Mapping[str, str]) -> Gate:
    """An oracle of two lines: opening plus chips times rate, from the rounds alone."""
    gate = Gate("meter = opening + chips × rate")
    for jackpot, rows in books.entries.items():
        named = [key.split("/") for _, kind, key, *_ in rows if kind == "coin_in"]
        chips = sum(len(books.rounds.get((code, int(number)), ("",))[0]) for code, number, _ in named)
        due = Decimal(opening[jackpot]) + chips * Decimal(RATES[jackpot][0]) / 100
        gate.must(due == books.heads[jackpot][1], f"{jackpot}: {books.heads[jackpot][1]} stands, {due} is due")
    return gate


def numbers_without_a_gap(books: Books) -> Gate:
    gate = Gate("entries numbered 1, 2, 3 … to the last")
    for jackpot, rows in books.entries.items():
        numbers = [row[0] for row in rows]
        gate.checked += len(numbers)
        if numbers != list(range(1, books.heads[jackpot][0] + 1)):
            gate.against.append(f"{jackpot}: {len(numbers)} entries, the last is {books.heads[jackpot][0]}")
    return gate


def signs_never_fell(journals: Journals) -> Gate:
    gate = Gate("no sign fell without a reason, across every restart")
    for code, journal in journals.signs.items():
        gate.checked += journal.figures
        gate.against += [f"{code}: {words}" for words in journal.wrong]
    return gate


def signs_showed_the_books(books: Books, journals: Journals) -> Gate:
    """Each figure that was shown is the meter after the entry that it names, cut to the cent."""
    gate = Gate("every figure shown is in the books at its version")
    for jackpot, figures in journals.figures.items():
        after = {row[0]: row[4] for row in books.entries[jackpot]}
        for version, amount in figures.items():
            due = _cut(after.get(int(version), Decimal(-1)))
            gate.must(Decimal(amount) == due, f"{jackpot} version {version}: shown {amount}, the books had {due}")
    return gate


def signs_show_the_end(books: Books, journals: Journals) -> Gate:
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
    gate = Gate("the books prove: every seal, sum, rule and round", sum(one["entries"] for one in verdict["jackpots"]))
    gate.against += [str(finding) for finding in verdict["findings"]]
    return gate
