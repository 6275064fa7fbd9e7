"""A second way to settle a round, written apart from the first: 21 fives a hand, one half-dollar at a time.

It knows the pay tables of its own and shares no line with the engine.
"""

from collections import Counter
from functools import cache
from itertools import combinations

Score = tuple[int, tuple[int, ...]]
HALVES = 2
TRIPS = {"UTH-01": (50, 40, 30, 9, 7, 4, 3), "UTH-04": (50, 40, 20, 7, 6, 5, 3)}
BLIND_HALVES = (1000, 100, 20, 6, 3, 2)
BAD_BEAT = {"BBB-01": (10_000, 500, 40, 25, 20, 9), "BBB-CA": (7_500, 500, 50, 30, 20, 9)}


@cache
def score_of_five(cards: tuple[str, ...]) -> Score:
    ranks = sorted(("23456789TJQKA".index(card[0]) + 2 for card in cards), reverse=True)
    counted = Counter(ranks)
    by_count = tuple(sorted(counted, key=lambda rank: (-counted[rank], -rank)))
    shape = sorted(counted.values(), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    if ranks == [14, 5, 4, 3, 2]:
        by_count, straight = (5, 4, 3, 2, 1), True
    else:
        straight = len(counted) == 5 and ranks[0] - ranks[4] == 4
    if straight and flush:
        return (9 if by_count[0] == 14 else 8), by_count
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return kinds.get(tuple(shape), 5 if flush else 4 if straight else 0), by_count


def score(cards: list[str]) -> Score:
    return max(score_of_five(tuple(sorted(five))) for five in combinations(cards, 5))


def from_the_top(kind: int) -> int:
    """The place of a category counted from the royal flush down."""
    return 9 - kind


def bad_beat(mine: Score, dealers: Score, code: str) -> int:
    beaten = min(mine, dealers)
    if mine == dealers or beaten[0] < 3:
        return -1
    return BAD_BEAT[code][8 - beaten[0]]


def pairs_table_six(hole: list[str]) -> int:
    ranks = {card[0] for card in hole}
    if len(ranks) == 1:
        return 25 if ranks == {"A"} else 5
    if "A" in ranks and ranks & set("KQJ"):
        return 20 if hole[0][1] == hole[1][1] else 10
    return -1


def progressive(hole: list[str], board: list[str], kind: int, meter: int) -> int:
    if kind == 9:
        if score_of_five(tuple(sorted(board)))[0] == 9:
            return 3000
        return meter if score_of_five(tuple(sorted(hole + board[:3])))[0] == 9 else meter // 20
    return {8: 250, 7: 100, 6: 10}.get(kind, 0)


def due(seat: dict, board: list[str], dealer: list[str], codes: dict[str, str], meter: int) -> list[tuple[str, int]]:
    """Each wager's net in half-dollars before any coverage, in the order of settling."""
    mine, dealers = score(seat["cards"] + board), score(dealer + board)
    folded, wagers = seat["times"] == 0, seat["wagers"]
    sign = -1 if folded or mine < dealers else 0 if mine == dealers else 1
    ante = wagers["ante"] * HALVES
    nets = [("ante", -ante if folded else 0 if dealers[0] == 0 else sign * ante)]
    if not folded:
        nets.append(("play", sign * ante * seat["times"]))
    blind = sign * ante
    if sign > 0:
        blind = wagers["ante"] * BLIND_HALVES[from_the_top(mine[0])] if mine[0] >= 4 else 0
    nets.append(("blind", blind))
    times = {
        "trips": TRIPS[codes["trips"]][from_the_top(mine[0])] if mine[0] >= 3 else -1,
        "bad_beat": bad_beat(mine, dealers, codes["bad_beat"]),
        "pairs": pairs_table_six(seat["cards"]),
    }
    nets += [(name, times[name] * wagers[name] * HALVES) for name in times if name in wagers]
    if "progressive" in wagers:
        won = progressive(seat["cards"], board, mine[0], meter)
        nets.append(("progressive", (won - 1) * HALVES))
    return nets


def covered(seats: list[list[tuple[str, int]]], bank: int, model: str) -> tuple[list[dict[str, int]], int]:
    """Moves one half-dollar after the other until the bank's wager is exhausted."""
    won = used = 0
    limit, over, moved = bank * HALVES, False, []
    for seat in seats:
        moved.append(dict.fromkeys((name for name, _ in seat), 0))
        for name, net in seat:
            step = 1 if net > 0 else -1
            for _ in range(abs(net)):
                if over or (model == "net" and step < 0 and won == limit):
                    break
                moved[-1][name] += step
                won -= step
                used += 1
                over = won == -limit if model == "net" else used == limit
    return moved, won
