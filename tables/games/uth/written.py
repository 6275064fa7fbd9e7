"""A round as doors read and write it: plain JSON in, plain JSON out, every mistake a sentence."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, get_args, get_origin, get_type_hints

from jackpot.money import UNIT, ZERO, Money, quoted
from jackpot.reading import read_amount, read_whole
from tables.games.cards import parse_cards
from tables.games.game import Game
from tables.games.limits import count_games
from tables.games.packs import BetTable
from tables.games.uth.rules import BASE, MULTIPLES, HouseRules, refuse_bets
from tables.games.uth.settle import PlayedRound, PlayerDealer, RoundResult, SeatPlay, SeatResult

MOST_SEATS = 9
COUNTED: Mapping[str, int] = {"seats": MOST_SEATS, "most_games": MOST_SEATS}  # switches that count something
ACTIONS = tuple(MULTIPLES)
LARGEST_WAGER = Money.of(1_000_000)


class NotAsAgreed(ValueError):
    """A request that cannot be read; the message names the entry and says how it is written."""


def read_round(game: Game, plain: Mapping[str, Any], digits: int = 2) -> tuple[PlayedRound, HouseRules]:
    """The round to settle and the switches of the table, from a request; `digits` are those of the house's currency."""
    # A misspelt switch would settle the round by another rule and look right.
    _refuse_unknown(plain, {"board", "dealer", "seats", "tables", "player_dealer", "meter", "rules"}, "A round")
    seats = plain.get("seats")
    if not isinstance(seats, list) or not 1 <= len(seats) <= MOST_SEATS:
        raise NotAsAgreed(f"A round lists its seats, at least one and at most {MOST_SEATS}.")
    bank, meter = plain.get("player_dealer"), plain.get("meter")
    played = PlayedRound(
        _cards(plain, "board", 5),
        _cards(plain, "dealer", 2),
        tuple(_seat(seat) for seat in seats),
        _tables(game, _mapping(plain.get("tables", {}), "tables")),
        None if bank is None else _bank(_mapping(bank, "player_dealer")),
        None if meter is None else read_amount(meter, "meter", digits=8, least=ZERO),
        digits,
    )
    return played, read_rules(_mapping(plain.get("rules", {}), "rules"))


def read_bets(game: Game, plain: Mapping[str, Any]) -> int:
    """What a player wants to bet before the deal; refused in a sentence, else how many games it counts as."""
    _refuse_unknown(plain, {"wagers", "tables", "player_dealer", "rules"}, "A set of bets")
    rules = read_rules(_mapping(plain.get("rules", {}), "rules"))
    wagers = {name: _amount(amount, name) for name, amount in _mapping(plain.get("wagers", {}), "wagers").items()}
    tables = _tables(game, _mapping(plain.get("tables", {}), "tables"))
    player_dealer = plain.get("player_dealer", False)
    if not isinstance(player_dealer, bool):
        raise NotAsAgreed(f"player_dealer is true or false, not {quoted(player_dealer)}.")
    refuse_bets(wagers, tables, rules, player_dealer=player_dealer)
    return count_games(wagers, BASE, rules.count_games)


def read_rules(plain: Mapping[str, Any]) -> HouseRules:
    """The switches given, the others at their defaults."""
    offered = get_type_hints(HouseRules)
    _refuse_unknown(plain, set(offered), "A set of rules")
    return HouseRules(**{name: _switch(name, value, offered[name]) for name, value in plain.items()})


def _switch(name: str, value: object, offered: Any) -> Any:
    if name in COUNTED:
        return read_whole(value, name, 1, COUNTED[name])
    if name == "settling_order" and isinstance(value, list):
        seats = tuple(read_whole(seat, "seat of settling_order", 1, MOST_SEATS) for seat in value)
        if not seats or len(set(seats)) != len(seats):
            raise NotAsAgreed("The switch settling_order lists seats, each once, such as [5, 3, 1].")
        return seats
    values = _values(offered)
    if not isinstance(value, str) or value not in values:
        raise NotAsAgreed(f"The switch {name} cannot be {quoted(value)}; it is {', '.join(map(str, values))}.")
    return value


def result_plain(result: RoundResult) -> dict[str, Any]:
    """The settled round, amounts as text."""
    bank = result.player_dealer_net
    return {
        "dealer": {
            "hand": result.dealer_hand.described,
            "cards": result.dealer_hand.text,
            "qualifies": result.qualifies,
        },
        "seats": [_seat_plain(seat) for seat in result.seats],
        "player_dealer_net": None if bank is None else amount_text(bank),
    }


def amount_text(amount: Fraction) -> str:
    """An exact amount as text with a point: "-7.50"."""
    units = amount * UNIT
    assert units.denominator == 1, "whole cents, halved at most, are exact in eight decimals"
    return str(Money(units.numerator))


def _seat_plain(seat: SeatResult) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "hand": seat.hand.described,
        "cards": seat.hand.text,
        "result": seat.result,
        "total": amount_text(seat.total),
        "decisions": [
            {
                "wager": decision.wager,
                "stake": amount_text(decision.stake),
                "net": amount_text(decision.net),
                "outcome": decision.outcome,
                "uncovered": amount_text(decision.uncovered),
                "why": decision.reason,
            }
            for decision in seat.decisions
        ],
    }


def _seat(plain: object) -> SeatPlay:
    seat = _mapping(plain, "seat")
    _refuse_unknown(seat, {"seat", "cards", "action", "wagers"}, "A seat")
    number = read_whole(seat.get("seat"), "seat", 1, MOST_SEATS)
    wagers = _mapping(seat.get("wagers", {}), "wagers")
    amounts = {name: _amount(amount, name) for name, amount in wagers.items()}
    if not isinstance(seat.get("action"), str) or seat["action"] not in ACTIONS:
        raise NotAsAgreed(f"Seat {number} needs its action: {', '.join(ACTIONS)}; not {quoted(seat.get('action'))}.")
    action: Any = seat["action"]
    return SeatPlay(number, _cards(seat, "cards", 2, f"seat {number}"), action, amounts)


def _bank(plain: Mapping[str, Any]) -> PlayerDealer:
    _refuse_unknown(plain, {"seat", "wager"}, "The player-dealer")
    seat = read_whole(plain.get("seat"), "seat of the player-dealer", 1, MOST_SEATS)
    return PlayerDealer(seat, _amount(plain.get("wager"), "player-dealer's wager"))


def _tables(game: Game, plain: Mapping[str, Any]) -> dict[str, BetTable]:
    return {bet: game.table(bet, _text(code, f"table of {bet}")) for bet, code in plain.items()}


def _cards(plain: Mapping[str, Any], name: str, count: int, whose: str | None = None) -> tuple[Any, ...]:
    cards = plain.get(name)
    if not isinstance(cards, str | list):
        raise NotAsAgreed(f"Write the {name} as text such as “Ah Kd” or as a list of cards.")
    return parse_cards(cards, count, whose or f"the {name}")


def _amount(amount: object, name: str) -> Fraction:
    """Whole cents, as text or a whole number; a binary fraction is refused because it is not what was meant."""
    return Fraction(read_amount(amount, name[:40], most=LARGEST_WAGER).units, UNIT)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise NotAsAgreed(f"Write the {name[:40]} as text, not {quoted(value)}.")
    return value


def _mapping(value: object, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise NotAsAgreed(f"“{name}” is an object with named entries, not {quoted(value)}.")
    return value


def _values(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Literal:
        return get_args(hint)
    return tuple(value for part in get_args(hint) if get_origin(part) is Literal for value in get_args(part))


def _refuse_unknown(plain: Mapping[str, Any], known: set[str], whose: str) -> None:
    unknown = sorted(str(name) for name in set(plain) - known)
    if unknown:
        raise NotAsAgreed(f"{whose} has no entry {unknown[0][:40]}; it has {', '.join(sorted(known))}.")
