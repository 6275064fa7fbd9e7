"""Before the deal: what lies on a table that a player banks is told, and what the player-dealer pays is collected."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from jackpot.money import Money
from jackpot.people.models import Actor
from jackpot.refusals import NotAllowedNow, Refused
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.actions.state import lock_jackpots_of
from tables.floor.models.collection import TableCollection
from tables.floor.models.device import Device
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Bank, Table
from tables.floor.queries.limit_sheets import limits_today, posted_limits
from tables.floor.queries.offers import counts_games, tables_in_force
from tables.floor.queries.schedules import noted_here, schedule_stands
from tables.floor.rules.collection import CollectionRule, FeeBasis, collection_on
from tables.floor.rules.limit_sheets import OverLimit
from tables.floor.rules.schedules import ScheduleWithdrawn, refuse_withdrawn
from tables.games.fees import NoFee, Schedule
from tables.games.limits import BetRefused
from tables.games.player_dealer import BankRefused
from tables.games.registry import find_game, part_of_game
from tables.player_dealer.models import BankedHand, SpotWager
from tables.player_dealer.queries.bank import hand_plain, last_banked
from tables.player_dealer.rules.action import (
    ActionRefused,
    BankTurn,
    ToldAction,
    fee_of_hand,
    refuse_outside_limits,
    refuse_spots,
    turn_of,
)
from tables.rounds.models.round import Round, RoundState
from tables.rounds.rules.round import TableFacts, coin_in_answer, key_refuses, request_digest, table_refuses

REFUSALS = (ActionRefused, BankRefused, BetRefused, NoFee)


class CollectedFee(NamedTuple):
    """What is collected for a hand, and by which rule of its table."""

    amount: Money
    rule: CollectionRule | None


@transaction.atomic
def tell_action(
    *, table_code: str, told: ToldAction, by: Actor, device_id: int | None = None, below_version: str | None = None
) -> dict[str, Any]:  # fmt: skip
    """One hand: bank, bets and fee are kept; a table without a jackpot begins its round. The same again is heard."""
    table = Table.objects.select_related("premises").get(code=table_code)
    if table.bank != Bank.PLAYER_DEALER:
        raise NotAllowedNow(f"At {table_code} the house banks: there is no action to tell. Lock the bets.", "bank")
    lock_jackpots_of(table)
    # A table without a jackpot has no lock but its own row, and two words for one round must not both begin it.
    table = Table.objects.select_for_update(of=("self",)).select_related("premises").get(pk=table.pk)
    request = told.digest(table_code)
    known = BankedHand.objects.filter(table=table, number=told.round).first()
    if known is not None:
        # Before the table's state is asked: who did not hear the answer hears it also when the table was held since.
        return _said_before(table, known, request)
    running = _check_round(table, told, below_version)
    now = timezone.now()
    turn, fee = _judged(table, told, table.premises.gaming_day(now))
    device = None if device_id is None else Device.objects.filter(pk=device_id).first()
    hand = _keep(table, told, turn, fee, request, now, device)
    # The switch is looked at here, so a hand keeps the rule that it began under (decision 0132).
    if table.premises.end_waits_for_settling:
        table.unsettled = hand.number
        table.save(update_fields=["unsettled"])
    # Where a jackpot is fed the coin-in begins the round, with the chips that lie there; the action must not.
    if running is None and not table.links.exists():
        begin_told_round(table, hand, now)
    _note(table, hand, told, turn, fee, by)
    return {**_answer(table, hand), "repeat": False}


def _said_before(table: Table, known: BankedHand, request: bytes) -> dict[str, Any]:
    if bytes(known.request) != request:
        raise NotAllowedNow(
            f"The action of round {known.number} at {table.code} was told otherwise. If it was told wrong, a "
            "supervisor voids the round; tell it again for the next one.",
            "clash",
        )
    return {**_answer(table, known), "repeat": True}


def _check_round(table: Table, told: ToldAction, below_version: str | None) -> Round | None:
    """The next round, or the one that runs and was begun by a coin-in before its action was told."""
    last = Round.objects.filter(table=table).order_by("-number").first()
    running = last if last is not None and last.state == RoundState.OPEN else None
    if running is not None and running.number == told.round:
        return running
    if running is not None:
        why = f"Round {running.number} at {table.code} is still open. Press END GAME first."
        raise NotAllowedNow(why, "round_open")
    # The same questions as before a coin-in: what begins a round is refused in one way.
    facts = TableFacts(table.code, table.state, table.held_why, table.seats, 0, "", table.key_at_jph)
    refusal = table_refuses(facts) or key_refuses(facts)
    if refusal is not None:
        raise NotAllowedNow(refusal.why, refusal.code)
    # The words of the controller's software rule, only where a hand begins: one that runs is played out (0008).
    if below_version is not None:
        raise NotAllowedNow(below_version, "version")
    due = (last.number if last is not None else 0) + 1
    if told.round != due:
        why = f"The next round at {table.code} is {due}, not {told.round}. Say hello again to agree."
        raise NotAllowedNow(why, "gap")
    return None


def _judged(table: Table, told: ToldAction, day: date) -> tuple[BankTurn, CollectedFee]:
    try:
        turn = turn_of(told, table.seats, last_banked(table))
        _check_bets(table, told)
        return turn, _fee(table, told, day)
    except ScheduleWithdrawn as why:
        raise NotAllowedNow(f"{table.code}: {why}", "withdrawn") from None
    except REFUSALS as why:
        raise Refused(str(why), "action") from None


def _check_bets(table: Table, told: ToldAction) -> None:
    """Each spot as the game's own rule asks: equal ante and blind, what a side bet needs, four games."""
    rules: Any = part_of_game(table.game, "rules")
    in_force, house = tables_in_force(table, find_game(table.game)), table.premises
    switches = rules.HouseRules(
        seats=table.seats, most_games=house.most_games, count_games=counts_games(house),
        bad_beat_needs="ante_blind_trips" if house.bad_beat_takes_trips else "as_printed",
    )  # fmt: skip
    posted, sheets = posted_limits(table), limits_today(house, table.game, house.gaming_day(timezone.now()))
    for spot in told.spots:
        try:
            rules.refuse_bets(spot.fractions, in_force, switches, player_dealer=True)
            refuse_outside_limits(spot, posted, sheets)
        except (BetRefused, OverLimit) as why:
            raise BetRefused(f"Seat {spot.seat}: {why}") from None


def _fee(table: Table, told: ToldAction, day: date) -> CollectedFee:
    rule = collection_on((row.value for row in TableCollection.objects.filter(table=table)), day)
    schedule: Schedule | None = None
    if rule is not None and rule.basis is FeeBasis.ACTION:
        stands = schedule_stands(noted_here(table.premises), table.game, rule.rule_set, rule.option, day)
        # At every hand: a schedule may be withdrawn from a day on while the table goes on dealing (decision 0059).
        refuse_withdrawn(stands, rule.rule_set, rule.option)
        rule_set = part_of_game(table.game, "collection").rule_set(rule.rule_set)
        schedule = rule_set.schedule(rule.option)
        refuse_spots(
            told, rule_set.counted, schedule, back_line=rule_set.back_line, wagers=rule_set.limits[rule.option]
        )  # fmt: skip
    return CollectedFee(fee_of_hand(rule, schedule, told), rule)


def _keep(
    table: Table, told: ToldAction, turn: BankTurn, fee: CollectedFee, request: bytes, now: datetime,
    device: Device | None,
) -> BankedHand:  # fmt: skip
    duty = TableDuty.objects.filter(table=table, ended_at__isnull=True).first()
    rule = fee.rule
    hand = BankedHand.objects.create(
        table=table, number=told.round, banker=told.banker, in_a_row=turn.in_a_row,
        passed="".join(map(str, turn.passed)), bank_wager=told.bank_wager.decimal(), action=told.total.decimal(),
        basis=rule.basis.value if rule else "", rule_set=rule.rule_set if rule else "",
        option=rule.option if rule else 0, fee=fee.amount.decimal(), gaming_day=table.premises.gaming_day(now),
        at=now, dealer=duty.operator if duty else None, device=device, request=request,
        shared={str(spot.seat): spot.players for spot in told.spots if spot.players > 1},
    )  # fmt: skip
    SpotWager.objects.bulk_create(
        SpotWager(hand=hand, seat=spot.seat, wager=name, amount=amount.decimal())
        for spot in told.spots
        for name, amount in spot.wagers.items()
    )
    return hand


def begin_told_round(table: Table, hand: BankedHand, now: datetime) -> Round:
    """Without a jackpot no coin-in begins the round: the told action does."""
    colours = table.deck_colours
    return Round.objects.create(
        table=table, number=hand.number, seats="", wager=table.wager, device=hand.device, dealer=hand.dealer,
        deck_colour=colours[hand.number % len(colours)] if colours else "", opened_at=now, gaming_day=hand.gaming_day,
        # As a coin-in without a chip would have left it: a controller that sends one as well hears a repeat.
        request=request_digest(table.code, hand.number, ""), answer=coin_in_answer(hand.number, "", "0.00", {}),
    )  # fmt: skip


def _note(table: Table, hand: BankedHand, told: ToldAction, turn: BankTurn, fee: CollectedFee, by: Actor) -> None:
    details = {
        "banks": hand.banker, "in_a_row": hand.in_a_row, "passed": list(turn.passed), "wager": str(told.bank_wager),
        "action": str(told.total), "fee": str(fee.amount), "players": told.players,
        "by": fee.rule.words if fee.rule else "no collection", "told": bytes(hand.request).hex(),
    }  # fmt: skip
    record(actor=by, act="tell_action", about=objects.round_played(table.code, hand.number), details=details)


def _answer(table: Table, hand: BankedHand) -> dict[str, Any]:
    return {"round": hand.number, "bank": hand_plain(hand, table.seats)}
