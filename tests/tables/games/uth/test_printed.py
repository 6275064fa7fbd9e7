"""The four rule sheets copied a second time, by hand: each row with its name, each bracket, each figure, each word.

The packs are data; this is the other copy that a slip of the pen in one of them is found by.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from tables.games.limits import BetRefused
from tables.games.packs import ToOne
from tables.games.procedure import Scene, begin
from tables.games.uth.collection import rule_set
from tables.games.uth.layout import marks
from tables.games.uth.procedure import glossary, procedures
from tables.games.uth.rules import MULTIPLES, HouseRules, refuse_bets
from tests.tables.games.uth.scene import TABLES, dealt, money, seat, settled, table

TRIPS = "Royal flush 50, Straight flush 40, Four of a kind {}, Full house {}, Flush {}, Straight {}, Three of a kind 3"
PAIRS_1 = (
    "A-A 30, A-K suited 25, A-Q or A-J suited 20, A-K unsuited 15, K-K, Q-Q or J-J 10, A-Q or A-J unsuited 5, "
    "10-10 through 2-2 3"
)
FACES = "Ace and face card, suited 20, Ace and face card 10"
BEATEN = "Straight flush {}, Four of a kind 500, Full house {}, Flush {}, Straight 20, Three of a kind 9"
PRINTED = [
    ("trips", "UTH-01", TRIPS.format(30, 9, 7, 4)),
    ("trips", "UTH-02", TRIPS.format(30, 8, 6, 5)),
    ("trips", "UTH-03", TRIPS.format(30, 8, 7, 4)),
    ("trips", "UTH-04", TRIPS.format(20, 7, 6, 5)),
    *(
        ("blind", code, "Royal flush 500, Straight flush 50, Four of a kind 10, Full house 3, Flush 3/2, Straight 1")
        for code in ("UTH-01", "UTH-02", "UTH-03", "UTH-04")
    ),
    ("bad_beat", "BBB-01", BEATEN.format(10000, 40, 25)),
    ("bad_beat", "BBB-02", BEATEN.format(7500, 50, 30)),
    ("bad_beat", "BBB-03", BEATEN.format(2500, 50, 30)),
    ("bad_beat", "BBB-CA", BEATEN.format(7500, 50, 30)),
    ("pairs", "PT1", PAIRS_1),
    ("pairs", "PT2", f"Player A-A and dealer A-A 1000, {PAIRS_1}"),
    ("pairs", "PT3", f"Pair of aces 30, {FACES}, Pair 5"),
    ("pairs", "PT4", f"Ace of hearts and ace of diamonds 100, Pair of aces 30, {FACES}, Pair 4"),
    ("pairs", "PT5", f"Ace of hearts and ace of diamonds 50, Pair of aces 25, {FACES}, Pair 5"),
    ("pairs", "PT6", f"Pair of aces 25, {FACES}, Pair 5"),
]


@pytest.mark.parametrize(("bet", "code", "rows"), PRINTED)
def test_every_row_of_a_table_has_its_hand_and_its_pay(bet: str, code: str, rows: str) -> None:
    lines = table(bet, code).lines
    assert all(isinstance(line.pays, ToOne) for line in lines)
    assert ", ".join(f"{line.name} {line.pays.times}" for line in lines if isinstance(line.pays, ToOne)) == rows


def test_the_rows_of_the_progressive_are_those_of_pay_table_01() -> None:
    """002:427-437, in their order; the wager is not returned."""
    told = [line.code for line in table("progressive", "PT01").as_jackpot("tray")]
    assert told == [
        "royal_first_5", "royal_first_7", "royal_community", "straight_flush", "four_of_a_kind", "full_house",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("bet", "figures"),
    [
        ("trips", {"UTH-01": "0.90", "UTH-02": "1.90", "UTH-03": "3.50", "UTH-04": "6.18"}),
        ("bad_beat", {"BBB-01": "20.2 3.9", "BBB-02": "14.6 3.9", "BBB-03": "16.5 3.9", "BBB-CA": ""}),
        ("pairs", {"PT1": "8.90", "PT2": "8.54", "PT3": "4.52", "PT4": "4.68", "PT5": "4.90", "PT6": "6.79"}),
    ],
)
def test_the_printed_edges_stand_with_their_tables(bet: str, figures: dict[str, str]) -> None:
    for code, printed in figures.items():
        told = table(bet, code).published
        assert [told[key] for key in sorted(told) if key.endswith("_percent")] == printed.split()[::-1]


# 001:197-325 and 003:419-462: for each option the first dollar of each bracket and its fee.
OPTIONS = {
    "001": {
        1: "1:2 50:4 100:6 150:8 200:12",
        2: "1:1 50:3 100:5 150:7 200:10",
        3: "1:2 50:4 100:6 200:12",
        4: "1:1 50:2 100:3 150:4 200:5",
        5: "1:1 50:2 100:3 200:4 300:6",
        6: "1:1 50:2 100:3 200:4 400:6",
        7: "1:1 50:2 100:3 200:5 300:8",
        8: "1:1 75:2 150:3 225:4 300:5",
        9: "1:1 75:2 150:3 225:4 300:6",
        10: "1:1 75:2 150:3 225:4 400:7",
        11: "1:1 75:2 200:5 400:8 700:12",
        12: "1:1 100:2 200:3 300:4 400:6",
        13: "1:1 100:3 200:4 300:5 400:7",
        14: "1:1 100:4 200:5 300:6 400:8",
        15: "1:1 100:3 300:5 500:8 800:12",
        16: "1:2 100:3 300:6 500:8 800:12",
        17: "1:2 100:3 300:6 500:10 800:15",
        18: "1:2 100:3 300:6 500:10 800:15",
        19: "1:2 100:3 300:5 500:12 800:20",
        20: "1:5 1000:15 2000:25 3000:35 4000:45",
        21: "1:10 1000:15 2000:30 3000:35 4000:50",
        22: "1:15 1000:20 2000:30 3000:40 4000:55",
        23: "1:20 1000:25 2000:35 3000:45 4000:55",
        24: "1:15 1000:25 2000:35 3000:50 4000:70",
    },
    "003": {
        1: "5:1 51:2 101:3 201:6 301:9",
        2: "25:3 201:6 401:12 601:15 801:20",
        3: "100:6 401:15 801:20 1201:25 1601:30",
    },
}


@pytest.mark.parametrize(("code", "option"), [(code, option) for code in OPTIONS for option in OPTIONS[code]])
def test_every_bracket_of_every_option_from_its_first_dollar_to_its_last(code: str, option: int) -> None:
    brackets = [tuple(map(int, each.split(":"))) for each in OPTIONS[code][option].split()]
    schedule = rule_set(code).schedule(option)
    last = [first - 1 for first, _ in brackets[1:]] + [brackets[-1][0] * 1000]
    for (first, fee), end in zip(brackets, last, strict=True):
        assert (schedule.fee(Fraction(first)), schedule.fee(Fraction(end))) == (fee, fee)


@pytest.mark.parametrize(("option", "least", "most"), [(1, 5, 300), (2, 25, 1000), (3, 100, 2000)])
def test_each_option_has_its_limit_of_a_spot(option: int, least: int, most: int) -> None:
    """003:430, 442, 453."""
    assert rule_set("003").limits[option].per_spot == (least, most)


def test_the_room_posts_its_least_and_its_largest_wager_within_the_printed_ranges() -> None:
    """001:195: a minimum of 1 to 1,000, a maximum of 100 to 10,000."""
    limits = rule_set("001").limits[1]
    assert (limits.wager_minimum, limits.wager_maximum) == ((1, 1000), (100, 10000))


def test_six_places_and_eight_the_player_dealers_among_them() -> None:
    """001:48: six places on one side; 003:36-38: seven and the player-dealer's."""
    assert [rule_set(code).seats for code in ("001", "003")] == [6, 8]


def test_the_words_of_the_layout() -> None:
    """001:50, 54-60; 002:261, 496, 538; 003:41-52."""
    words = " ".join(mark.words for mark in marks())
    for word in ("“Ante”", "“Blind”", "“Trips”", "“Bad Beat”", "“Play”", "pairs", "sensor", "a drop box"):
        assert word in words
    assert "“Player-Dealer only plays with a pair or higher”" in words


# The line at which each numbered step, note and irregularity of the sheets begins.
STEPS = {
    "001": "20 21 22 23 24 64 69 70 75 78 79 80 84 85 86 87 88 89 90 91 92 93 94 96 97 98 99 100 108 110 111 112 113 "
    "118 120 126 127 129 130 131 132 137 138 139 140 141 143 144 147 148 149 150 183 185 193",
    "002": "29 34 39 43 51 54 58 60 61 64 67 68 77 99 102 107 116 120 125 129 134 138 146 147 152 155 156 159 162 169 "
    "190 199 204 208 211 260 265 268 274 279 285 291 295 296 298 299 300 302 305 309 312 347 352 355 361 379 385 390 "
    "391 393 396 397 401 404 405 437 495 499 503 537 546",
    "003": "64 68 73 75 80 84 142 146 153 156 169 177 180 184 188 191 194 199 202 203 210 217 221 226 230 239 244 247 "
    "250 255 262 265 269 273 276 281 287 299 311 318 321 325 331 334 337 340 345 348 358 369 371 377 410",
    "004": "21 22 23 24 25 26 30 31 34 35 36 39 40 45 55 56 58 70",
}


@pytest.mark.parametrize("document", STEPS)
def test_every_step_of_the_sheets_is_in_the_book(document: str) -> None:
    book = procedures()
    told = {line for one in (*book.steps, *book.irregularities, *book.machines) for line in one.source}
    assert sorted({f"{document}:{line}" for line in STEPS[document].split()} - told) == []


@pytest.mark.parametrize("bank", ["house", "player_dealer"])
def test_cards_go_round_from_the_dealers_left_and_lie_face_down(bank: str) -> None:
    """001:76-77; 002:39, 129; 003:172-174; 004:24."""
    scene = Scene("hands", bank, (1, 4, 6), player_dealer=2 if bank != "house" else None)
    dealt_to = [due for due in begin(procedures(), scene).dues if due.step.key == "deal_two"]
    assert [due.seat for due in dealt_to] == [1, 4, 6]
    assert "face down" in dealt_to[0].step.text


def test_the_ten_terms_of_the_glossary() -> None:
    """003:463-502."""
    lines = {source for _, _, source in glossary()}
    assert lines >= {f"003:{line}" for line in (465, 467, 474, 476, 480, 482, 484, 490, 494, 500)}


def test_the_decks_are_two_of_one_design_and_two_colours() -> None:
    """001:19-24; 003:60-84."""
    swap = next(step for step in procedures().steps if step.key == "swap_decks")
    for word in ("52", "one design", "two colours", "in turn", "only one of them lies in the rack"):
        assert word in f"{swap.text} {swap.why}"


@pytest.mark.parametrize(("action", "times"), [("4x", 4), ("3x", 3), ("2x", 2), ("1x", 1)])
def test_the_play_wager_is_as_many_antes_as_the_moment_allows(action: str, times: int) -> None:
    """002:10-13, 43-49: three or four before the flop, two on it, one after the river, once and never changed."""
    played = dealt("Ah 7c 2d 9s 4h", "Qc Qd", seat(1, "As Kd", action))  # type: ignore[arg-type]
    assert settled(played).seat(1).nets["play"] == 10 * times
    assert sorted(MULTIPLES.values()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("trips", [1, 10, 250])
def test_trips_may_be_less_than_the_ante_equal_or_more(trips: int) -> None:
    """001:193; 003:415-416."""
    refuse_bets(money(ante=10, blind=10, trips=trips), TABLES, HouseRules(), player_dealer=True)


def test_without_ante_and_blind_there_is_no_bonus_bet() -> None:
    """001:183; 002:495-497; 003:153."""
    with pytest.raises(BetRefused, match="Ante and blind must be equal and stand both"):
        refuse_bets(money(trips=5), TABLES, HouseRules())


@pytest.mark.parametrize("wager", [1, 10**9])
def test_the_player_dealers_wager_has_no_maximum_and_need_not_cover_all(wager: int) -> None:
    """001:149; 003:371-374."""
    played = dealt("Ah 7c 2d 9s 4h", "Qc Qd", seat(2, "As Kd", "4x"), bank=(1, wager))
    assert settled(played).player_dealer_net == -min(wager, 50)
