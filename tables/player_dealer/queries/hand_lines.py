"""Hands that players banked as lines of an export: everything their fee and their settlement follow from."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from jackpot.money import ZERO, Money, units_of
from tables.floor.models.collection import TableCollection
from tables.floor.rules.collection import CollectionRule, collection_on
from tables.games.fees import NoFee
from tables.games.registry import part_of_game
from tables.player_dealer.models import BankedHand
from tables.rounds.models.round import Round


def hand_lines() -> Iterator[dict[str, Any]]:
    """Of every table, in the order of its numbers. Nobody is named."""
    rules: dict[int, list[CollectionRule]] = {}
    for row in TableCollection.objects.all():
        rules.setdefault(row.table_id, []).append(row.value)
    hands = BankedHand.objects.select_related("table", "settlement").prefetch_related("wagers", "settlement__parts")
    states = _states()
    # In pieces: an export holds every hand that a house has ever dealt.
    for hand in hands.order_by("table__code", "number").iterator(chunk_size=1_000):
        # Rules are added and never changed, so the rule of that day is still the one the fee was taken by.
        rule = collection_on(rules.get(hand.table_id, []), hand.gaming_day)
        yield _hand_line(hand, rule, states.get((hand.table_id, hand.number), ""))


def _states() -> dict[tuple[int, int], str]:
    """Of the rounds of all hands; one that was never begun has none."""
    rounds = Round.objects.filter(table__bank="player_dealer") | Round.objects.filter(
        table__in=BankedHand.objects.values("table")
    )
    return {(table, number): state for table, number, state in rounds.values_list("table_id", "number", "state")}


def _hand_line(hand: BankedHand, rule: CollectionRule | None, state: str) -> dict[str, Any]:
    settled = hand.settlement_or_none
    return {
        "line": "hand", "table": hand.table.code, "number": hand.number, "state": state, "banker": hand.banker,
        "in_a_row": hand.in_a_row, "bank_wager": _text(hand.bank_wager), "action": _text(hand.action),
        "spots": _spots(hand), "basis": hand.basis, "rule_set": hand.rule_set, "option": hand.option,
        "rule_fee": str(rule.fee if rule is not None else ZERO), "brackets": _brackets(hand),
        "fee": _text(hand.fee), "gaming_day": hand.gaming_day.isoformat(), "request": bytes(hand.request).hex(),
        "settled": None if settled is None else {
            "collected": _text(settled.collected), "paid": _text(settled.paid), "uncovered": _text(settled.uncovered),
            "order": [
                [part.seat, part.wager, *map(_text, (part.stake, part.due, part.moved))] for part in settled.parts.all()
            ],
        },
    }  # fmt: skip


def _spots(hand: BankedHand) -> list[list[Any]]:
    """As they were told: seat, its wagers, and how many play it where more than one does."""
    spots: dict[int, dict[str, str]] = {}
    for each in hand.wagers.all():
        spots.setdefault(each.seat, {})[each.wager] = _text(each.amount)
    shared = {int(seat): players for seat, players in hand.shared.items()}
    return [[seat, wagers, *([shared[seat]] if seat in shared else [])] for seat, wagers in sorted(spots.items())]


def _brackets(hand: BankedHand) -> list[list[int]]:
    """Of the schedule that it was collected by: from so many dollars of action up, this fee."""
    if not hand.rule_set:
        return []
    try:
        schedule = part_of_game(hand.table.game, "collection").rule_set(hand.rule_set).schedule(hand.option)
    except NoFee:
        return []
    return [[bracket.from_dollars, bracket.fee] for bracket in schedule.brackets]


def _text(stored: Decimal) -> str:
    return str(Money(units_of(stored)))
