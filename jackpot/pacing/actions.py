"""A try is counted before it is judged, in a commit of its own: a hundred at once count one by one."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import connection, transaction
from django.utils import timezone

from jackpot.pacing.models import PacedTries
from jackpot.pacing.rules import TryPace, spoken_wait
from jackpot.refusals import Refused

KEPT: Final = timedelta(days=1)
THERE: Final = """
INSERT INTO jackpot_pacedtries (kind, who, tries, last_at, until) VALUES (%s, %s, 0, %s, %s)
ON CONFLICT (kind, who) DO NOTHING
"""


class TooSoon(Refused):
    """Nothing was looked at; the same is welcome when the wait is over."""

    code = "too_soon"
    status = 429


@transaction.atomic(durable=True)
def count_try(pace: TryPace, who: str, what: str) -> int:
    """This try's number; refused while an earlier one's wait lasts. `what` was tried too often: “Cards”."""
    came, who = timezone.now(), who[:200]
    with connection.cursor() as cursor:
        cursor.execute(THERE, [pace.kind, who, came, came])
        # Whoever comes for the first time tidies up, so this needs no errand.
        if cursor.rowcount:
            PacedTries.objects.filter(last_at__lt=came - KEPT).delete()
    row = PacedTries.objects.select_for_update().get(kind=pace.kind, who=who)
    now = timezone.now()  # read behind the lock: who waited for it came later than whoever held it
    if row.until > now and (left := pace.wait_left(row.tries, row.until, now)):
        raise TooSoon(f"{what} from here were not accepted too often. Wait {spoken_wait(left)}.")
    row.tries, wait = pace.next_try(row.tries, row.last_at, now)
    row.last_at, row.until = now, now + wait
    row.save(update_fields=["tries", "last_at", "until"])
    return row.tries


def begin_anew(pace: TryPace, who: str) -> None:
    """What was tried is right after all: nothing of it counts against whoever tried."""
    PacedTries.objects.filter(kind=pace.kind, who=who[:200]).delete()


def take_try_back(pace: TryPace, who: str) -> None:
    """One try was right; the wrong ones before it go on counting until a quiet spell."""
    with connection.cursor() as cursor:
        sql = (
            "UPDATE jackpot_pacedtries SET tries = greatest(0, tries - 1), until = last_at WHERE kind = %s AND who = %s"
        )
        cursor.execute(sql, [pace.kind, who[:200]])
