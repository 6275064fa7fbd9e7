"""Who banks at a table, for which hand in a row, and who is offered the bank next. Voided hands count for nothing."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from jackpot.money import Money, units_of
from tables.floor.models.table import Bank, Table
from tables.games.player_dealer import next_banker
from tables.player_dealer.models import BankedHand
from tables.player_dealer.rules.action import LastBanked
from tables.rounds.models.round import Round, RoundState


def standing_hands(table: Table) -> QuerySet[BankedHand]:
    """The hands of a table that were not voided, the newest first."""
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
    hand = standing_hands(table).prefetch_related("wagers").first()
    if hand is None:
        return {"round": None, "seat": None, "in_a_row": 0, "next_seat": None, "action": None, "fee": None, "bets": []}
    return hand_plain(hand, table.seats)


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
    }  # fmt: skip


def _text(stored: Decimal) -> str:
    return str(Money(units_of(stored)))
