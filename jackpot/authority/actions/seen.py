"""What a preview of other authority looks at: the last wins of a house, and the cards that work."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from jackpot.authority.rules.authority_preview import LAST_WINS, CardsSeen, WinSeen
from jackpot.books.actions.post import in_force
from jackpot.money import ZERO
from jackpot.people.models import Card, Role
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import AwardPart
from jackpot.property.rules.witness import SPEAKS, WitnessPart
from jackpot.terms.rules.paytable import ForOne
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.win_life import WinState

GIVEN = (WinState.LOGGED, WinState.OWED, WinState.PAID)
Act = tuple[str, int, datetime | None]


def wins_seen(premises: Property) -> list[WinSeen]:
    """The last hits that were approved. An act's sum is that of all its wins, envied seats included."""
    # Envied seats are awards of the same act: as lines of their own they would count one approval several times.
    rows = Win.objects.filter(premises=premises, state__in=GIVEN, envy_of=None).order_by("-number")
    last = list(rows.prefetch_related("signatures")[:LAST_WINS])
    acts = _parts(last)
    return [_seen(win, acts[_act(win)]) for win in last]


def cards_seen(premises: Property, now: datetime) -> CardsSeen:
    """Cards that would be accepted now, with the level of this gaming day."""
    day = premises.gaming_day(now)
    rows = Card.objects.filter(operator__premises=premises, operator__is_active=True)
    cards = [card for card in rows if card.works_on(day)]
    people = {
        level: len({card.operator_id for card in cards if card.level_on(day) >= level}) for level in Card.Level.values
    }
    bare = Counter(card.level_on(day) for card in cards if not card.pin_hash)
    codes = frozenset(premises.jackpots.values_list("code", flat=True))
    return CardsSeen(people, bare, _who_speaks(premises, people), codes)


def _who_speaks(premises: Property, people: Mapping[int, int]) -> frozenset[WitnessPart]:
    """Surveillance and the regulator have a role that says so; of the regulator an executive may bring the word."""
    rows = Role.objects.filter(operators__premises=premises, operators__is_active=True).values_list("may", flat=True)
    verbs = {verb for may in rows for verb in may}
    speak = {part for part, verb in SPEAKS.items() if verb in verbs}
    return frozenset(speak | ({WitnessPart.REGULATOR} if people[Card.Level.EXECUTIVE] else set()))


def _parts(wins: Sequence[Win]) -> dict[Act, list[AwardPart]]:
    """What the acts that these wins were approved in paid, award by award."""
    parts: dict[Act, list[AwardPart]] = defaultdict(list)
    # Tables times numbers brings some rounds too many; the key of the act keeps them apart, in one question for all.
    rounds = Win.objects.filter(
        table_code__in={win.table_code for win in wins}, round_number__in={win.round_number for win in wins},
        state__in=GIVEN,
    ).select_related("jackpot")  # fmt: skip
    for win in rounds:
        parts[_act(win)].append(AwardPart(win.jackpot.code, win.line, win.amount_money or ZERO))
    return parts


def _act(win: Win) -> Act:
    # The moment of logging belongs to the key: in one round hits may be approved in several acts, each with its sum.
    return win.table_code, win.round_number, win.logged_at


def _seen(win: Win, parts: Sequence[AwardPart]) -> WinSeen:
    words = [word for word in win.signatures.all() if word.part == Signature.Part.APPROVE]
    people = {word.operator_id for word in words}
    levels = tuple(word.level for word in words)
    total = sum((part.amount for part in parts), ZERO)
    marked, paid = win.marker_id in people, win.payer_id in people
    return WinSeen(total, _times(win), levels, marked, paid, tuple(parts))


def _times(win: Win) -> int | None:
    """How many wagers a fixed award pays; nothing for a part of the meter."""
    lines = {line.code: line.award for line in in_force(win.version_id).terms.pay_table}
    award = lines.get(win.line)
    return award.times if isinstance(award, ForOne) else None
