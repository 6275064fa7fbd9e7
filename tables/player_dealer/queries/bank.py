"""Who banks at a table, for which hand in a row, and who is offered the bank next. Voided hands count for nothing."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from jackpot.money import ZERO, Money, units_of
from tables.floor.models.collection import TableCollection
from tables.floor.models.table import Bank, Table
from tables.floor.queries.offers import tables_in_force
from tables.floor.queries.schedules import noted_here, schedule_stands
from tables.floor.rules.collection import FeeBasis, collection_on
from tables.games.player_dealer import next_banker
from tables.games.registry import find_game, part_of_game
from tables.player_dealer.models import BankedHand, HandSettlement
from tables.player_dealer.rules.action import LastBanked
from tables.rounds.models.round import Round, RoundState

NEWEST: Final = 10
PROGRESSIVE: Final = "progressive"  # its chip lies on a sensor and is a coin-in


def standing_hands(table: Table) -> QuerySet[BankedHand]:
    """The hands of a table that were not voided, the newest first."""
    # A round that was voided dealt no hand: nobody loses a turn of the bank by it.
    void = Round.objects.filter(table=OuterRef("table"), number=OuterRef("number"), state=RoundState.VOID)
    return BankedHand.objects.filter(~Exists(void), table=table).order_by("-number")


def last_banked(table: Table, before: int | None = None) -> LastBanked | None:
    """Of the newest hand that stands, or of the newest before this number."""
    rows = standing_hands(table)
    hand = (rows if before is None else rows.filter(number__lt=before)).first()
    return None if hand is None else LastBanked(hand.banker, hand.in_a_row)


def bank_plain(table: Table) -> dict[str, Any] | None:
    """The bank as the controller and the pages show it; None where the house banks."""
    if table.bank != Bank.PLAYER_DEALER:
        return None
    hand = standing_hands(table).select_related("table", "settlement").prefetch_related("wagers").first()
    if hand is None:
        return {"round": None, "seat": None, "in_a_row": 0, "next_seat": None, "action": None, "fee": None, "bets": []}
    return hand_plain(hand, table.seats)


class BankOfDay(NamedTuple):
    """What a supervisor looks at: the bank as it stands, the newest hands, how many today. Not the fees:
    whoever counts the drop box shall not know them."""

    standing: dict[str, Any]
    collects: str
    newest: list[BankedHand]
    hands: int


def bank_of_day(table: Table) -> BankOfDay | None:
    """The bank of a table on its gaming day; None where the house banks."""
    standing = bank_plain(table)
    if standing is None:
        return None
    day = table.premises.gaming_day(timezone.now())
    rows = standing_hands(table)
    return BankOfDay(
        standing,
        _collects(table, day),
        list(rows.select_related("settlement")[:NEWEST]),
        rows.filter(gaming_day=day).count(),
    )


def _collects(table: Table, day: date) -> str:
    """The rule of the day in words, with how its schedule stands."""
    rule = collection_on((row.value for row in TableCollection.objects.filter(table=table)), day)
    if rule is None:
        return "nothing"
    if rule.basis is not FeeBasis.ACTION:
        return rule.words
    stands = schedule_stands(noted_here(table.premises), table.game, rule.rule_set, rule.option, day)
    return f"{rule.words}, {stands.words}"


def side_bets_of(table: Table) -> list[tuple[str, str]] | None:
    """The wagers beside ante and blind that may lie there before the cards; None where the house banks."""
    if table.bank != Bank.PLAYER_DEALER:
        return None
    rules: Any = part_of_game(table.game, "rules")
    day = table.premises.gaming_day(timezone.now())
    rule = collection_on((row.value for row in TableCollection.objects.filter(table=table)), day)
    offered = tables_in_force(table, find_game(table.game))
    bets = [bet for bet in rules.SIDE_BETS if bet != PROGRESSIVE and bet in offered]
    if rule is not None and rule.basis is FeeBasis.ACTION:
        counted = part_of_game(table.game, "collection").rule_set(rule.rule_set).counted
        # A rule set knows which wagers it prints; a bet beside them could not be counted into the total action.
        bets = [bet for bet in bets if bet in counted]
    return [(bet, bet.replace("_", " ").capitalize()) for bet in bets]


def hand_plain(hand: BankedHand, seats: int) -> dict[str, Any]:
    """One hand as the controller and the pages show it."""
    bets: dict[int, dict[str, str]] = {}
    for each in hand.wagers.all():
        bets.setdefault(each.seat, {})[each.wager] = _text(each.amount)
    occupied = {hand.banker, *bets}
    return {
        "round": hand.number, "seat": hand.banker, "in_a_row": hand.in_a_row,
        "next_seat": next_banker(seats, hand.banker, hand.in_a_row, occupied),
        "wager": _text(hand.bank_wager), "action": _text(hand.action), "fee": _text(hand.fee),
        "bets": [{"seat": seat, "wagers": wagers} for seat, wagers in sorted(bets.items())],
        "settled": hasattr(hand, "settlement"), "must_settle": hand.table.unsettled == hand.number,
    }  # fmt: skip


def settlement_plain(settled: HandSettlement) -> dict[str, Any]:
    """How a hand was settled, wager by wager in its order: what was due, what moved, what nobody covered."""
    moved, uncovered = _money(settled.collected) - _money(settled.paid), _text(settled.uncovered)
    return {
        "collected": _text(settled.collected), "paid": _text(settled.paid), "uncovered": uncovered,
        "bank_won": str(moved),
        "order": [
            {
                "seat": part.seat, "wager": part.wager, "stake": _text(part.stake), "due": _text(part.due),
                "moved": _text(part.moved), "uncovered": str(_size(_money(part.due) - _money(part.moved))),
            }
            for part in settled.parts.all()
        ],
    }  # fmt: skip


def _size(amount: Money) -> Money:
    return max(amount, ZERO - amount)


def _money(stored: Decimal) -> Money:
    return Money(units_of(stored))


def _text(stored: Decimal) -> str:
    return str(Money(units_of(stored)))
