"""Ten thousand random rounds, settled twice: by the engine and by a slow twin that shares nothing with it."""

import random
from fractions import Fraction
from typing import Any

import pytest

from jackpot.money import Money
from tables.games.cards import DECK, parse_cards
from tables.games.player_dealer import action_order
from tables.games.uth.rules import Action, HouseRules
from tables.games.uth.settle import PlayedRound, PlayerDealer, RoundResult, SeatPlay, settle
from tests.deep import edges
from tests.tables.games.uth import slow_twin
from tests.tables.games.uth.scene import table

ACTIONS: dict[int, Action] = {0: "fold", 1: "1x", 2: "2x", 3: "3x", 4: "4x"}
FULL_DECK = [str(card) for card in DECK]
SHORT_DECK = [str(card) for card in DECK if card.rank >= 10]
METER = 20_000
Scene = dict[str, Any]


def random_round(dice: random.Random, *, bank: bool) -> Scene:
    """Half of the rounds come from a short deck, where full houses and royals are common."""
    numbers = sorted(dice.sample(range(2, 8), dice.randint(1, 3 if dice.random() < 0.5 else 5)))
    deck = dice.sample(*((FULL_DECK, 52) if dice.random() < 0.5 else (SHORT_DECK, 20)))
    codes = {"trips": dice.choice(["UTH-01", "UTH-04"]), "bad_beat": dice.choice(["BBB-01", "BBB-CA"])}
    seats = [seat(dice, number, [deck.pop(), deck.pop()], bank=bank) for number in numbers]
    return {"board": deck[:5], "dealer": deck[5:7], "seats": seats, "codes": codes}


def seat(dice: random.Random, number: int, cards: list[str], *, bank: bool) -> Scene:
    stake = dice.choice([1, 5, 10])
    side = [name for name in ("trips", "bad_beat", "pairs") if dice.random() < 0.5]
    wagers = {"ante": stake, "blind": stake} | {name: dice.choice([1, 5]) for name in side}
    if not bank and dice.random() < 0.5:
        wagers["progressive"] = 1
    return {"seat": number, "cards": cards, "times": dice.choice([0, 1, 2, 3, 4]), "wagers": wagers}


def by_engine(scene: Scene, rules: HouseRules, bank: int | None = None) -> RoundResult:
    codes = scene["codes"] | {"blind": "UTH-01", "pairs": "PT6", "progressive": "PT01"}
    seats = tuple(
        SeatPlay(
            one["seat"],
            parse_cards(one["cards"]),
            ACTIONS[one["times"]],
            {name: Fraction(amount) for name, amount in one["wagers"].items()},
        )
        for one in scene["seats"]
    )
    return settle(
        PlayedRound(
            parse_cards(scene["board"]),
            parse_cards(scene["dealer"]),
            seats,
            {bet: table(bet, code) for bet, code in codes.items()},
            PlayerDealer(1, Fraction(bank)) if bank else None,
            Money.of(METER),
        ),
        rules,
    )


def by_twin(scene: Scene, order: list[int]) -> list[list[tuple[str, int]]]:
    by_number = {one["seat"]: one for one in scene["seats"]}
    return [
        slow_twin.due(by_number[number], scene["board"], scene["dealer"], scene["codes"], METER) for number in order
    ]


SEEDS = edges(range(5), lambda seed: seed < 2)


def in_halves(result: RoundResult) -> list[dict[str, Fraction]]:
    return [{name: net * slow_twin.HALVES for name, net in one.nets.items()} for one in result.seats]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_house_settles_a_thousand_rounds_as_the_slow_twin_does(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(1000):
        scene = random_round(dice, bank=False)
        order = sorted((one["seat"] for one in scene["seats"]), reverse=True)
        assert in_halves(by_engine(scene, HouseRules())) == [dict(nets) for nets in by_twin(scene, order)], scene


@pytest.mark.parametrize("seed", SEEDS)
def test_a_player_dealer_settles_a_thousand_rounds_as_the_slow_twin_does(seed: int) -> None:
    dice = random.Random(1000 + seed)
    for _ in range(1000):
        scene = random_round(dice, bank=True)
        bank, model = dice.choice([10, 45, 200, 2000]), dice.choice(["net", "gross"])
        order = list(action_order(7, 1, [one["seat"] for one in scene["seats"]]))
        moved, won = slow_twin.covered(by_twin(scene, order), bank, model)
        result = by_engine(scene, HouseRules(model=model), bank)  # type: ignore[arg-type]
        assert (in_halves(result), result.player_dealer_net) == (moved, Fraction(won, slow_twin.HALVES)), scene
