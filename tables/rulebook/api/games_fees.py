"""Collection schedules of player-dealer tables, and the fee of a round by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.property.queries import house_of
from jackpot.property.rules.gaming_day import day_of_no_house
from jackpot.refusals import NotUnderstood
from jackpot.web.api.doors import Asked
from jackpot.web.api.fields import OneOf, WholeNumber
from tables.floor.queries.schedules import noted_here, schedule_stands
from tables.floor.rules.schedules import StandsNow
from tables.games.fees import Schedule, ScheduleStatus
from tables.games.registry import part_of_game
from tables.rulebook.api.games import GameDoor, understood

MOST_ROUNDS = 2_000


class FeesAsked(Asked):
    set = serializers.CharField(max_length=20, required=False, help_text="Rule set; without it all are listed.")
    option = WholeNumber(min_value=1, required=False, help_text="Option of the rule set.")
    action = serializers.CharField(
        max_length=20_000,
        required=False,
        help_text="Total action before the deal in whole dollars. Several rounds, with spaces between, give the drop.",
    )


class BracketText(serializers.Serializer[Any]):
    action = serializers.CharField(help_text="As the posted schedule shows it: “$50 – $99”.")
    fee = serializers.CharField()


class OptionText(serializers.Serializer[Any]):
    option = serializers.IntegerField()
    brackets = BracketText(many=True)
    per_spot = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    standing = OneOf(
        "ScheduleStanding", ScheduleStatus, help_text="In this house today; a withdrawn one collects nothing."
    )
    standing_words = serializers.CharField(help_text="The same with the day and what says so.")


class RuleSetText(serializers.Serializer[Any]):
    set = serializers.CharField()
    title = serializers.CharField()
    printed_at = serializers.CharField()
    seats = serializers.IntegerField()
    counted = serializers.ListField(child=serializers.CharField(), help_text="Wagers that count; play never does.")
    options = OptionText(many=True)


class FeesText(serializers.Serializer[Any]):
    """The schedules asked for; with `action` the fee of each round and what the drop box must hold."""

    ok = serializers.BooleanField()
    sets = RuleSetText(many=True)
    fees = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    drop = serializers.IntegerField(allow_null=True)
    why = serializers.CharField(allow_null=True)


class Fees(GameDoor):
    """Collection schedules, and the fee that the player-dealer pays for a round by them."""

    serializer_class = FeesText
    asks = FeesAsked

    @extend_schema(responses=FeesText)
    def get(self, request: Request, **_: Any) -> Response:
        asked, game = self.asked, self.game().code
        stands = _standings(game, request.user)
        with understood():
            collection = part_of_game(game, "collection")
            sets = [collection.rule_set(asked["set"])] if "set" in asked else list(collection.rule_sets().values())
            listed = [_set(one, asked.get("option"), stands) for one in sets]
            charged = _charged(sets, asked) if "action" in asked else {"fees": None, "drop": None, "why": None}
        return Response({"ok": True, "sets": listed, **charged})


def _standings(game: str, person: Any) -> Callable[[str, int], StandsNow]:
    """How each option stands today in the house of whoever asks."""
    house = house_of(person)
    noted = noted_here(house) if house is not None else []
    now = timezone.now()
    # Without a house there is no gaming day, and no note that could stand on it.
    today = day_of_no_house(now) if house is None else house.gaming_day(now)
    return lambda rule_set, option: schedule_stands(noted, game, rule_set, option, today)


def _set(one: Any, option: int | None, stands: Callable[[str, int], StandsNow]) -> dict[str, Any]:
    schedules = one.schedules.values() if option is None else [one.schedule(option)]
    return {
        "set": one.code,
        "title": one.title,
        "printed_at": one.source,
        "seats": one.seats,
        "counted": list(one.counted),
        "options": [_option(schedule, stands(one.code, schedule.option)) for schedule in schedules],
    }


def _option(schedule: Schedule, stands: StandsNow) -> dict[str, Any]:
    brackets = [{"action": action, "fee": fee} for action, fee in schedule.printed()]
    standing = {"standing": stands.status.value, "standing_words": stands.words}
    return {"option": schedule.option, "brackets": brackets, "per_spot": schedule.per_spot, **standing}


def _charged(sets: list[Any], asked: dict[str, Any]) -> dict[str, Any]:
    if "set" not in asked or "option" not in asked:
        raise NotUnderstood("Name the rule set and its option to ask for a fee, such as set=001&option=1&action=49.")
    schedule = sets[0].schedule(asked["option"])
    rounds = asked["action"].replace(";", " ").split()  # a comma belongs to a number: 49,50 is nobody's two rounds
    if len(rounds) > MOST_ROUNDS:
        raise NotUnderstood(f"Ask for at most {MOST_ROUNDS:,} rounds at a time.")
    if not rounds:
        raise NotUnderstood("Write the total action in whole dollars, such as action=49; several with spaces between.")
    fees = [schedule.fee(action) for action in rounds]
    spoken = f"Option {schedule.option} of rule set {schedule.rule_set}"
    why = (
        f"{spoken}: a total action of ${rounds[0]} pays ${fees[0]}." if len(fees) == 1 else f"{spoken}, round by round."
    )
    return {"fees": fees, "drop": sum(fees), "why": why}
