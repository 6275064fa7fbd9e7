"""Publishing heads: one signed line a jackpot, appended to a file outside the database."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO, Final

from django.db.models.functions import Now

from jackpot.books.models.jackpot import Jackpot
from jackpot.errands.rules import Rhythm
from jackpot.money import text_of_units, units_of
from jackpot.proof.actions.high_water import compare_published
from jackpot.proof.queries.heads import heads_key, heads_path
from jackpot.proof.rules.heads import NotAHead, SignedHead, read_head

RHYTHM: Final = Rhythm("publish heads", every=timedelta(minutes=5), alarm_after=timedelta(minutes=5))
_TAIL: Final = 64 * 1024  # enough for the last line of some 200 jackpots


def publish_heads() -> int:
    """Appends where every jackpot stands; one that has not moved since its last line is not said again."""
    heads = standing_heads()
    with _appending(heads_path()) as file:
        before = list(_last_heads(file))
        said = {head.jackpot: (head.seq, head.seal) for head in before}
        # Before anything is added: what was said last must still be in the books that it was said of.
        compare_published(before)
        new = [head for head in heads if said.get(head.jackpot) != (head.seq, head.seal)]
        lines = "".join(f"{head.line(heads_key())}\n" for head in new)
        file.seek(0, os.SEEK_END)
        file.write(lines.encode("ascii"))
        file.flush()
        # Said is what lies on the disk: a head that a power cut takes back would prove nothing.
        os.fsync(file.fileno())
    return len(new)


def standing_heads() -> list[SignedHead]:
    """Where every jackpot stands now."""
    # By the database's clock, as entries are.
    rows = Jackpot.objects.filter(last_seq__gt=0).order_by("id").annotate(at=Now())
    return [
        SignedHead(
            at=_utc(at), jackpot=code, seq=seq, seal=bytes(seal).hex(), meter=text_of_units(units_of(meter)),
        )
        for at, code, seq, seal, meter in rows.values_list("at", "code", "last_seq", "seal", "meter")
    ]  # fmt: skip


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


@contextmanager
def _appending(path: Path) -> Iterator[BinaryIO]:
    """One writer at a time; a last line that a power cut left unfinished is cut away first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        end = file.seek(0, os.SEEK_END)
        if end:
            tail = _tail(file)
            file.truncate(end - len(tail) + tail.rfind(b"\n") + 1)
        yield file


def _tail(file: BinaryIO) -> bytes:
    end = file.seek(0, os.SEEK_END)
    file.seek(max(end - _TAIL, 0))
    return file.read()


def _last_heads(file: BinaryIO) -> Iterator[SignedHead]:
    for line in _tail(file).decode("ascii", "replace").splitlines():
        try:
            yield read_head(line)
        except NotAHead:
            continue  # the first line of the tail may be cut; prove reads the file whole
