"""What a sign hears, as bytes: the same for every client of that sign, made once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import orjson
from django.conf import settings

from jackpot.terms.rules.terms import Terms
from tables.signs.queries import MeterLayout, SignLayout, Standing, Won

_PAGE: Final = ("static/signs/*.js", "static/signs/*.css", "templates/tables/signs/sign.html")
_written_lines: dict[str, bytes] = {}


def words(layout: SignLayout, standings: Mapping[int, Standing], at: datetime, fault: str | None = None) -> bytes:
    """The whole object of one sign. With a fault there are no meters: a figure nobody can vouch for is not repeated."""
    shown = [] if fault else [meter for meter in layout.meters if meter.jackpot_id in standings]
    return orjson.dumps(
        {
            "scene": scene(layout, standings),
            "at": at,
            "meters": [_meter(meter, standings[meter.jackpot_id]) for meter in shown],
            "verifying": [
                {"table": hit.table, "amount": str(hit.amount)}
                for meter in shown
                for hit in standings[meter.jackpot_id].verifying
            ],
            "won": _won(standings[meter.jackpot_id].won for meter in shown),
            "fault": fault,
            "notice": layout.notice,
            "page": page_edition(),
        }
    )


def beat(at: datetime) -> bytes:
    """“I am here and nothing changed”: silence is what a sign must be able to notice."""
    return orjson.dumps({"beat": at})


def scene(layout: SignLayout, standings: Mapping[int, Standing]) -> int:
    """Rises with every fall of a shown meter: counted from the books, so the same in every process."""
    return 1 + sum(standings[meter.jackpot_id].falls for meter in layout.meters if meter.jackpot_id in standings)


def amount(terms: Terms, standing: Standing) -> str:
    """What the sign may promise: the exact meter, cut to what can be paid."""
    return str(standing.promised.shown(terms.digits))


def _meter(meter: MeterLayout, standing: Standing) -> dict[str, Any]:
    return {
        "code": meter.code,
        "name": meter.name,
        "version": standing.seq,
        "amount": amount(meter.terms, standing),
        "reason": "verifying" if standing.verifying else standing.reason,
        "limit": None if meter.terms.limit is None else str(meter.terms.limit),
        "lines": orjson.Fragment(_lines(meter.terms)),
    }


def _won(wins: Iterable[Won | None]) -> dict[str, Any] | None:
    """The newest win of the last minute, whichever meter it came from."""
    newest = max((win for win in wins if win is not None), key=lambda win: win.at, default=None)
    if newest is None:
        return None
    return {"table": newest.table, "amount": str(newest.amount), "line": newest.line, "at": newest.at}


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
