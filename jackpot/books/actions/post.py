"""The books: the only place that writes entries.

`with open_books(ids) as books:` locks the jackpots in id order and reads the database's clock; postings are decided and
sealed in memory; leaving writes every entry and every jackpot row in one trip.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Final, NamedTuple

from django.db import connection, transaction

from jackpot.books import events, queries
from jackpot.books.actions.writing import PostedOn, Posting, write_questions
from jackpot.books.models.jackpot import Jackpot, JackpotState, Version
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import ACCOUNTS, Balances, Movement
from jackpot.books.rules.seal import SealedFields, seal_of, stamp_of
from jackpot.database.raw import Question, Rows, ask_together
from jackpot.money import texts_moved, units_of_each
from jackpot.property.rules.gaming_day import gaming_day
from jackpot.refusals import Refused
from jackpot.terms.rules.terms import Terms
from jackpot.trail.actions.standing import TrailSilent, silence

# NO KEY: what only refers to a jackpot (a new hit, a new request) is written without waiting for this lock.
LOCK: Final = f"""
SELECT j.id, j.code, j.state, j.version_id, (SELECT v.digest FROM jackpot_version v WHERE v.id = j.version_id),
       j.last_seq, j.seal, j.last_at, clock_timestamp(), p.time_zone, p.day_roll_minutes,
       p.plausible_play, j.floor_changes,
       (SELECT w.why FROM jackpot_wentback w WHERE w.jackpot_id = j.id AND w.accepted_at IS NULL),
       ARRAY[{", ".join(f"j.{account}" for account in ACCOUNTS)}, j.advance]
  FROM jackpot_jackpot j JOIN jackpot_property p ON p.id = j.premises_id
 WHERE j.id = ANY(%s) ORDER BY j.id FOR NO KEY UPDATE OF j
"""


class LockedRow(NamedTuple):
    """A jackpot's row under its lock, as `LOCK` reads it; `amounts` are its balances and what it owes the house."""

    id: int
    code: str
    state: str
    version_id: int | None
    version_digest: str | None
    last_seq: int
    seal: bytes
    last_at: datetime | None
    now: datetime
    time_zone: str
    day_roll_minutes: int
    plausible_play: bool
    floor_changes: int
    went_back: str | None
    amounts: Sequence[Decimal]


@dataclass(frozen=True, slots=True)
class VersionInForce:
    """The version whose terms a posting obeys."""

    id: int
    digest: str
    terms: Terms


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
    texts: tuple[str, ...]  # of the balances, as seals and the database spell them
    stamp: str
    clock: datetime  # the database's, as this row was locked
    zone_and_roll: tuple[str, int]  # of its house's gaming day
    plausible_play: bool = False  # whether its house keeps back what no table can have played
    floor_changes: int = 0  # how often what feeds it was changed
    advance: int = 0  # what of house advances is still owed
    last_at: datetime | None = None  # of the last entry
    differs: str = ""  # the sentence, where the row is not what its last entry says
    obeyed: VersionInForce | None = None  # looked up once an act
    entries: list[Posting] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        return self.state == JackpotState.OPEN

    @property
    def written(self) -> tuple[object, ...]:
        """What the row must say as its last entry does, so that it is known again."""
        return self.last_seq, self.seal, self.balances, self.last_at, self.version_id


class EntryReference(NamedTuple):
    """What an entry is about: where it happened and what it answers to."""

    key: str
    request: bytes
    table_code: str = ""
    round_number: int | None = None
    win_id: int | None = None
    corrects: int | None = None


class BooksDiffer(Refused):
    """Somebody changed a jackpot's row behind its books; it is never sealed."""

    code = "books_differ"


class SpeakerAsked(NamedTuple):
    """Whoever an act is done for may be heard no more while it waits: `asked` again behind the lock, and judged."""

    asked: Question
    judge: Callable[[Rows], None]


speaking: Final[ContextVar[SpeakerAsked | None]] = ContextVar("speaking", default=None)
_versions: dict[tuple[int, str], VersionInForce] = {}
_written_last: dict[int, tuple[object, ...]] = {}  # by this process; the same row again needs no look at its last entry


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
    """The locked jackpots of one act, and the answers to what it asked in the same trip."""

    def __init__(self, heads: Mapping[int, LockedJackpot], answers: Sequence[Rows] = ()) -> None:
        self.heads = heads
        self.answers = answers
        self.deferred_writes: dict[object, Callable[[], Question]] = {}
        # Rows that this process did not write last are held against their last entry, in a trip of the batch's.
        unknown = [head.id for head in heads.values() if _written_last.get(head.id) != head.written]
        self.doubts: list[Question] = [queries.differing_question(unknown)] if unknown else []

    def judge(self, differing: Iterable[Rows]) -> None:
        """What the doubts brought: a jackpot that differs posts nothing, and its last moment holds up no other."""
        found = [each for rows in differing if rows for each in queries.differences_of(rows)]
        for each in found:
            self.heads[each.jackpot_id].differs = each.why
        if found:
            heads = self.heads.values()
            _set_time(heads, [head.last_at for head in heads if not head.differs])

    def on_close(self, name: object, statement: Callable[[], Question]) -> None:
        """To be written with the entries, once under this name, as it stands when the books are left."""
        self.deferred_writes[name] = statement

    def terms(self, jackpot_id: int) -> Terms:
        return self.version(jackpot_id).terms

    def version(self, jackpot_id: int) -> VersionInForce:
        head = self.heads[jackpot_id]
        assert head.version_id is not None, "a jackpot has its first version before its first entry"
        if head.obeyed is None:
            head.obeyed = in_force(head.version_id, head.version_digest)
        return head.obeyed

    def put_in_force(self, jackpot_id: int, version: Version) -> None:
        """From the next entry on everything obeys this version; the batch reads it with the lock it waits for."""
        head = self.heads[jackpot_id]
        head.version_id, head.version_digest, head.obeyed = version.pk, version.digest, None
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
            self.post(head.id, EntryKind.REPAY, moved, about._replace(key=f"{about.key}/repay"))

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
        assert not head.differs, head.differs
        after, seq = head.balances.after(moved), head.last_seq + 1
        movement_texts, after_texts = moved.texts, texts_moved(head.texts, moved.columns(), after)
        fields = SealedFields(
            before=head.seal, jackpot_code=head.code, seq=seq, kind=kind, key=about.key, stamp=head.stamp,
            table_code=about.table_code, round_number=about.round_number, win_id=about.win_id,
            corrects=about.corrects, version_digest=version.digest, movement=movement_texts, after=after_texts,
            request=about.request,
        )  # fmt: skip
        posting = Posting(
            jackpot_id=head.id, seq=seq, kind=kind, key=about.key, occurred_at=head.now, gaming_day=head.gaming_day,
            table_code=about.table_code, round_number=about.round_number, win_id=about.win_id,
            corrects=about.corrects, version_id=version.id, movement=moved, after=after, request=about.request,
            seal=seal_of(fields), movement_texts=movement_texts, after_texts=after_texts,
        )  # fmt: skip
        head.balances, head.last_seq, head.seal, head.last_at = after, seq, posting.seal, head.now
        head.texts = after_texts
        head.entries.append(posting)
        return posting


@contextmanager
def open_books(
    jackpot_ids: Collection[int], asked: Sequence[Question] = (), *, doubts_later: bool = False
) -> Iterator[Books]:
    """Locks the jackpots by id, yields their books, writes what was posted, announces it after the commit.

    What else the act must know is `asked` behind the lock, in the same trip, and so is whether a row was changed behind
    the books: then nothing is posted. The batch asks that only of rows that its process did not write last, with the
    look that it takes anyway, and judges it table by table.
    """
    if silence:  # asked before anything is locked
        raise TrailSilent(silence[0])
    speaker = speaking.get()
    with transaction.atomic():
        # The speaker and the rows are asked last: their answers are taken off before the act reads its own.
        changed = [] if doubts_later or not jackpot_ids else [(queries.DIFFERING, [list(jackpot_ids), False])]
        heads, answers = _locked(jackpot_ids, [*asked, *changed, *([speaker.asked] if speaker is not None else [])])
        if speaker is not None:
            speaker.judge(answers.pop())
        books = Books(heads, answers)
        if changed:
            books.judge([answers.pop()])
        if not doubts_later:
            _refuse_changed(books)
        yield books
        moved = [head for head in books.heads.values() if head.entries]
        statements = [statement() for statement in books.deferred_writes.values()]
        if moved:
            statements += write_questions([PostedOn(head.entries, head.advance) for head in moved])
            # Before the commit: should it fail, the row says something else and is held against its last entry again.
            _written_last.update({head.id: head.written for head in moved})
            events.announce_after_commit(head.id for head in moved)
            connection.writes = True  # type: ignore[attr-defined]  # of our own engine
        ask_together(statements)


def _refuse_changed(books: Books) -> None:
    for head in books.heads.values():
        if head.differs:
            raise BooksDiffer(head.differs)


def lock(jackpot_ids: Collection[int]) -> dict[int, LockedJackpot]:
    """Locks in id order; the clock is the database's and never behind a jackpot's last entry."""
    return _locked(jackpot_ids, ())[0]


def _locked(jackpot_ids: Collection[int], asked: Sequence[Question]) -> tuple[dict[int, LockedJackpot], list[Rows]]:
    """The jackpots by id, and the answers to what was asked. One act has one time, also over several jackpots."""
    locks = [(LOCK, [sorted(jackpot_ids)])] if jackpot_ids else []
    answers = ask_together([*locks, *asked])
    rows = [LockedRow._make(row) for row in answers.pop(0)] if locks else []
    if not rows:
        return {}, answers
    now = max(row.now for row in rows)
    # A clock that was put back makes no entry older than the one before it.
    now = max([now, *(row.last_at for row in rows if row.last_at is not None)])
    return {row.id: _head(row, now) for row in rows}, answers


def _set_time(heads: Collection[LockedJackpot], last: Iterable[datetime | None]) -> None:
    """The act's time anew: the database's, and never behind these last entries."""
    now = max([*(head.clock for head in heads), *(at for at in last if at is not None)])
    for head in heads:
        head.now, head.gaming_day = now, gaming_day(now, *head.zone_and_roll)
        head.stamp = stamp_of(now, head.gaming_day)


def _head(row: LockedRow, now: datetime) -> LockedJackpot:
    day = gaming_day(now, row.time_zone, row.day_roll_minutes)
    *units, advance = units_of_each(row.amounts)
    balances = Balances(*units)
    return LockedJackpot(
        id=row.id, code=row.code, state=row.state, version_id=row.version_id, version_digest=row.version_digest,
        last_seq=row.last_seq, seal=bytes(row.seal), now=now, gaming_day=day, balances=balances,
        texts=tuple([f"{amount:f}" for amount in row.amounts[:-1]]), stamp=stamp_of(now, day), clock=row.now,
        advance=advance,
        zone_and_roll=(row.time_zone, row.day_roll_minutes), plausible_play=row.plausible_play, last_at=row.last_at,
        floor_changes=row.floor_changes, differs=row.went_back or "",
    )  # fmt: skip
