"""What a preview of other authority looks at: the last wins of a house, and the cards that work."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime

from jackpot.authority.rules.authority_preview import LAST_WINS, CardsSeen, WinSeen
from jackpot.books.actions.post import in_force
from jackpot.money import ZERO, Money
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.terms.rules.paytable import ForOne
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.win_life import WinState

GIVEN = (WinState.LOGGED, WinState.OWED, WinState.PAID)
Act = tuple[str, int, datetime | None]


def wins_seen(premises: Property) -> list[WinSeen]:
    """The last hits that were approved. An act's sum is that of all its wins, envied seats included."""
    rows = Win.objects.filter(premises=premises, state__in=GIVEN, envy_of=None).order_by("-number")
    last = list(rows.prefetch_related("signatures")[:LAST_WINS])
    totals = _totals(last)
    return [_seen(win, totals[_act(win)]) for win in last]


def cards_seen(premises: Property, now: datetime) -> CardsSeen:
    """Cards that would be accepted now, with the level of this gaming day."""
    day = premises.gaming_day(now)
    rows = Card.objects.filter(operator__premises=premises, operator__is_active=True, blocked_at=None, locked_at=None)
    cards = list(rows.exclude(expires_on__lt=now.date()))
    people = {
        level: len({card.operator_id for card in cards if card.level_on(day) >= level}) for level in Card.Level.values
    }
    return CardsSeen(people, Counter(card.level_on(day) for card in cards if not card.pin_hash))


def _totals(wins: Sequence[Win]) -> dict[Act, Money]:
    """The sums of the acts that these wins were approved in."""
    totals: dict[Act, Money] = defaultdict(lambda: ZERO)
    rounds = Win.objects.filter(
        table_code__in={win.table_code for win in wins}, round_number__in={win.round_number for win in wins},
        state__in=GIVEN,
    )  # fmt: skip
    for win in rounds:
        totals[_act(win)] += win.amount_money or ZERO
    return totals


def _act(win: Win) -> Act:
    return win.table_code, win.round_number, win.logged_at


def _seen(win: Win, total: Money) -> WinSeen:
    words = [word for word in win.signatures.all() if word.part == Signature.Part.APPROVE]
    people = {word.operator_id for word in words}
    levels = tuple(word.level for word in words)
    return WinSeen(total, _times(win), levels, win.marker_id in people, win.payer_id in people)


def _times(win: Win) -> int | None:
    """How many wagers a fixed award pays; nothing for a part of the meter."""
    lines = {line.code: line.award for line in in_force(win.version_id).terms.pay_table}
    award = lines.get(win.line)
    return award.times if isinstance(award, ForOne) else None
