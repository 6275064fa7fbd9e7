"""What a table may offer when it is set up: games of its game, no fifth, and a jackpot at a player's bank by switch."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounting.house_file.writer import house_content
from accounting.setup_desk.actions.setting_up import SetUpWish, set_up
from jackpot.money import Money
from jackpot.people.models import NoBadge
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from tables.floor.queries.offers import posted_at
from tables.floor.rules.wagers import FurtherWagerFacts
from tables.games.game import Game
from tables.games.packs import BetTable
from tables.player_dealer.actions.telling import tell_action
from tables.player_dealer.queries.bank import side_bets_of
from tables.player_dealer.rules.told import read_action
from tables.requests.actions.configure import wished_terms
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, PostedAnswer
from tables.setup.actions.offers import check_offer
from tests.builders import a_controller, a_jackpot, a_person, a_property, a_table
from tests.controller import secret_for
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db
ALL = ("blind/UTH-02", "trips/UTH-02", "bad_beat/BBB-01", "pairs/PT1")


def test_a_fifth_game_is_refused_when_the_table_is_set_up_and_the_maximum_is_the_house_s() -> None:
    jackpot = a_jackpot()
    with pytest.raises(Refused, match="UTH-01: Base game, trips, bad beat, pairs, progressive: that is 5 games"):
        a_table("UTH-01", jackpot, games=ALL)
    a_table("UTH-02", games=ALL)
    a_table("UTH-03", jackpot, games=ALL[:3])
    Property.objects.update(most_games=5)
    jackpot.refresh_from_db()
    a_table("UTH-01", jackpot, premises=Property.objects.get(), games=ALL)


def test_a_second_progressive_wager_is_a_game_more_unless_the_house_counts_all_of_them_as_one() -> None:
    """[002:217–219] Four games: base game, trips, and two progressives; with the bad beat it would be a fifth."""
    grand, mega = a_jackpot(), a_jackpot("MEGA", wager="5.00")
    second = (FurtherWagerFacts("MEGA", Money.of("5.00"), (mega.code,), "Mega Royal"),)
    with pytest.raises(Refused, match="trips, bad beat, 2 progressives: that is 5 games"):
        a_table("UTH-01", grand, games=ALL[:3], further=second)
    table = a_table("UTH-02", grand, games=ALL[:2], further=second)
    assert posted_at(table)[1].endswith("ante, blind and play are one game, and each progressive a game of its own.")
    Property.objects.update(each_progressive_a_game=False)
    for each in (grand, mega):
        each.refresh_from_db()
    house = Property.objects.get()
    table = a_table("UTH-01", grand, premises=house, games=ALL[:3], further=second)
    assert posted_at(table)[1].endswith("are one game, and all progressives one game.")


@pytest.mark.parametrize(
    ("games", "why"),
    [(("trips/UTH-09",), "has no trips table UTH-09"), (("faro/1",), "has no bet faro"), (("trips",), "is no game")],
)
def test_a_pay_table_that_the_game_has_not_is_refused(games: tuple[str, ...], why: str) -> None:
    with pytest.raises(Refused, match=why):
        a_table("UTH-01", games=games)


def test_page_program_and_file_refuse_a_fifth_and_tell_what_is_declared() -> None:
    jackpot = a_jackpot()
    table = a_table("UTH-01", jackpot, games=ALL[:2])
    by = a_person("administrator", may=("set_up", "configure"))
    table.premises.refresh_from_db()
    (part,) = house_content(table.premises, timezone.now())["tables"]
    assert part["games"] == ["blind/UTH-02", "trips/UTH-02"]
    with pytest.raises(Refused, match="that is 5 games"):
        set_up(premises=table.premises, wish=SetUpWish({"tables": [{**part, "games": list(ALL)}]}), by=by, dry_run=True)
    reader = signed_in("see", "run_tables", username="reader")
    assert reader.get("/api/v1/tables/UTH-01/").json()["games"] == ["blind/UTH-02", "trips/UTH-02"]


def test_only_what_is_declared_may_lie_there_before_the_cards() -> None:
    table = a_table("PD-01", bank="player_dealer", seats=6, games=("blind/UTH-04", "trips/UTH-04"))
    assert side_bets_of(table) == [("trips", "Trips")]
    bets = [{"seat": 1, "wagers": {"ante": 5, "blind": 5, "trips": 5, "bad_beat": 5}}]
    with pytest.raises(Refused, match="Seat 1: The table has no bad beat pay table in force"):
        tell_action(table_code="PD-01", told=read_action(1, {"seat": 3, "wager": 50}, bets), by=NoBadge("PD-01"))


def test_a_jackpot_at_a_player_banked_table_stands_by_switch_alone_and_its_coin_in_follows_the_action() -> None:
    jackpot = a_jackpot()
    with pytest.raises(Refused, match="the house may have no interest in its game"):
        a_table("PD-01", jackpot, bank="player_dealer", seats=6)
    Property.objects.update(player_dealer_jackpots=True)
    table = a_table("PD-01", jackpot, premises=a_property(), bank="player_dealer", seats=6)
    box = a_controller(table)
    secret_for(box)
    bets = [{"seat": 1, "wagers": {"ante": 5, "blind": 5}}]
    told = read_action(1, {"seat": 3, "wager": 50}, bets)
    assert tell_action(table_code="PD-01", told=told, by=NoBadge("PD-01"))["bank"]["action"] == "10.00"
    assert not Round.objects.exists(), "the coin-in begins it"
    (answer,) = post_messages([DeviceRequest("PD-01", box.id, 1, CoinInRequest(1, "1"))])
    assert isinstance(answer, PostedAnswer)
    assert Round.objects.get().seats == "1"
    assert tell_action(table_code="PD-01", told=told, by=NoBadge("PD-01"))["repeat"]


@pytest.mark.parametrize(("at", "offered"), [("05:00", True), ("07:00", False)])
def test_the_dates_of_a_pay_table_are_gaming_days_wherever_it_is_chosen(
    monkeypatch: pytest.MonkeyPatch, at: str, offered: bool
) -> None:
    """Its last day is 3 March; the house rolls at six, so at five on the fourth it is the third that runs."""
    jackpot = a_jackpot(premises=a_property(time_zone="UTC", day_roll_minutes=360))
    said, real = [], Game.table

    def ends(game: Game, bet: str, code: str) -> BetTable:
        return replace(real(game, bet, code), from_date=None, until_date=date(2026, 3, 3), status="offered")

    monkeypatch.setattr(Game, "table", ends)
    with time_machine.travel(f"2026-03-04T{at}:00Z", tick=False):
        for chosen in (
            lambda: wished_terms(jackpot, {"pay_table": {"game": "uth", "code": "PT01"}}),
            lambda: check_offer("UTH-01", "uth", ["trips/UTH-02"], 1, jackpot.premises),
        ):
            try:
                chosen()
            except Refused as why:
                said.append(why.why)
    assert [text.partition(" may be used ")[2] for text in said] == (
        [] if offered else ["until 2026-03-03, not on 2026-03-04."] * 2
    )


def test_one_place_says_by_which_day_a_pay_table_is_offered() -> None:
    """Who asks a pack itself brings a day along, and two who ask have brought two."""
    asking = [
        str(path)
        for room in ("accounting", "tables", "jackpot")
        for path in Path(room).rglob("*.py")
        if ".refuse_unless_offered(" in path.read_text()
    ]
    assert asking == ["tables/floor/queries/offers.py"]


def test_a_bet_that_nobody_could_make_is_not_offered() -> None:
    """[002:495] The published bad beat takes ante, blind and trips; California's takes ante and blind [001:183]."""
    with pytest.raises(Refused, match="The bad beat takes a trips wager beside it, and this table offers none"):
        a_table("UTH-01", games=("blind/UTH-02", "bad_beat/BBB-01"))
    a_table("UTH-01", games=("blind/UTH-02", "trips/UTH-02", "bad_beat/BBB-01"))
    a_table("CAL-01", games=("blind/UTH-04", "bad_beat/BBB-CA"))


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (
            {"shuffler": "ace"},
            r"“ace” is no shuffler of this game\. Write one of: hand_held \(Deck Mate: .*board_first",
        ),
        ({"deck_colours": ("red", "Red ")}, "two decks are red. The decks go in turn"),
        ({"deck_colours": ("red",), "bank": "player_dealer"}, "two decks of two colours go in turn, not 1"),
        ({"deck_colours": ("red", "blue", "green"), "bank": "player_dealer"}, "go in turn, not 3"),
    ],
)
def test_a_machine_that_nobody_knows_and_decks_that_look_alike_are_refused(facts: dict[str, Any], why: str) -> None:
    """[001:20–23; 003:68–83] Two decks in turn, backs of one design and two colours."""
    premises = a_property()
    with pytest.raises(Refused, match=why):
        a_table("UTH-01", premises=premises, **facts)
    a_table("UTH-01", premises=premises, shuffler="board_first", deck_colours=("red", "blue"), bank="player_dealer")
    a_table("UTH-02", premises=premises, shuffler="hand_held", deck_colours=("red", "blue", "green"))


def test_by_switch_a_bad_beat_takes_trips_at_every_table_of_the_house() -> None:
    """001:73 lists it beside a Trips wager, 001:183 asks for ante and blind alone."""
    games = ("blind/UTH-04", "trips/UTH-04", "bad_beat/BBB-CA")
    table = a_table("PD-01", bank="player_dealer", seats=6, games=games)
    told = read_action(1, {"seat": 3, "wager": "100"}, [{"seat": 1, "wagers": {"ante": 5, "blind": 5, "bad_beat": 5}}])
    Property.objects.update(bad_beat_takes_trips=True)
    with pytest.raises(Refused, match="Seat 1: The bad beat wager needs a trips wager beside it"):
        tell_action(table_code="PD-01", told=told, by=NoBadge("PD-01"))
    table.premises.refresh_from_db()
    with pytest.raises(Refused, match="The bad beat takes a trips wager beside it, and this table offers none"):
        check_offer("PD-02", "uth", ("blind/UTH-04", "bad_beat/BBB-CA"), 0, table.premises)
    Property.objects.update(bad_beat_takes_trips=False)
    assert tell_action(table_code="PD-01", told=told, by=NoBadge("PD-01"))["bank"]["action"] == "15.00"
