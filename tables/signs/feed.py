"""What a sign hears, as bytes: the same for every client of that sign, made once."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import orjson
from django.conf import settings

from jackpot.proof.actions.high_water import mark_told
from jackpot.terms.rules.terms import Terms
from tables.signs.queries import MeterLayout, ShownMeter, SignLayout, WinShown

NEWS_FOR: Final = timedelta(minutes=1)
_PAGE: Final = ("static/signs/*.js", "static/signs/*.css", "templates/tables/signs/sign.html")
_written_lines: dict[str, bytes] = {}


def words(layout: SignLayout, standings: Mapping[int, ShownMeter], at: datetime, fault: str | None = None) -> bytes:
    """The whole object of one sign. With a fault there are no meters: a figure nobody can vouch for is not repeated."""
    shown = [] if fault else [meter for meter in layout.meters if meter.jackpot_id in standings]
    return orjson.dumps(
        {
            "scene": scene(layout, standings),
            "at": at,
            "meters": [_meter(meter, standings[meter.jackpot_id]) for meter in shown],
            "verifying": [
                {"table": hit.table, "amount": str(hit.amount), "line": hit.line}
                for meter in shown
                for hit in standings[meter.jackpot_id].verifying
            ],
            "won": _won(_news((standings[meter.jackpot_id].newest for meter in shown), at)),
            "last": _won(_newest(standings[meter.jackpot_id].last for meter in shown)),
            "fault": fault,
            "notice": layout.notice,
            "page": page_edition(),
        }
    )


def beat(at: datetime) -> bytes:
    """“I am here and nothing changed”: silence is what a sign must be able to notice."""
    return orjson.dumps({"beat": at})


def scene(layout: SignLayout, standings: Mapping[int, ShownMeter]) -> int:
    """Rises with every fall of a shown meter: counted from the books, so the same in every process."""
    return 1 + sum(standings[meter.jackpot_id].falls for meter in layout.meters if meter.jackpot_id in standings)


def amount(terms: Terms, standing: ShownMeter) -> str:
    """What the sign may promise: the exact meter, cut to what can be paid."""
    return str(standing.promised.shown(terms.digits))


def _meter(meter: MeterLayout, standing: ShownMeter) -> dict[str, Any]:
    return {
        "code": meter.code,
        "name": meter.name,
        "version": standing.seq,
        # By the minute, so that it is signed once for all frames of that minute.
        "mark": _mark(meter.code, standing.seq, standing.seal, int(time.time()) // 60 * 60),
        "amount": amount(meter.terms, standing),
        "reason": _reason(standing),
        "limit": None if meter.terms.limit is None else str(meter.terms.limit),
        "lines": orjson.Fragment(_lines(meter.terms)),
    }


@lru_cache(maxsize=256)
def _mark(code: str, seq: int, seal: bytes, minute: int) -> str:
    """What the sign keeps for us: how far the books were."""
    return mark_told(code, seq, seal, minute)


def _reason(standing: ShownMeter) -> str | None:
    """A small award from the tray that is being verified changes no figure."""
    verifies = standing.promised != standing.meter or any(hit.part for hit in standing.verifying)
    return "verifying" if verifies else standing.reason


def _news(wins: Iterable[WinShown | None], at: datetime) -> WinShown | None:
    """A win older than a minute is no news any more."""
    newest = _newest(wins)
    return newest if newest is not None and at - newest.at < NEWS_FOR else None


def _newest(wins: Iterable[WinShown | None]) -> WinShown | None:
    """Whichever meter it came from; of one act the largest."""
    return max((win for win in wins if win is not None), key=lambda win: (win.at, win.amount), default=None)


def _won(win: WinShown | None) -> dict[str, Any] | None:
    if win is None:
        return None
    told = {"table": win.table, "amount": str(win.amount), "line": win.line, "part": win.part, "at": win.at}
    return {**told, "day": win.day}


def _lines(terms: Terms) -> bytes:
    """Terms never change, so their lines are written once per version."""
    known = _written_lines.get(terms.digest)
    if known is None:
        lines = [{"name": line.name, "pays": str(line.award)} for line in terms.pay_table]
        known = _written_lines[terms.digest] = orjson.dumps(lines)
    return known


@cache
def page_edition() -> str:
    """Names the page's own files: a sign that runs for months reloads itself when they have changed."""
    digest = hashlib.sha256()
    for pattern in _PAGE:
        for path in sorted(Path(settings.BASE_DIR).glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
