"""The proof of one jackpot's books: every entry is added and sealed again, in order, as it streams by.

Plain values in, findings out; where the entries come from (our database, an exported file) is the reader's concern.
The common entry, a coin-in that agrees, is judged in `read` by comparing texts; anything else goes to `_examine`, which
trusts nothing and names what disagrees. An entry is always judged against the stored one before it, so that one wrong
row is one wrong row and not every row after it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from jackpot.books.rules.advance import ADVANCING, Advances
from jackpot.books.rules.entry_kind import EntryKind, known_kind
from jackpot.books.rules.kinds import (
    CHANGES_TERMS,
    CORRECTING,
    FIRST,
    TRANSFERS,
    corrects_nothing,
    due,
    spoken_movement,
    undone,
)
from jackpot.books.rules.movement import ACCOUNTS, NOTHING, Balances, Movement
from jackpot.books.rules.seal import NO_SEAL_BEFORE
from jackpot.money import stored_text, text_of_units
from jackpot.proof.rules.awards import AwardProof
from jackpot.proof.rules.days import NO_WINDOW, DayClock
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.kept import KEPT, KeptEntry
from jackpot.proof.rules.transfers import Sent
from jackpot.terms.rules.terms import Terms

NOWHERE: Final = Balances()


class EntryRow(NamedTuple):
    """An entry as the sealed line spells it; `version` is the reader's name for a version."""

    seq: int
    kind: str
    key: str
    at: int
    day: str
    table: str
    round: str
    win: str
    corrects: str
    version: str
    movement: str
    after: str
    request: str
    seal: str


class KnownVersion(NamedTuple):
    """A version's digest as the seals hold it, and its terms if they can be read."""

    digest: str
    terms: Terms | None


class PublishedHead(NamedTuple):
    """What was said elsewhere about an entry: its seal, and the meter after it."""

    seal: str
    meter: str


@dataclass(frozen=True, slots=True)
class JackpotRow:
    """The jackpot's own row: where it says its books end."""

    last_seq: int
    seal: str
    at: int | None
    balances: Balances
    advance: int = 0


class PlainCoinIn(NamedTuple):
    """A coin-in that a version's terms allow while the meter stays below `ceiling`."""

    contributed: int
    meter: int
    reserve: int
    ceiling: int
    movement: Movement


class JackpotProof:
    """Judges one jackpot's entries in the order of their numbers."""

    def __init__(
        self,
        code: str,
        versions: Mapping[str, KnownVersion],
        published: Mapping[int, list[PublishedHead]],
        findings: Findings,
        awards: AwardProof | None = None,
        days: DayClock | None = None,
    ) -> None:
        self.code = code
        self.versions = versions
        self.findings = findings
        self.entries = 0
        self.seq = 0
        self.seal = NO_SEAL_BEFORE.hex()
        self.at = 0
        self.balances = NOWHERE
        self.in_force = self._in_force_before = ""
        self.published = dict(published)
        self._digests = {name: version.digest for name, version in versions.items()}
        self._plain: dict[tuple[str, str], PlainCoinIn] = {}
        self._movements: list[Movement] = []
        self._runs: list[tuple[int, int]] = [(1, 0)]
        self._corrected: dict[int, int] = {}
        self._paid: set[str] = set()
        self.transfers: list[Sent] = []
        self.kept: list[KeptEntry] = []
        self.days, self._window = days, NO_WINDOW
        self.advances = Advances()
        self.awards = awards

    def read(self, rows: Iterable[EntryRow]) -> None:
        """Judges a run of entries; may be called again with the next."""
        code, digests, plain, published = self.code, self._digests, self._plain, self.published
        remember, sha256 = self._movements.append, hashlib.sha256
        last, before, clock, contributed, meter, reserve, rest = self._lift()
        in_force, owed, any_day = self.in_force, self.advances.owed, self.days is None
        begins, ends, today = self._window
        counted = EntryKind.COIN_IN.value  # a plain text, compared for every entry of a book
        for row in rows:
            seq, kind, key, at, day, table, round_, win, corrects, version, moved, after, request, sealed = row
            known = plain.get((version, moved))
            follows = seq == last + 1 and at >= clock and version == in_force
            follows = follows and (any_day or (begins <= at < ends and day == today))
            if follows and known is not None and kind == counted and meter <= known.ceiling and not owed:
                line = (
                    f"v1|{before}|{code}|{seq}|{kind}|{key}|{at}|{day}|{table}|{round_}|{win}|{corrects}|"
                    f"{digests[version]}|{moved}|{after}|{request}"
                )
                given, to_meter, to_reserve = contributed + known[0], meter + known[1], reserve + known[2]
                if (
                    sha256(line.encode()).hexdigest() == sealed
                    and after == f"{_text(given)},{_text(to_meter)},{_text(to_reserve)},{rest}"
                    and not (corrects or win or seq in published)
                ):
                    last, before, clock, contributed, meter, reserve = seq, sealed, at, given, to_meter, to_reserve
                    remember(known.movement)
                    continue
            self._put(last, before, clock, contributed, meter, reserve)
            self._examine(EntryRow._make(row))
            last, before, clock, contributed, meter, reserve, rest = self._lift()
            in_force, owed = self.in_force, self.advances.owed
            begins, ends, today = self._window
        self._put(last, before, clock, contributed, meter, reserve)

    def close(self, standing: JackpotRow) -> None:
        """After the last entry: the jackpot's row and what was published must agree with it."""
        where, expected = self.code, self.findings.add
        if standing.last_seq != self.seq:
            expected(Promise.JACKPOT, where, "the jackpot's row names another last entry", self.seq, standing.last_seq)
        if standing.seal != self.seal:
            expected(Promise.JACKPOT, where, "the jackpot's row holds another seal", self.seal, standing.seal)
        if (standing.at or 0) != self.at:
            expected(Promise.JACKPOT, where, "the jackpot's row holds another time (µs)", self.at, standing.at or 0)
        for account, ours, theirs in self._pairs(self.balances, standing.balances):
            expected(
                Promise.JACKPOT, where, f"{account} in the jackpot's row", text_of_units(ours), text_of_units(theirs)
            )
        if standing.advance != self.advances.owed:
            ours, theirs = self.advances.owed, standing.advance
            expected(Promise.JACKPOT, where, "the house advance still owed", text_of_units(ours), text_of_units(theirs))
        self._repaid("", f"{where}/{self.seq}")
        if self.awards is not None:
            self.awards.close()
        for seq in sorted(self.published):
            expected(
                Promise.PUBLISHED, f"{where}/{seq}", "a published head names this entry",
                f"an entry with seal {self.published[seq][0].seal}", "no such entry",
            )  # fmt: skip

    def _examine(self, row: EntryRow) -> None:
        """Judges one entry by every promise and goes on from what it says."""
        where, self._in_force_before = f"{self.code}/{row.seq}", self.in_force
        self._number(row, where)
        version = self.versions.get(row.version)
        if version is None:
            self.findings.add(Promise.VERSION, where, "its version", "a version of this jackpot", "none known")
        else:
            self._seal(row, where, version.digest)
            self._terms(row, where)
        moved, after = whole_columns(row.movement), whole_columns(row.after)
        if moved is None or after is None:
            self.findings.add(
                Promise.UNREADABLE, where, "its amounts", "8 amounts with 8 decimals, twice", row.movement
            )
            self._movements.append(Movement())
        else:
            self._money(row, where, version, moved, Balances(*after))
        self._clock(row, where)
        self._day(row, where)
        self._said_elsewhere(row, where)
        self.entries += 1
        self.seq, self.seal = row.seq, row.seal

    def _number(self, row: EntryRow, where: str) -> None:
        if row.seq != self.seq + 1:
            self.findings.add(Promise.GAP, where, "the number", self.seq + 1, row.seq)
            self._runs.append((row.seq, len(self._movements)))

    def _seal(self, row: EntryRow, where: str, digest: str) -> None:
        line = (
            f"v1|{self.seal}|{self.code}|{row.seq}|{row.kind}|{row.key}|{row.at}|{row.day}|{row.table}|{row.round}|"
            f"{row.win}|{row.corrects}|{digest}|{row.movement}|{row.after}|{row.request}"
        )
        expected = hashlib.sha256(line.encode()).hexdigest()
        if expected != row.seal:
            self.findings.add(Promise.SEAL, where, "the seal over what it says and the seal before", expected, row.seal)

    def _terms(self, row: EntryRow, where: str) -> None:
        """Other terms than the entry before begin only with an award's reset, its back-out, or an act of two people."""
        if row.version != self.in_force and self.in_force and row.kind not in CHANGES_TERMS:
            other = f"other terms, at a {row.kind}"
            self.findings.add(Promise.VERSION, where, "the terms it names", "those of the entry before", other)
            return
        self.in_force = row.version

    def _money(
        self, row: EntryRow, where: str, version: KnownVersion | None, moved: tuple[int, ...], after: Balances
    ) -> None:
        before, self.balances = self.balances, after
        for account, ours, theirs in self._pairs(Balances(*map(int.__add__, before.columns(), moved)), after):
            self.findings.add(
                Promise.BALANCE, where, f"{account} after it", text_of_units(ours), text_of_units(theirs)
            )  # fmt: skip
        if sum(moved):
            self.findings.add(Promise.SUM, where, "its movement adds up to", "0.00", text_of_units(sum(moved)))
            self._movements.append(Movement())
            self._award(row, NOTHING, before)
            return
        movement = Movement(*moved)
        terms = version and version.terms
        if row.kind in KEPT:
            self.kept.append(KeptEntry(row, movement, before))
        self._repaid(row.kind, where)
        self._obeys(row, where, terms, movement, before)
        self._movements.append(movement)
        self.advances.after(row.seq, known_kind(row.kind), row.win, row.corrects, movement, terms)
        self._award(row, movement, before)

    def _award(self, row: EntryRow, moved: Movement, before: Balances) -> None:
        if self.awards is not None:
            self.awards.entry(row, moved, before, self._in_force_before)

    def _repaid(self, kind: str, where: str) -> None:
        """While an advance is owed, the entry after a coin-in is what it repays."""
        due_next = self.advances.due_next
        if due_next != NOTHING and kind != EntryKind.REPAY:
            self.findings.add(
                Promise.RULE,
                where,
                "what repays the house advance",
                f"repay, {spoken_movement(due_next)}",
                kind or "none",
            )

    def _obeys(self, row: EntryRow, where: str, terms: Terms | None, moved: Movement, before: Balances) -> None:
        """The entry's kind, what it corrects, and that it moved what the rule demands."""
        kind = known_kind(row.kind)
        if kind is None or (kind in FIRST) != (row.seq == 1):
            wanted = "opening or take_over" if row.seq == 1 else "a kind that may follow entry 1"
            self.findings.add(Promise.RULE, where, "its kind", wanted, row.kind)
            return
        if kind in TRANSFERS:
            self.transfers.append(Sent(self.code, row.seq, kind, row.key, moved.outside))
        original = self._original(row, where)
        if terms is None:
            return
        if kind in ADVANCING:
            demanded: Movement | None = self.advances.due(row.seq, kind, row.win, before, terms)
        else:
            demanded = due(kind, moved, before, terms, original)
        if demanded is not None and demanded != moved:
            self.findings.add(
                Promise.RULE, where, f"what its {row.kind} moved", spoken_movement(demanded), spoken_movement(moved)
            )
        elif kind is EntryKind.COIN_IN:
            self._learn(row, terms, moved)
        elif kind is EntryKind.PAY:
            self._paid.add(row.win)

    def _original(self, row: EntryRow, where: str) -> Movement | None:
        """The movement that an entry corrects: it names exactly one earlier entry, and no other correction does."""
        if row.kind not in CORRECTING:
            if row.corrects:
                self.findings.add(
                    Promise.CORRECTION, where, "a correction by its kind", "none", f"{row.kind} of {row.corrects}"
                )
            return None
        if corrects_nothing(row.kind, bool(row.win), bool(row.corrects)):
            return NOTHING
        corrected = int(row.corrects or 0)
        original = self._movement_of(corrected)
        if original is None:
            self.findings.add(
                Promise.CORRECTION, where, "the entry it corrects", "an earlier entry", row.corrects or "none"
            )
        elif corrected in self._corrected:
            other = f"{self.code}/{self._corrected[corrected]}"
            self.findings.add(
                Promise.CORRECTION, where, f"what corrects {self.code}/{corrected}", other, "this one too"
            )
        self._corrected.setdefault(corrected, row.seq)
        if original is None or row.kind != EntryKind.BACK_OUT:
            return original
        return undone(original, row.win in self._paid).with_also(self.advances.taken_back(row.win))

    def _movement_of(self, seq: int) -> Movement | None:
        # Where numbers are missing, places in the list are counted run by run.
        for first, place in reversed(self._runs):
            if first <= seq and place + seq - first < len(self._movements):
                return self._movements[place + seq - first]
        return None

    def _learn(self, row: EntryRow, terms: Terms, moved: Movement) -> None:
        """A coin-in that the limit did not touch is the same for its version and chips until the meter nears it."""
        if moved.overflow or moved.house:
            return
        # Without a limit: above any meter.
        ceiling = 10**30 if terms.limit is None else terms.limit.units - moved.meter
        self._plain[row.version, row.movement] = PlainCoinIn(
            moved.contributed, moved.meter, moved.reserve, ceiling, moved
        )

    def _clock(self, row: EntryRow, where: str) -> None:
        if row.at < self.at:
            self.findings.add(Promise.TIME, where, "its time (µs)", f"{self.at} or later", row.at)
        self.at = row.at

    def _day(self, row: EntryRow, where: str) -> None:
        """Reports, tax and the close of a day all go by it, so it is not for whoever may write rows to choose."""
        if self.days is None:
            return
        expected = self.days.days_at(row.at)
        if row.day not in expected:
            self.findings.add(Promise.DAY, where, "its gaming day", expected[0], row.day)
        self._window = self.days.window_at(row.at)

    def _said_elsewhere(self, row: EntryRow, where: str) -> None:
        for head in self.published.pop(row.seq, ()):
            if head.seal != row.seal:
                self.findings.add(Promise.PUBLISHED, where, "the seal published for it", head.seal, row.seal)
            elif head.meter != text_of_units(self.balances.meter):
                self.findings.add(
                    Promise.PUBLISHED,
                    where,
                    "the meter published for it",
                    head.meter,
                    text_of_units(self.balances.meter),
                )

    def _lift(self) -> tuple[int, str, int, int, int, int, str]:
        held = self.balances.columns()
        rest = ",".join(map(stored_text, held[3:]))
        return self.seq, self.seal, self.at, held[0], held[1], held[2], rest

    def _put(self, seq: int, seal: str, at: int, contributed: int, meter: int, reserve: int) -> None:
        self.entries += seq - self.seq
        self.seq, self.seal, self.at = seq, seal, at
        self.balances = Balances(contributed, meter, reserve, *self.balances.columns()[3:])

    @staticmethod
    def _pairs(ours: Balances, theirs: Balances) -> list[tuple[str, int, int]]:
        return [pair for pair in zip(ACCOUNTS, ours.columns(), theirs.columns(), strict=True) if pair[1] != pair[2]]


def _text(units: int) -> str:
    """The stored text, a little quicker where the amount has a whole part."""
    digits = str(units)
    return f"{digits[:-8]}.{digits[-8:]}" if len(digits) > 9 else stored_text(units)


def whole_columns(text: str) -> tuple[int, ...] | None:
    """Eight amounts of eight decimals as units; None if the text is anything else."""
    amounts = text.split(",")
    try:
        units = tuple(int(amount.replace(".", "")) for amount in amounts)
    except ValueError:
        return None
    # Written again and compared: other spellings would read the same, and are not what was sealed.
    return units if len(units) == len(ACCOUNTS) and ",".join(map(stored_text, units)) == text else None
