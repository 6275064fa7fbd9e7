"""The books: the only place that writes entries.

`with open_books(ids) as books:` locks the jackpots in id order and reads the database's clock; postings are decided and
sealed in memory; leaving writes every entry and every jackpot row in one statement.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Final

from django.db import transaction

from jackpot.books import events
from jackpot.books.actions.writing import books_written
from jackpot.books.models.jackpot import Jackpot, JackpotState, Version
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import Balances, Movement
from jackpot.books.rules.seal import amount_texts, line_of_texts, seal, stamp_of
from jackpot.database.raw import Question, Rows, ask_together
from jackpot.money import stored_text, units_of
from jackpot.property.rules.gaming_day import gaming_day
from jackpot.terms.rules.terms import Terms

LOCK: Final = """
SELECT j.id, j.code, j.state, j.version_id, j.last_seq, j.seal, j.last_at, p.time_zone, p.day_roll_minutes,
       clock_timestamp(), (SELECT v.digest FROM jackpot_version v WHERE v.id = j.version_id),
       j.contributed, j.meter, j.reserve, j.overflow, j.house, j.winners, j.paid, j.outside, j.advance
  FROM jackpot_jackpot j JOIN jackpot_property p ON p.id = j.premises_id
 WHERE j.id = ANY(%s) ORDER BY j.id FOR NO KEY UPDATE OF j
"""


@dataclass(frozen=True, slots=True)
class VersionInForce:
    """The version whose terms a posting obeys."""

    id: int
    digest: str
    terms: Terms


@dataclass(frozen=True, slots=True)
class Posting:
    """One sealed entry, decided but not yet written."""

    jackpot_id: int
    seq: int
    kind: EntryKind
    key: str
    occurred_at: datetime
    gaming_day: date
    table_code: str
    round_number: int | None
    win_id: int | None
    corrects: int | None
    version_id: int
    movement: Movement
    after: Balances
    request: bytes
    seal: bytes
    amounts: tuple[str, ...]


@dataclass(slots=True)
class LockedJackpot:
    """Where the books of one locked jackpot stand."""

    id: int
    code: str
    state: str
    version_id: int | None
    version_digest: str | None
    last_seq: int
    seal: bytes
    now: datetime
    gaming_day: date
    balances: Balances
    stamp: str
    texts: tuple[str, ...]
    advance: int = 0  # what of house advances is still owed
    entries: list[Posting] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class EntryReference:
    """What an entry is about: where it happened and what it answers to."""

    key: str
    request: bytes
    table_code: str = ""
    round_number: int | None = None
    win_id: int | None = None
    corrects: int | None = None


_versions: dict[tuple[int, str], VersionInForce] = {}


def in_force(version_id: int, digest: str | None = None) -> VersionInForce:
    """A version by its id and digest. Versions never change, so each is read once per process.

    The digest is part of the name, so that a database restored under a running process cannot lend its terms.
    """
    known = _versions.get((version_id, digest)) if digest else None
    if known is None:
        version = Version.objects.get(id=version_id)
        known = VersionInForce(version_id, version.digest, version.value)
        _versions[version_id, version.digest] = known
    return known


class Books:
    """The locked jackpots of one act, and what it was told in the same trip."""

    def __init__(self, heads: Mapping[int, LockedJackpot], told: Sequence[Rows] = ()) -> None:
        self.heads = heads
        self.told = told
        self.kept: dict[object, Callable[[], Question]] = {}

    def keep(self, name: object, statement: Callable[[], Question]) -> None:
        """To be written with the entries, once under this name, as it stands when the books are left."""
        self.kept[name] = statement

    def terms(self, jackpot_id: int) -> Terms:
        return self.version(jackpot_id).terms

    def version(self, jackpot_id: int) -> VersionInForce:
        head = self.heads[jackpot_id]
        assert head.version_id is not None, "a jackpot has its first version before its first entry"
        return in_force(head.version_id, head.version_digest)

    def put_in_force(self, jackpot_id: int, version: Version) -> None:
        """From the next entry on everything obeys this version; the batch reads it with the lock it waits for."""
        head = self.heads[jackpot_id]
        head.version_id, head.version_digest = version.pk, version.digest
        Jackpot.objects.filter(id=jackpot_id).update(version=version)

    def coin_in(self, jackpot_id: int, spots: int, about: EntryReference) -> Posting:
        """Posts k chips of the wager to one jackpot, by the version in force."""
        head = self.heads[jackpot_id]
        moved = money_of.coin_in(spots, self.terms(jackpot_id), head.balances.meter)
        posting = self.post(jackpot_id, EntryKind.COIN_IN, moved, about)
        if head.advance:
            self._repay(head, spots, moved.meter, about)
        return posting

    def advance(self, jackpot_id: int, moved: Movement, about: EntryReference) -> Posting:
        """Posts the restart of a dry meter; what the house lends is owed from here on."""
        self.heads[jackpot_id].advance -= moved.house
        return self.post(jackpot_id, EntryKind.ADVANCE, moved, about)

    def _repay(self, head: LockedJackpot, spots: int, raised: int, about: EntryReference) -> None:
        """Right after the coin-in, the entry before it: so the two are found and undone together."""
        moved = money_of.repay(spots, head.advance, raised, self.terms(head.id))
        if moved.house:
            head.advance -= moved.house
            self.post(head.id, EntryKind.REPAY, moved, replace(about, key=f"{about.key}/repay"))

    def take_back_repayment(
        self, jackpot_id: int, kind: EntryKind, original: Movement, about: EntryReference
    ) -> Posting:
        """The contra of a repayment: it is owed again."""
        self.heads[jackpot_id].advance += original.house
        return self.contra(jackpot_id, kind, original, about)

    def contra(self, jackpot_id: int, kind: EntryKind, original: Movement, about: EntryReference) -> Posting:
        """Posts the contra of an earlier entry; later coin-ins stay."""
        head = self.heads[jackpot_id]
        return self.post(jackpot_id, kind, money_of.contra(original, head.balances, self.terms(jackpot_id)), about)

    def post(self, jackpot_id: int, kind: EntryKind, moved: Movement, about: EntryReference) -> Posting:
        """Numbers, balances and seals one entry; it is written when the books are left."""
        head, version = self.heads[jackpot_id], self.version(jackpot_id)
        after, columns = head.balances.after(moved), moved.columns()
        seq, moved_texts = head.last_seq + 1, amount_texts(columns)
        stood = zip(columns, head.texts, after.columns(), strict=True)
        after_texts = tuple(stored_text(units) if change else text for change, text, units in stood)
        line = line_of_texts(
            head.seal, head.code, seq, kind, about.key, head.stamp, about.table_code, about.round_number,
            about.win_id, about.corrects, version.digest, moved_texts, after_texts, about.request,
        )  # fmt: skip
        posting = Posting(
            head.id, seq, kind, about.key, head.now, head.gaming_day, about.table_code, about.round_number,
            about.win_id, about.corrects, version.id, moved, after, about.request, seal(line),
            moved_texts + after_texts,
        )  # fmt: skip
        head.balances, head.texts, head.last_seq, head.seal = after, after_texts, seq, posting.seal
        head.entries.append(posting)
        return posting


@contextmanager
def open_books(jackpot_ids: Collection[int], asked: Sequence[Question] = ()) -> Iterator[Books]:
    """Locks the jackpots by id, yields their books, writes what was posted, announces it after the commit.

    What else the act must know is `asked` behind the lock, in the same trip.
    """
    with transaction.atomic():
        books = Books(*_locked(jackpot_ids, asked))
        yield books
        moved = {id_: head for id_, head in books.heads.items() if head.entries}
        statements = [statement() for statement in books.kept.values()]
        if moved:
            statements.append(books_written(moved.values()))
            events.announce_after_commit(moved)
        ask_together(statements)


def lock(jackpot_ids: Collection[int]) -> dict[int, LockedJackpot]:
    """Locks in id order; the clock is the database's and never behind a jackpot's last entry."""
    return _locked(jackpot_ids, ())[0]


def _locked(jackpot_ids: Collection[int], asked: Sequence[Question]) -> tuple[dict[int, LockedJackpot], list[Rows]]:
    locks = [(LOCK, [sorted(jackpot_ids)])] if jackpot_ids else []
    told = ask_together([*locks, *asked])
    rows = told.pop(0) if locks else []
    now = max((moment for row in rows for moment in (row[6], row[9]) if moment is not None), default=None)
    return {row[0]: _head(row, now) for row in rows} if now else {}, told


def _head(row: tuple[Any, ...], now: datetime) -> LockedJackpot:
    """One act has one time, also over several jackpots."""
    id_, code, state, version_id, last_seq, sealed, _, zone, roll, _, digest = row[:11]
    day = gaming_day(now, zone, roll)
    balances = Balances(*map(units_of, row[11:19]))
    return LockedJackpot(
        id_, code, state, version_id, digest, last_seq, bytes(sealed), now, day, balances,
        stamp_of(now, day), amount_texts(balances.columns()), units_of(row[19]),
    )  # fmt: skip


def is_open(head: LockedJackpot) -> bool:
    return head.state == JackpotState.OPEN
