"""Who has stood by an act of awards, and whom its payment still waits for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from jackpot.money import ZERO, Money
from jackpot.property.models.property import Property
from jackpot.property.rules.authority_change import grouped
from jackpot.property.rules.witness import (
    WITNESS_WORDS,
    GivenWord,
    WitnessNeed,
    WitnessPart,
    witnesses_missing,
    witnesses_needed,
)
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.win_life import WinState
from jackpot.witnesses.models import ActWitness

APPROVED: Final = (Signature.Part.APPROVE, Signature.Part.DIFFERENCE)
GIVEN: Final = (WinState.LOGGED, WinState.OWED, WinState.PAID)


@dataclass(frozen=True, slots=True)
class WitnessLine:
    """One line of the table that the act has come to: who stood by, or that nobody has yet."""

    part: WitnessPart
    since: Money
    note: ActWitness | None
    met: bool

    @property
    def words(self) -> str:
        return WITNESS_WORDS[self.part]


@dataclass(frozen=True, slots=True)
class ActWitnesses:
    """The table of amounts beside one act. Without a line nobody has to stand by."""

    total: Money
    lines: Sequence[WitnessLine] = ()

    @property
    def missing(self) -> list[WitnessLine]:
        return [line for line in self.lines if not line.met]

    def why_not_paid(self, slip: int | None) -> str:
        """The sentence of a window that waits, naming everybody it waits for; or nothing."""
        if not self.missing:
            return ""
        names = " and ".join(f"{line.words} (from {grouped(line.since)})" for line in self.missing)
        return (
            f"Slip {slip} is not paid now: its act comes to {grouped(self.total)}, and {names} "
            f"{'has' if len(self.missing) == 1 else 'have'} not stood by. Each notes it on the win's record."
        )


def witnesses_of(win: Win) -> ActWitnesses:
    """By the table that counted at the approval or counts now, whichever asks for more."""
    house = win.jackpot.premises
    assert win.logged_at is not None, "only what was approved is paid"
    assert win.gaming_day is not None, "and it has its gaming day"
    now = timezone.now()  # not the books' moment: pages ask as well, and lock nothing
    table = house.judging((win.logged_at, win.gaming_day), (now, house.gaming_day(now))).witnesses
    if not table:
        return ActWitnesses(ZERO)
    act = act_of(win)
    total = sum((each.amount_money or ZERO for each in act), ZERO)
    needs = witnesses_needed(total, table)
    return ActWitnesses(total, _lines(needs, act, noted_of(house, win)) if needs else ())


def act_of(win: Win) -> list[Win]:
    """What was approved together with it, itself included."""
    # An act has one moment, so what was approved together has it to the microsecond.
    rows = Win.objects.filter(
        premises_id=win.premises_id, table_code=win.table_code, round_number=win.round_number,
        logged_at=win.logged_at, state__in=GIVEN,
    )  # fmt: skip
    return list(rows.order_by("slip"))


def noted_of(house: Property, win: Win) -> list[ActWitness]:
    """Everybody who stood by its act."""
    assert isinstance(win.logged_at, datetime), "an act has the moment of its approval"
    rows = ActWitness.objects.filter(
        premises=house, table_code=win.table_code, round_number=win.round_number, approved_at=win.logged_at
    )
    return list(rows.select_related("operator", "card"))


def approvals_of(act: Sequence[Win]) -> list[GivenWord]:
    """The words given for the act, each person's once. An envied seat has those of the hit that pays it."""
    rows = Signature.objects.filter(win__in=act, part__in=APPROVED).values_list("operator_id", "level")
    highest: dict[int, int] = {}
    for person, level in rows:
        highest[person] = max(level, highest.get(person, 0))
    return [GivenWord(person, level) for person, level in highest.items()]


def _lines(needs: Sequence[WitnessNeed], act: Sequence[Win], notes: Sequence[ActWitness]) -> list[WitnessLine]:
    by_part = {WitnessPart(note.part): note for note in notes}
    noted = {part: note.word for part, note in by_part.items()}
    open_still = {need.part for need in witnesses_missing(needs, approvals_of(act), noted)}
    return [WitnessLine(need.part, need.since, by_part.get(need.part), need.part not in open_still) for need in needs]
