"""The games over the API: what cards win, what a round pays, what a collection is, what a table costs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from tables.calculation import desk as desks
from tables.games.analysis import line_chances
from tables.games.registry import find_game
from tests.jackpot.books.api_scene import signed_in
from tests.patience import until

pytestmark = pytest.mark.django_db
V14 = {
    "board": "Ah Kh Qh As Kd",
    "seats": [{"seat": 3, "cards": "Jh Th"}, {"seat": 6, "cards": ["Ac", "7c"]}],
    "tables": {"progressive": "PT01"},
}
ROUND: dict[str, Any] = {
    "board": "Kc 7c 2c Kd 7h",
    "dealer": "Ad Jd",
    "seats": [{"seat": 3, "cards": "Ac 9c", "action": "4x", "wagers": {"ante": "5.00", "blind": "5", "trips": "5"}}],
    "tables": {"blind": "UTH-03", "trips": "UTH-03"},
}


@pytest.fixture
def reader(db: None) -> Client:
    return signed_in("see")


def posted(reader: Client, what: str, body: Any, status: int = 200) -> Any:
    answer = reader.post(f"/api/v1/games/uth/{what}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def asked(reader: Client, what: str, status: int = 200) -> Any:
    answer = reader.get(f"/api/v1/games/uth/{what}")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_the_games_are_listed_with_bets_pay_tables_and_their_licence_lines(reader: Client) -> None:
    (game,) = reader.get("/api/v1/games/").json()["results"]
    assert (game["code"], "bad_beat" in game["bets"]) == ("uth", True)
    table = next(one for one in game["pay_tables"] if (one["bet"], one["code"]) == ("pairs", "PT4"))
    assert (table["status"], table["lines"][0]["pays"]) == ("offered", "100 to 1")
    assert all(one["licence"] and one["owner"] for one in game["pay_tables"])


def test_an_unknown_game_is_not_found(reader: Client) -> None:
    answer = reader.get("/api/v1/games/bridge/")
    assert (answer.status_code, answer.json()["why"]) == (404, "There is no game bridge here; there is uth.")


def test_each_seat_hears_its_line_the_five_cards_and_why(reader: Client) -> None:
    told = posted(reader, "verify", V14)
    royal, full = (seat["bets"][0] for seat in told["seats"])
    assert (royal["line"]["hand"], sorted(royal["cards"])) == ("royal_first_5", ["Ah", "Jh", "Kh", "Qh", "Th"])
    assert (full["line"]["hand"], full["line"]["pays"]) == ("full_house", "10 for 1")
    assert "both hole cards and the flop" in royal["why"]
    assert told["sanity"] == "9 cards of one deck, none twice."


def test_seven_cards_alone_are_judged_for_every_bet_that_needs_no_dealer(reader: Client) -> None:
    told = posted(reader, "verify", {"cards": "Js 9d As Ks Qs Ts 2c"})
    bets = {bet["bet"]: bet for bet in told["seats"][0]["bets"]}
    assert "bad_beat" not in bets
    assert bets["progressive"]["why"].startswith("Royal flush, first 7 cards: uses Js; the flop alone was not enough")


def test_no_line_is_a_verdict_too(reader: Client) -> None:
    told = posted(reader, "verify", {**V14, "seats": [{"seat": 1, "cards": "2c 3c"}]})
    assert told["seats"][0]["bets"][0]["wins"] is False


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({**V14, "seats": [{"seat": 3, "cards": "Ah Th"}]}, "The ace of hearts (Ah) is in the board and in seat 3."),
        ({"cards": "Jh Th Ah Kh Qh As Kd 2c"}, "The hand has 8 cards; it needs 7."),
        ({"cards": "1h Th Ah Kh Qh As Kd"}, "“1h” is not a card: the rank must be one of"),
        ({"cards": 7}, "Write the hand as text such as “Ah Kd” or as a list of cards."),
        ({"cards": [7, None]}, "7 is not a card."),
        ({}, "Give a board and at least one seat with its cards"),
        ({**V14, "tables": {"progressive": "PT99"}}, "no progressive table PT99; it has PT01."),
        ({**V14, "tables": "PT01"}, "Name the pay tables as bet and code"),
        ({**V14, "cardz": "Ah"}, "“cardz” is not asked here."),
        ({**V14, "seats": [*V14["seats"], {"seat": 3, "cards": "2c 3c"}]}, "Seat 3 stands in it twice."),
        ({**V14, "tables": {"bad_beat": "BBB-01"}}, "dealer"),
    ],
)
def test_wrong_cards_get_a_sentence(reader: Client, body: Any, sentence: str) -> None:
    refused = posted(reader, "verify", body, 400)
    assert refused["ok"] is False
    assert sentence in refused["why"]


def test_a_round_is_settled_with_a_reason_for_every_wager(reader: Client) -> None:
    (seat,) = posted(reader, "settle", ROUND)["seats"]
    assert {one["wager"]: one["net"] for one in seat["decisions"]} == {
        "ante": "5.00", "play": "20.00", "blind": "7.50", "trips": "35.00",
    }  # fmt: skip
    assert all(decision["why"] for decision in seat["decisions"])


FIVE = {"ante": "5", "blind": "5", "trips": "5", "bad_beat": "5", "pairs": "5", "progressive": "1"}
IN_FORCE = {"trips": "UTH-02", "bad_beat": "BBB-02", "pairs": "PT1", "progressive": "PT01"}


def test_four_games_may_stand(reader: Client) -> None:
    four = {name: amount for name, amount in FIVE.items() if name != "pairs"}
    assert posted(reader, "bets", {"wagers": four, "tables": IN_FORCE}) == {"ok": True, "games": 4}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({}, "That is 5 games; a player wagers on at most 4. Take back progressive."),
        ({"rules": {"count_games": "each_wager"}}, "That is 6 games"),
        ({"wagers": {"ante": "5", "blind": "10"}}, "Ante and blind must be equal"),
        ({"wagers": {"ante": "5", "blind": "5", "progressive": "1"}, "player_dealer": True}, "player-dealer table"),
        ({"wagers": []}, "“wagers” is an object"),
    ],
)
def test_bets_that_may_not_stand_get_a_sentence(reader: Client, changed: dict[str, Any], sentence: str) -> None:
    assert sentence in posted(reader, "bets", {"wagers": FIVE, "tables": IN_FORCE, **changed}, 400)["why"]


def test_by_switch_a_house_posts_another_maximum(reader: Client) -> None:
    told = {"wagers": FIVE, "tables": IN_FORCE, "rules": {"most_games": 5}}
    assert posted(reader, "bets", told)["games"] == 5


def test_a_player_dealer_settles_as_far_as_its_wager_reaches(reader: Client) -> None:
    told = posted(reader, "settle", {**ROUND, "player_dealer": {"seat": 1, "wager": "15"}})
    assert told["player_dealer_net"] == "-15.00"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"board": "Kc 7c 2c Kd"}, "The board has 4 cards; it needs 5."),
        ({"dealer": "Kc Jd"}, "The king of clubs (Kc) is"),
        ({"seats": []}, "A round lists its seats, at least one and at most 9."),
        (
            {"seats": [{"seat": 3, "cards": "Ac 9c", "action": "5x", "wagers": {"ante": 5, "blind": 5}}]},
            "Seat 3 needs its action",
        ),
        ({"rules": {"model": "half"}}, "The switch model cannot be “half”"),
        ({"seats": [{"seat": 3, "cards": "Ac 9c", "wagers": {"ante": 5.5, "blind": 5}}]}, "Write the ante as text"),
        ({"colour": "red"}, "A round has no entry colour"),
    ],
)
def test_a_round_that_cannot_be_is_refused_in_a_sentence(reader: Client, changed: Any, sentence: str) -> None:
    assert sentence in posted(reader, "settle", {**ROUND, **changed}, 400)["why"]


def test_a_body_that_is_no_object_is_refused(reader: Client) -> None:
    for what in ("verify", "settle"):
        assert posted(reader, what, [1], 400)["ok"] is False


def test_the_schedules_are_listed_as_they_are_posted(reader: Client) -> None:
    first = asked(reader, "fees")["sets"][0]
    assert (first["set"], len(first["options"])) == ("001", 24)
    assert first["options"][0]["brackets"][0] == {"action": "$1 – $49", "fee": "$2"}


@pytest.mark.parametrize(("action", "fees"), [("49", [2]), ("50", [4]), ("49 50;200", [2, 4, 12]), ("1,200", [12])])
def test_a_fee_is_charged_by_its_bracket(reader: Client, action: str, fees: list[int]) -> None:
    told = asked(reader, f"fees?set=001&option=1&action={action}")
    assert (told["fees"], told["drop"]) == (fees, sum(fees))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("set=001&option=1&action=49.50", "The schedules count whole dollars; $49.50 is none."),
        ("set=001&option=1&action=0", "no wager was made before the deal"),
        ("set=001&option=1&action=lots", "“lots” is not an amount."),
        ("set=001&option=1&action=49,50", "put a point before the decimals"),
        ("set=001&option=1&action=1e3000000", "write every digit instead of an exponent"),
        ("set=001&option=1&action=98/2", "write decimals instead of a fraction"),
        ("set=001&option=1&action=４９", "use the digits 0 to 9"),
        ("set=001&option=1&action=1_00", "put nothing between the digits"),
        ("set=001&option=1&action=" + "9" * 30, "too large"),
        ("set=001&option=1&action=;", "Write the total action in whole dollars"),
        ("set=001&option=1_0&action=49", "a whole number from"),
        ("set=001&option=99&action=49", "has the options 1 to 24, not 99"),
        ("set=777&option=1&action=49", "There is no collection rule set 777"),
        ("action=49", "Name the rule set and its option"),
        ("colour=red", "There is no filter “colour” here."),
    ],
)
def test_a_fee_that_no_text_defines_gets_a_sentence(reader: Client, question: str, sentence: str) -> None:
    assert sentence in asked(reader, f"fees?{question}", 400)["why"]


class Known:
    """A desk that has calculated everything, or nothing yet."""

    def __init__(self, *, ready: bool = True) -> None:
        self.ready = ready

    def ask(self, question: dict[str, Any], *, lane: str, wait: float = 0) -> Any:
        job = desks.Job("x", progress=0.42)
        if self.ready:
            game = find_game("uth")
            chances = line_chances(game, game.table(question["bet"], question["table"]))
            job.answer = {"chances": [str(chance) for chance in chances]}
        return job


@pytest.fixture
def calculated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.rulebook.api.games_edges.desk", Known)


def test_edges_are_exact_and_stand_beside_the_printed_figure(reader: Client, calculated: None) -> None:
    (table,) = asked(reader, "edges?bet=pairs&table=PT1")["tables"]
    assert (table["house_edge"], table["house_edge_percent"]) == ("59/663", "8.898944")
    assert (table["hit_frequency"], table["standard_deviation"]) == ("21/221", 3.671617)
    printed = table["published"][0]
    assert (printed["printed"], printed["exact_percent"], printed["reproduces"]) == ("8.90", "8.898944", True)
    parts = sum(Fraction(line["returns"]) for line in table["lines"])
    assert parts == 1 - Fraction(table["house_edge"])


def test_a_progressive_has_an_edge_only_at_a_meter(reader: Client, calculated: None) -> None:
    assert "say at which meter" in asked(reader, "edges?bet=progressive&table=PT01", 400)["why"]
    (table,) = asked(reader, "edges?bet=progressive")["tables"]
    assert (table["house_edge"], table["hit_frequency"]) == (None, "10162/363545")
    (at,) = asked(reader, "edges?bet=progressive&table=PT01&meter=10000.00")["tables"]
    assert Fraction(at["house_edge"]) == 1 - Fraction(541469, 1017926)


def test_what_is_still_calculated_is_told_with_its_progress(reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.rulebook.api.games_edges.desk", lambda: Known(ready=False))
    for question in ("bet=trips", "bet=base_game"):
        told = asked(reader, f"edges?{question}", 202)
        assert told["ready"] is False
        assert {way["percent"] for way in told["under_way"]} == {42}


def test_many_tables_wait_together_no_longer_than_one_request_may(
    reader: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them answers just before its wait is over: together they had held the request for seconds."""
    now = [1_000.0]

    class Slow(Known):
        def ask(self, question: dict[str, Any], *, lane: str, wait: float = 0) -> Any:
            now[0] += wait * 0.9
            return super().ask(question, lane=lane)

    monkeypatch.setattr("tables.rulebook.api.games_edges.monotonic", lambda: now[0])
    monkeypatch.setattr("tables.rulebook.api.games_edges.desk", Slow)
    assert len(asked(reader, "edges?bet=trips")["tables"]) > 2
    assert now[0] - 1_000 <= desks.IN_A_REQUEST


def test_the_whole_game_stands_beside_its_printed_figure(reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    edge = "50643648973/2317817502000"
    solved = desks.Job("x", answer={
        "house_edge": edge, "average_wager": "29163830173/7023689400", "element_of_risk": "50643648973/9624063957090",
        "standard_deviation": 4.939298891306297, "published": [["whole_game_house_edge_percent", "0.84", edge]],
        "explanation": "None of them is 0.84.",
    })  # fmt: skip
    monkeypatch.setattr(Known, "ask", lambda *_, **__: solved)
    monkeypatch.setattr("tables.rulebook.api.games_edges.desk", Known)
    base = asked(reader, "edges?bet=base_game")["base_game"]
    assert (base["house_edge_percent"], base["element_of_risk_percent"]) == ("2.184971", "0.526219")
    (printed,) = base["published"]
    assert (printed["printed"], printed["reproduces"], printed["explanation"]) == (
        "0.84",
        False,
        "None of them is 0.84.",
    )


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("bet=roulette", "has no such bet or pay table"),
        ("bet=pairs&table=PT99", "has no pairs table PT99"),
        ("meter=lots", "“lots” is not an amount."),
        ("meter=-1", "The meter of -1.00 is too small"),
    ],
)
def test_a_wrong_question_gets_a_sentence(reader: Client, calculated: None, question: str, sentence: str) -> None:
    assert sentence in asked(reader, f"edges?{question}", 400)["why"]


def test_the_desk_behind_the_door_really_calculates(reader: Client) -> None:
    def asked_again() -> Any:
        answer = reader.get("/api/v1/games/uth/edges?bet=pairs&table=PT3")
        return answer if answer.status_code == 200 else None

    answer = until(asked_again)
    assert answer.json()["tables"][0]["house_edge_percent"].startswith("4.52")


def test_nobody_calculates_without_signing_in(client: Client) -> None:
    assert client.post("/api/v1/games/uth/verify", V14, content_type="application/json").status_code == 401
