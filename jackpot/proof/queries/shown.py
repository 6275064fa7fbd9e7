"""What a win's row shows beside its amounts: the name of its hand, its moments, its number of a slip.

No file carries these and no entry seals them in words; the books know them all the same, so a row cannot say others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Count, Max, Min

from jackpot.books.models.jackpot import Jackpot
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.hits import name_of_win
from jackpot.proof.rules.proof import KnownVersion
from jackpot.terms.rules.paytable import NotAPayTable, PartOfMeter
from jackpot.wins.models import Win, shown_name

# A page of an envied seat, or of a difference, has the mark of the hit that it is paid for.
MOMENTS: Final = """
WITH own AS (
  SELECT e.win_id, max(e.occurred_at) FILTER (WHERE e.kind = 'ask') AS asked,
         max(e.occurred_at) FILTER (WHERE e.kind = 'log') AS logged,
         max(e.occurred_at) FILTER (WHERE e.kind = 'award') AS moved,
         max(e.occurred_at) FILTER (WHERE e.kind = 'difference') AS made_up,  -- or only noted, at the win it is about
         max(e.occurred_at) FILTER (WHERE e.kind = 'pay') AS paid
    FROM jackpot_entry e WHERE e.jackpot_id = %(jackpot)s AND e.win_id IS NOT NULL GROUP BY e.win_id)
SELECT w.slip, w.table_code, w.round_number, w.seat, told.what, told.stood, told.shown
  FROM jackpot_win w
  LEFT JOIN own ON own.win_id = w.id
  LEFT JOIN jackpot_entry mark ON mark.jackpot_id = w.jackpot_id AND mark.seq = w.mark_seq
 CROSS JOIN LATERAL (VALUES
   ('marked', mark.occurred_at, w.marked_at),
   ('asked for', own.asked, CASE WHEN w.envy_of_id IS NULL AND w.difference_of_id IS NULL THEN w.asked_at END),
   ('approved', own.logged, CASE WHEN w.difference_of_id IS NULL THEN w.logged_at END),
   ('paid out of the meter', CASE WHEN w.difference_of_id IS NULL THEN own.moved ELSE own.made_up END, w.moved_at),
   ('paid at the window', own.paid, w.paid_at)
 ) told (what, stood, shown)
 WHERE w.jackpot_id = %(jackpot)s AND told.stood IS DISTINCT FROM told.shown ORDER BY w.id
"""

# A window writes the payment into the win's row and beside it, into the record that is sealed.
WINDOW: Final = """
SELECT w.slip, w.table_code, w.round_number, w.seat, told.what, told.stood, told.shown
  FROM jackpot_payment p JOIN jackpot_win w ON w.id = p.win_id
  LEFT JOIN jackpot_operator who ON who.id = p.payer_id
  LEFT JOIN jackpot_operator payer ON payer.id = w.payer_id
 CROSS JOIN LATERAL (VALUES
   ('who paid it', who.username, payer.username), ('the name of who paid it', p.payer_name, w.paid_by),
   ('how it was paid', p.method, w.paid_method), ('its cheque', p.cheque, w.paid_cheque),
   ('its window', p.place, w.paid_window),
   ('when its record says that it was paid', to_char(p.paid_at, {stamp}), to_char(w.paid_at, {stamp}))
 ) told (what, stood, shown)
 WHERE w.jackpot_id = %(jackpot)s AND told.stood IS DISTINCT FROM told.shown ORDER BY w.id
""".format(stamp="'YYYY-MM-DD HH24:MI:SS.US'")


def check_shown(jackpot: Jackpot, versions: Mapping[str, KnownVersion], findings: Findings) -> None:
    """Each row of a win, held against its pay line, the moments of its entries and the record of its payment."""
    with connection.cursor() as cursor:
        cursor.execute(MOMENTS, {"jackpot": jackpot.pk})
        for *named, what, stood, shown in cursor.fetchall():
            where = f"{jackpot.code} {name_of_win(*named)}"
            findings.add(Promise.SHOWN, where, f"when it was {what}", _spoken(stood), _spoken(shown))
        cursor.execute(WINDOW, {"jackpot": jackpot.pk})
        for *named, what, stood, shown in cursor.fetchall():
            findings.add(Promise.SHOWN, f"{jackpot.code} {name_of_win(*named)}", what, stood or "none", shown or "none")
    for win in Win.objects.filter(jackpot=jackpot).order_by("id").iterator(chunk_size=2_000):
        for what, expected, found in _unlike_its_line(win, versions):
            name = name_of_win(win.slip, win.table_code, win.round_number, win.seat)
            findings.add(Promise.SHOWN, f"{jackpot.code} {name}", what, expected, found)


def _unlike_its_line(win: Win, versions: Mapping[str, KnownVersion]) -> Iterator[tuple[str, object, object]]:
    """An unknown line is named where the awards are counted again."""
    known = versions.get(str(win.version_id))
    try:
        line = None if known is None or known.terms is None else known.terms.pay_table.line(win.line)
    except NotAPayTable:
        return
    if line is None:
        return
    own = win.envy_of_id is None and win.difference_of_id is None
    before = "" if own else "Envy: " if win.difference_of_id is None else "Difference: "
    name = shown_name(f"{before}{line.name}")
    if win.line_name != name:
        yield "the name of its hand", name, win.line_name
    part = own and isinstance(line.award, PartOfMeter)
    if win.part is not part:
        yield "whether it is a part of the meter", part, win.part


RESTORED: Final = "restore_books"
JUMPED: Final = """
SELECT coalesce(sum((t.details->>'slips_from')::bigint - (t.details->>'slips_to')::bigint - 1), 0)
  FROM jackpot_trail t
 WHERE t.act = %s AND t.object_key = %s
   AND (t.details->>'slips_to')::bigint BETWEEN %s AND %s - 1 AND (t.details->>'slips_from')::bigint <= %s
"""


def check_slips(findings: Findings) -> None:
    """A house counts its slips without a gap, whatever became of them, but for the numbers that a restore left out."""
    rows = Win.objects.filter(slip__isnull=False).values_list("premises__code").order_by("premises__code")
    for code, count, first, last in rows.annotate(Count("id"), Min("slip"), Max("slip")):
        missing = last - first + 1 - count
        if missing and missing != _jumped(code, first, last):
            found = f"{count} of {last - first + 1}"
            findings.add(Promise.SHOWN, f"the slips of {code}", f"slips {first} to {last}", "every one of them", found)


def _jumped(house: str, first: int, last: int) -> int:
    """Numbers between these slips that the trail says a restore has left to what was lost."""
    with connection.cursor() as cursor:
        cursor.execute(JUMPED, [RESTORED, house, first, last, last])
        return int(cursor.fetchone()[0])


def _spoken(moment: datetime | None) -> str:
    return "none" if moment is None else moment.isoformat(timespec="microseconds")
