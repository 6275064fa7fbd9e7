"""After the cards: what each wager of a banked hand is due is told, and kept with what the bank's wager covers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils import timezone

from jackpot.money import Money, units_of
from jackpot.people.models import Actor
from jackpot.refusals import NotAllowedNow, Refused
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.actions.state import lock_jackpots_of
from tables.floor.models.device import Device
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Table
from tables.floor.queries.offers import declared_here
from tables.games.packs import ToOne
from tables.games.player_dealer import BankRefused
from tables.games.registry import find_game
from tables.player_dealer.models import BankedHand, HandSettlement, SettledWager
from tables.player_dealer.queries.bank import settlement_plain, standing_hands
from tables.player_dealer.rules.action import ActionRefused
from tables.player_dealer.rules.settling import SettledHand, ToldOutcome, pays_of, settle_hand
from tables.rounds.models.round import Round


@transaction.atomic
def tell_outcome(*, table_code: str, told: ToldOutcome, by: Actor, device_id: int | None = None) -> dict[str, Any]:
    """Kept once with its hand, wager by wager in the order of settling. The same again is heard."""
    lock_jackpots_of(Table.objects.get(code=table_code))
    # The jackpots first, as everybody locks; then the table itself, the only lock of one that feeds none.
    table = Table.objects.select_for_update(of=("self",)).select_related("premises").get(code=table_code)
    request = told.digest(table_code)
    known = HandSettlement.objects.filter(hand__table=table, hand__number=told.round).select_related("hand").first()
    if known is not None:  # also of an earlier hand: whoever did not hear the answer asks for it again
        if bytes(known.request) != request:
            why = f"What became of round {told.round} at {table_code} was told otherwise, and it stays as it was told."
            raise NotAllowedNow(why, "clash")
        return {"round": told.round, "settled": settlement_plain(known), "repeat": True}
    hand = _hand(table, told.round)
    settled = _settled(table, hand, told)
    device = None if device_id is None else Device.objects.filter(pk=device_id).first()
    kept = _keep(table, hand, settled, request, timezone.now(), device)
    # END waits by this number (decision 0132); a hand that was told before the switch was on holds nothing up.
    if table.unsettled == hand.number:
        Table.objects.filter(pk=table.pk).update(unsettled=0)
    _note(table, hand, settled, request, by)
    return {"round": told.round, "settled": settlement_plain(kept), "repeat": False}


def _hand(table: Table, number: int) -> BankedHand:
    """The newest hand that stands, begun: an older one was settled before the next was told, or never."""
    hand = standing_hands(table).first()
    if hand is None or hand.number != number:
        newest = f"its newest hand is of round {hand.number}" if hand else "no hand was told there"
        raise NotAllowedNow(f"Round {number} at {table.code} cannot be settled: {newest}.", "no_hand")
    if not Round.objects.filter(table=table, number=number).exists():
        raise NotAllowedNow(f"Round {number} at {table.code} is not begun yet. Lock the bets first.", "no_round")
    return hand


def _settled(table: Table, hand: BankedHand, told: ToldOutcome) -> SettledHand:
    bets: dict[int, dict[str, Money]] = {}
    for each in hand.wagers.all():
        bets.setdefault(each.seat, {})[each.wager] = Money(units_of(each.amount))
    try:
        return settle_hand(
            seats=table.seats, banker=hand.banker, bank_wager=Money(units_of(hand.bank_wager)), bets=bets, told=told,
            pays=pays_of(_pays(table)), play_first=table.premises.losers_play_first,
        )  # fmt: skip
    except (ActionRefused, BankRefused) as why:
        raise Refused(str(why), "settle") from None


def _pays(table: Table) -> Iterator[tuple[str, Collection[Fraction]]]:
    """Of the tables that it declares, or of all published ones; of a bet with a table of the house's own, nothing."""
    game = find_game(table.game)
    declared = {(each.bet, each.code) for each in declared_here(table)}
    # What a house's own table pays is not held against the published ones: it would refuse a right pay.
    published = {(each.bet, each.code) for each in game.tables}
    own = {bet for bet, code in declared - published}
    for each in game.tables:
        if each.bet not in own and ((each.bet, each.code) in declared or each.bet not in {bet for bet, _ in declared}):
            yield each.bet, [line.pays.times for line in each.lines if isinstance(line.pays, ToOne)]


def _keep(
    table: Table, hand: BankedHand, settled: SettledHand, request: bytes, now: datetime, device: Device | None
) -> HandSettlement:
    duty = TableDuty.objects.filter(table=table, ended_at__isnull=True).first()
    kept = HandSettlement.objects.create(
        hand=hand, collected=settled.collected.decimal(), paid=settled.paid.decimal(),
        uncovered=settled.uncovered.decimal(), at=now, dealer=duty.operator if duty else None, device=device,
        request=request,
    )  # fmt: skip
    SettledWager.objects.bulk_create(
        SettledWager(
            settlement=kept, place=place, seat=part.seat, wager=part.wager, stake=part.stake.decimal(),
            due=part.due.decimal(), moved=part.moved.decimal(),
        )
        for place, part in enumerate(settled.parts, start=1)
    )  # fmt: skip
    return kept


def _note(table: Table, hand: BankedHand, settled: SettledHand, request: bytes, by: Actor) -> None:
    details = {
        "banks": hand.banker, "collected": str(settled.collected), "paid": str(settled.paid),
        "uncovered": str(settled.uncovered), "told": request.hex(),
    }  # fmt: skip
    record(actor=by, act="settle_hand", about=objects.round_played(table.code, hand.number), details=details)
