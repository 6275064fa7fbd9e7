"""The high-water guard: what a node, the published heads or a device has seen of the books must still be in them.

Each node keeps the highest entry of every jackpot in a small file of its data folder. A jackpot whose books went back
(an older copy was restored, an old primary came back) stops at the next look, which is a second away at most.
"""

from __future__ import annotations

import hmac
import json
import logging
import os
import socket
import threading
import time
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import transaction

from jackpot.books import events
from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.models.went_back import WentBack
from jackpot.books.rules.high_water import BooksNow, HighWater, why_gone_back
from jackpot.database.raw import ask_together
from jackpot.proof.rules.heads import SignedHead
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

log = logging.getLogger(__name__)
FILE_NAME: Final = "high-water.json"
SERVER: Final = "Server"
# By the entries, not by the row: the row may have been changed. `known` is what is remembered.
LOOK: Final = """
SELECT j.id, j.code, first.seal, last.seq, last.seal, there.seal,
       (SELECT extract(epoch FROM max(w.accepted_at)) FROM jackpot_wentback w WHERE w.jackpot_id = j.id),
       (SELECT w.known_seq FROM jackpot_wentback w WHERE w.jackpot_id = j.id AND w.accepted_at IS NULL),
       floor(extract(epoch FROM clock_timestamp()))::bigint
  FROM jackpot_jackpot j
  JOIN jackpot_entry first ON first.jackpot_id = j.id AND first.seq = 1
  JOIN LATERAL (
    SELECT e.seq, e.seal FROM jackpot_entry e WHERE e.jackpot_id = j.id ORDER BY e.seq DESC LIMIT 1
  ) last ON true
  LEFT JOIN unnest(%s::text[], %s::bigint[]) known(code, seq) ON known.code = j.code
  LEFT JOIN jackpot_entry there ON there.jackpot_id = j.id AND there.seq = known.seq
"""
LOOK_AT_THESE: Final = f"{LOOK} WHERE known.code IS NOT NULL"
SAID: Final = """
SELECT EXISTS (
  SELECT 1 FROM jackpot_jackpot j JOIN jackpot_entry e ON e.jackpot_id = j.id
    JOIN unnest(%s::bigint[], %s::bytea[]) AS said(seq, seal) ON e.seq = said.seq AND e.seal = said.seal
   WHERE j.code = %s
)
"""


def remembered(path: Path) -> dict[str, HighWater]:
    """What this node has seen; a file that cannot be read is no memory and no alarm."""
    try:
        plain = json.loads(path.read_text())
        return {
            code: HighWater(bytes.fromhex(first), int(seq), bytes.fromhex(seal), int(at))
            for code, (first, seq, seal, at) in plain.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def keep(path: Path, marks: Mapping[str, HighWater]) -> None:
    """Whole or not at all; a folder that takes nothing just now is tried again with the next entry."""
    # Several processes of a node keep this file: each has a draft of its own.
    draft = path.with_suffix(f".{os.getpid()}")
    plain = {code: [mark.first_seal.hex(), mark.seq, mark.seal.hex(), mark.at] for code, mark in sorted(marks.items())}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(plain))
        draft.replace(path)
    except OSError as problem:
        log.warning("%s could not be written: %s", path, problem)


class HighWaterGuard:
    """One per process; the file is the node's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._marks: dict[str, HighWater] | None = None

    @property
    def path(self) -> Path:
        return Path(settings.DATA_DIR) / FILE_NAME

    def look(self) -> list[str]:
        """Once a second: compares, remembers what is higher, stops what went back. Returns the sentences."""
        with self._lock:
            known = self._marks if self._marks is not None else remembered(self.path)
            marks, told = compare(known, dict.fromkeys(known, f"node {socket.gethostname()}"))
            # Once a second, and a floor at rest writes nothing.
            if marks != known:
                keep(self.path, marks)
            self._marks = marks
        return told

    def forget(self) -> None:
        """What stands in the file counts again."""
        with self._lock:
            self._marks = None


guard: Final = HighWaterGuard()


def compare(known: Mapping[str, HighWater], by: Mapping[str, str]) -> tuple[dict[str, HighWater], list[str]]:
    """What is remembered against the books: the marks from now on, and what went back. `by` is who remembers each."""
    return _compared(known, LOOK, by)


def _compared(
    known: Mapping[str, HighWater], look: str, by: Mapping[str, str]
) -> tuple[dict[str, HighWater], list[str]]:  # fmt: skip
    asked = [list(known), [mark.seq for mark in known.values()]]
    (rows,) = ask_together([(look, asked)])
    marks, told = dict(known), list[str]()
    for id_, code, first, seq, seal, there, accepted, open_case, moment in rows:
        now = BooksNow(bytes(first), seq, bytes(seal), None if there is None else bytes(there))
        mark = known.get(code)
        why = why_gone_back(code, mark, now) if mark is not None else None
        # What was seen before two people accepted the books does not stop them again.
        if why is None or mark is None or (accepted is not None and mark.at <= accepted):
            if mark is None or (mark.seq, mark.seal) != (now.seq, now.seal):
                marks[code] = HighWater(now.first_seal, now.seq, now.seal, moment)
            continue
        told.append(why)
        # A jackpot has one open case: only who remembers more than it says has something to add.
        if open_case is None or mark.seq > open_case:
            stop(jackpot_id=id_, code=code, mark=mark, found_seq=seq, why=why, by=by[code])
    return marks, told


@transaction.atomic
def stop(*, jackpot_id: int, code: str, mark: HighWater, found_seq: int, why: str, by: str) -> None:
    """From the commit on nothing is posted: whoever locks the jackpot reads it with the lock."""
    lock([jackpot_id])
    seen = {"known_seq": mark.seq, "known_seal": mark.seal, "found_seq": found_seq, "why": why, "told_by": by[:60]}
    open_case = WentBack.objects.filter(jackpot_id=jackpot_id, accepted_at=None)
    # Asked again behind the lock: another process may have stopped it meanwhile, with as much.
    if open_case.filter(known_seq__gte=mark.seq).exists():
        return
    if not open_case.update(**seen):  # somebody else remembers more
        WentBack.objects.create(jackpot_id=jackpot_id, **seen)
    details = {"known": mark.seq, "known_seal": mark.seal.hex(), "found": found_seq, "told_by": by}
    record(actor=SERVER, act="books went back", about=objects.jackpot(code), outcome="alarm", why=why, details=details)
    events.notify(f"books {code}")


# What a device remembers for us: opaque to it but for the number in front, and signed, so that nobody stops a jackpot
# with a number that was never there.


def mark_told(code: str, seq: int, seal: bytes, at: int) -> str:
    return f"{seq}:{seal.hex()}:{at}:{_signed(code, seq, seal, at)}"


def mark_heard(code: str, told: str) -> HighWater | None:
    """What a device says it has seen; None where this house's key never signed it."""
    try:
        number, seal_hex, moment, signature = told.split(":")
        seq, seal, at = int(number), bytes.fromhex(seal_hex), int(moment)
    except ValueError:
        return None
    if seq < 1 or not hmac.compare_digest(signature.encode(), _signed(code, seq, seal, at).encode()):
        return None
    return HighWater(b"", seq, seal, at)


def _signed(code: str, seq: int, seal: bytes, at: int) -> str:
    key = hmac.digest(settings.MASTER_KEY, b"high water", "sha256")
    # Half a digest: a box keeps one for each jackpot of its table, and nobody guesses 128 bits.
    return hmac.digest(key, f"{code}:{seq}:{seal.hex()}:{at}".encode(), "sha256").hex()[:32]


def marks_of(codes: Collection[str]) -> dict[str, str]:
    """For a device: the mark of each jackpot that its table feeds."""
    return marks_of_rows(Jackpot.objects.filter(code__in=codes).values_list("code", "last_seq", "seal"))


def marks_of_rows(rows: Iterable[tuple[str, int, bytes | memoryview[int]]]) -> dict[str, str]:
    """The same where code, last number and seal were read already; before the first entry there is no mark."""
    now = int(time.time())
    return {code: mark_told(code, seq, bytes(seal), now) for code, seq, seal in rows if seq}


def heard_from(*, by: str, marks: Mapping[str, str]) -> list[str]:
    """A device says what it has seen; what is not in the books any more stops that jackpot."""
    return heard_from_each({by: marks})


def heard_from_each(told: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Devices that speak at once, each with its marks. What several remember alike is compared once."""
    said = {(code, mark): by for by, marks in told.items() for code, mark in marks.items()}
    heard = {(code, mark): by for (code, text), by in said.items() if (mark := mark_heard(code, text)) is not None}
    if not heard:
        return []
    firsts, stopped = _first_seals({code for code, _ in heard}), list[str]()
    # A question takes one mark a jackpot: where devices remember unlike ones, they are asked of in turn.
    while heard := {pair: by for pair, by in heard.items() if pair[0] in firsts}:
        one_each = {code: mark for code, mark in heard}  # noqa: C416 - of each jackpot one of its marks
        by = {code: heard.pop((code, mark)) for code, mark in one_each.items()}
        known = {code: mark._replace(first_seal=firsts[code]) for code, mark in one_each.items()}
        stopped += _compared(known, LOOK_AT_THESE, by)[1]
    return stopped


def _first_seals(codes: Collection[str]) -> dict[str, bytes]:
    """A device keeps no first seal; what this key has signed was of this house."""
    asked = "SELECT j.code, e.seal FROM jackpot_jackpot j JOIN jackpot_entry e ON e.jackpot_id = j.id AND e.seq = 1"
    (rows,) = ask_together([(f"{asked} WHERE j.code = ANY(%s)", [list(codes)])])
    return {code: bytes(seal) for code, seal in rows}


def compare_published(heads: Iterable[SignedHead]) -> list[str]:
    """The newest published head of each jackpot must be in its books, if an older one of that file is: other books,
    of a house founded anew in the same folder, share none."""
    by_jackpot: dict[str, list[SignedHead]] = {}
    for head in heads:
        by_jackpot.setdefault(head.jackpot, []).append(head)
    firsts, known = _first_seals(by_jackpot), dict[str, HighWater]()
    for code, said in by_jackpot.items():
        if code in firsts and _in_books(code, said[:-1]):
            at = int(datetime.fromisoformat(said[-1].at).timestamp())
            known[code] = HighWater(firsts[code], said[-1].seq, bytes.fromhex(said[-1].seal), at)
    return _compared(known, LOOK_AT_THESE, dict.fromkeys(known, "published heads"))[1] if known else []


def _in_books(code: str, heads: Iterable[SignedHead]) -> bool:
    """Whether any of them is where it was."""
    pairs = [(head.seq, bytes.fromhex(head.seal)) for head in heads]
    if not pairs:
        return False
    numbers, seals = [seq for seq, _ in pairs], [seal for _, seal in pairs]
    (rows,) = ask_together([(SAID, [numbers, seals, code])])
    return bool(rows[0][0])
