"""How far the tour at one table has come: read from the table, its hits and the trail, kept nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from accounting.paper.models.page import Copy
from accounting.tour.cast import KEY
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.models import KeyRegister
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import STANDING, WinState
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Table
from tables.rounds.models.round import Round, RoundState

BEGINS: Final = "tour_begins"
LOOKED: Final = "tour_looks"  # a guest followed the tour's link to the sign
APPROVED: Final = frozenset({WinState.LOGGED, WinState.OWED, WinState.PAID, WinState.BACKED_OUT})


@dataclass(frozen=True, slots=True)
class Stand:
    """The facts that steps are ticked by. A round that ended without a hit counts as none."""

    table: Table
    jackpot: Jackpot | None
    signed_in: str
    on_duty: bool
    key_out: bool
    round: int | None
    round_open: bool
    win: Win | None
    printed: bool
    sign_seen: bool

    @property
    def state(self) -> str:
        return self.win.state if self.win else ""

    @property
    def approved(self) -> bool:
        return self.state in APPROVED

    @property
    def moved(self) -> bool:
        return self.win is not None and self.win.moved_at is not None


def stand_of(table: Table, signed_in: str = "") -> Stand:
    """Everything since somebody last pressed “start again”; who is signed in is what the guest's own browser says.

    The trail would not do: in a demo that plays by itself its people sign in too.
    """
    begun = Trail.objects.filter(act=BEGINS, subject=table.code).values_list("at", flat=True).first()
    last = _round(table, begun)
    win = _win(table, last) if last else None
    counts = last is not None and (last.state == RoundState.OPEN or win is not None)
    return Stand(
        table=table,
        jackpot=Jackpot.objects.filter(links__table=table).order_by("links__level").first(),
        signed_in=signed_in,
        on_duty=TableDuty.objects.filter(table=table, ended_at=None).exists(),
        key_out=KeyRegister.objects.filter(premises=table.premises, number=KEY, back_at=None).exists(),
        round=last.number if last and counts else None,
        round_open=last is not None and last.state == RoundState.OPEN,
        win=win,
        printed=win is not None and Copy.objects.filter(page__win=win).exists(),
        sign_seen=win is not None and _looked(table, win),
    )


def _looked(table: Table, win: Win) -> bool:
    looks = Trail.objects.filter(act=LOOKED, subject=table.code)
    return win.moved_at is not None and looks.filter(at__gte=win.moved_at).exists()


def _round(table: Table, begun: datetime | None) -> Round | None:
    rows = Round.objects.filter(table=table)
    # Rounds of the guest before are still in the books and tick nothing for this one.
    rows = rows.filter(opened_at__gt=begun) if begun else rows
    return rows.order_by("-number").first()


def _win(table: Table, round_: Round) -> Win | None:
    """The hit that is furthest on; what was un-marked or rejected is none."""
    rows = Win.objects.filter(table_code=table.code, round_number=round_.number)
    rows = rows.filter(state__in=[*STANDING, WinState.BACKED_OUT]).select_related("jackpot__premises")
    # An approved one before a newer mark: the tour goes on with what has a slip.
    return max(rows, key=lambda win: (win.state in APPROVED, win.id), default=None)
