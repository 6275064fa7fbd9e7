"""What cards decide: which line of which bet is won and why, and a whole round settled. Nothing is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from babel.numbers import get_currency_precision
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.property.queries import house_of
from jackpot.refusals import NotUnderstood
from jackpot.web.api.fields import WholeNumber
from tables.games.cards import PlayingCard, cards_in_words, parse_cards
from tables.games.game import Game, TableCards
from tables.games.jackpot_lines import against_dealer
from tables.games.packs import BetTable
from tables.games.registry import part_of_game
from tables.rulebook.api.games import GameDoor, LineText, tables_in_force, understood

CALCULATES: Mapping[str, tuple[str, ...]] = {"POST": ("see",)}
VERIFY = {
    "board": "Ah Kh Qh As Kd",
    "seats": [{"seat": 3, "cards": "Jh Th"}, {"seat": 6, "cards": "Ac 7c"}],
    "tables": {"progressive": "PT01"},
}
SETTLE = {
    "board": "Kc 7c 2c Kd 7h",
    "dealer": "Ad Jd",
    "seats": [{"seat": 3, "cards": "Ac 9c", "action": "4x", "wagers": {"ante": "5.00", "blind": "5.00", "trips": "5"}}],
    "tables": {"blind": "UTH-03", "trips": "UTH-03"},
}


class SeatCards(serializers.Serializer[Any]):
    seat = WholeNumber(min_value=1, max_value=9)
    cards = serializers.JSONField(help_text="“Jh Th” or a list of cards.")


class HandQuestion(serializers.Serializer[Any]):
    """A board, the seats' cards, and the pay tables in force; or `cards`: two of a seat, then five of the board."""

    cards = serializers.JSONField(required=False, help_text="One seat's seven cards: hole cards, flop, turn, river.")
    board = serializers.JSONField(required=False)
    seats = SeatCards(many=True, required=False)
    dealer = serializers.JSONField(required=False, help_text="For bets against the dealer's hand.")
    tables = serializers.JSONField(required=False, help_text="Bet and code; without it the first table of each bet.")


class BetVerdict(serializers.Serializer[Any]):
    """One bet of one seat: the line it wins, the cards that make it, and why."""

    bet = serializers.CharField()
    table = serializers.CharField()
    wins = serializers.BooleanField()
    line = LineText(allow_null=True)
    cards = serializers.ListField(child=serializers.CharField())
    why = serializers.CharField()


class SeatVerdict(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    bets = BetVerdict(many=True)


class JudgedText(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    sanity = serializers.CharField(help_text="What was counted: no card twice, hands that can lie together.")
    seats = SeatVerdict(many=True)


class Verify(GameDoor):
    """Which line of which bet the cards win, and why. A card in two places or a wrong number of cards is refused."""

    serializer_class = HandQuestion
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = CALCULATES

    @extend_schema(
        request=HandQuestion,
        responses=JudgedText,
        examples=[OpenApiExample("two seats on one board", VERIFY, request_only=True)],
    )
    def post(self, request: Request, **_: Any) -> Response:
        told, played = self.sent_fields(), self.game()
        # A serializer drops what it does not know, and the answer would be one to another question.
        unknown = sorted(set(request.data) - set(HandQuestion().fields))
        if unknown:
            raise NotUnderstood(f"“{unknown[0][:40]}” is not asked here. Known: {', '.join(HandQuestion().fields)}.")
        with understood():
            deal = _deal(told, played)
            tables = tables_in_force(played, told.get("tables", {}))
            # A bet against the dealer needs the dealer's cards; unless it was asked for, it is left out without them.
            wanted = [table for table in tables if told.get("tables") or deal.dealer or not against_dealer(table)]
            seats = [{"seat": seat, "bets": [_bet(played, deal, seat, one) for one in wanted]} for seat in deal.seats]
        return Response({"ok": True, "sanity": _sanity(deal), "seats": seats})


class DecisionText(serializers.Serializer[Any]):
    """One wager decided: the net is won above zero, lost below it."""

    wager = serializers.CharField()
    stake = serializers.CharField()
    net = serializers.CharField()
    outcome = serializers.ChoiceField(choices=["won", "lost", "push", "returned"])
    uncovered = serializers.CharField(help_text="What the player-dealer's wager did not reach; it goes back.")
    why = serializers.CharField()


class SettledSeat(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    hand = serializers.CharField()
    cards = serializers.CharField()
    result = serializers.ChoiceField(choices=["win", "lose", "tie", "fold"])
    total = serializers.CharField()
    decisions = DecisionText(many=True)


class DealerHand(serializers.Serializer[Any]):
    hand = serializers.CharField()
    cards = serializers.CharField()
    qualifies = serializers.BooleanField()


class SettledText(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    dealer = DealerHand()
    seats = SettledSeat(many=True)
    player_dealer_net = serializers.CharField(allow_null=True)


class PlayedSeat(SeatCards):
    action = serializers.ChoiceField(choices=["fold", "1x", "2x", "3x", "4x"])
    wagers = serializers.DictField(
        child=serializers.CharField(), help_text="Amounts by wager; play follows from action."
    )


class PlayerDealerText(serializers.Serializer[Any]):
    seat = WholeNumber(min_value=1, max_value=9)
    wager = serializers.CharField()


class RoundAsked(serializers.Serializer[Any]):
    """A whole round. With a player-dealer the action goes from its left and ends where its wager does."""

    board = serializers.JSONField()
    dealer = serializers.JSONField()
    seats = PlayedSeat(many=True)
    tables = serializers.DictField(child=serializers.CharField(), required=False, help_text="Pay table by bet.")
    player_dealer = PlayerDealerText(required=False, allow_null=True)
    meter = serializers.CharField(required=False, allow_null=True, help_text="For parts of the meter.")
    rules = serializers.DictField(required=False, help_text="Switches on which rule books differ; see docs/games.md.")


class Settle(GameDoor):
    """Settles a whole round: every seat, every wager, in order, each decision with its reason."""

    serializer_class = RoundAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = CALCULATES

    @extend_schema(
        request=RoundAsked,
        responses=SettledText,
        examples=[OpenApiExample("a flush against two pair", SETTLE, request_only=True)],
    )
    def post(self, request: Request, **_: Any) -> Response:
        played = self.game()
        if not isinstance(request.data, Mapping):
            raise NotUnderstood("A round is an object with board, dealer and seats.")
        with understood():
            written, house = part_of_game(played.code, "written"), house_of(request.user)
            digits = get_currency_precision(house.currency) if house else 2
            # The written form knows every entry and refuses the others; a second reading here would only differ.
            settled = part_of_game(played.code, "settle").settle(*written.read_round(played, request.data, digits))
            return Response({"ok": True, **written.result_plain(settled)})


class BetsAsked(serializers.Serializer[Any]):
    """What one player wants to bet before the first card."""

    wagers = serializers.DictField(child=serializers.CharField(), help_text="Amounts by wager.")
    tables = serializers.DictField(child=serializers.CharField(), required=False, help_text="Pay table by bet.")
    player_dealer = serializers.BooleanField(default=False)
    rules = serializers.DictField(required=False, help_text="Switches, such as count_games and most_games.")


class BetsText(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    games = serializers.IntegerField(help_text="How many games these wagers count as.")


class Bets(GameDoor):
    """Whether these wagers may stand before the deal: equal ante and blind, what a side bet needs, four games."""

    serializer_class = BetsAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = CALCULATES

    @extend_schema(request=BetsAsked, responses=BetsText)
    def post(self, request: Request, **_: Any) -> Response:
        played = self.game()
        if not isinstance(request.data, Mapping):
            raise NotUnderstood("Bets are an object with wagers.")
        with understood():
            return Response({"ok": True, "games": part_of_game(played.code, "written").read_bets(played, request.data)})


def _deal(told: Mapping[str, Any], game: Game) -> TableCards:
    dealer = _cards(told["dealer"], game.hole_cards, "the dealer's hand") if told.get("dealer") else ()
    if "cards" in told:
        if "board" in told or "seats" in told:
            raise NotUnderstood("Give either the seven cards of one seat or a board and its seats.")
        cards = _cards(told["cards"], game.hole_cards + game.board_cards, "the hand")
        return TableCards(cards[game.hole_cards :], {1: cards[: game.hole_cards]}, dealer)
    if "board" not in told or not told.get("seats"):
        raise NotUnderstood("Give a board and at least one seat with its cards, or the seven cards of one seat.")
    board = _cards(told["board"], game.board_cards, "the board")
    seats: dict[int, tuple[PlayingCard, ...]] = {}
    for seat in told["seats"]:
        if seat["seat"] in seats:
            raise NotUnderstood(f"Seat {seat['seat']} stands in it twice.")
        seats[seat["seat"]] = _cards(seat["cards"], game.hole_cards, f"seat {seat['seat']}")
    return TableCards(board, seats, dealer)


def _cards(written: Any, count: int, whose: str) -> tuple[PlayingCard, ...]:
    if not isinstance(written, str | list):
        raise NotUnderstood(f"Write {whose} as text such as “Ah Kd” or as a list of cards.")
    return parse_cards(written, count, whose)


def _bet(game: Game, deal: TableCards, seat: int, table: BetTable) -> dict[str, Any]:
    verdict = game.verify(table, deal, seat)
    line = verdict.line
    return {
        "bet": table.bet,
        "table": table.code,
        "wins": verdict.wins,
        "line": None if line is None else {"hand": line.hand, "name": line.name, "pays": str(line.pays)},
        "cards": [str(card) for card in verdict.cards],
        "why": verdict.why,
    }


def _sanity(deal: TableCards) -> str:
    cards = len(deal.board) + len(deal.dealer) + sum(map(len, deal.seats.values()))
    return f"{cards_in_words(cards)} of one deck, none twice."
