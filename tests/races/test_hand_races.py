"""Two people at one hand: both type its cards, or one types while the other approves."""

from __future__ import annotations

from functools import partial
from typing import Any

from jackpot.refusals import Refused
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.hits.actions.hand_entry import EnteredCards, enter_cards
from tables.hits.models.cards import RoundCards
from tables.rounds.rules.round import EndRequest
from tests.hands import hand_of
from tests.races.test_win_races import holds, side_by_side, tried
from tests.tables.hits.test_hit import EXECUTIVE, Floor

BOARD = "Ah Kh Qh As Kd"


def asked() -> Floor:
    floor = Floor(meter="20000.00")
    floor.coin_in("36")
    floor.mark(3, "royal_first_5")
    floor.mark(6, "full_house")
    hit.confirm(**floor.place(0), by="Test Supervisor")
    return floor


def entering(floor: Floor, seat: int, cards: str, by: str, **more: Any) -> Any:
    return partial(tried, enter_cards, **floor.place(0), entered=EnteredCards(BOARD, {seat: cards}, **more), by=by)


def test_two_people_enter_two_seats_at_once_and_neither_is_lost(fresh_database: str) -> None:
    floor = asked()
    side_by_side(entering(floor, 3, "Jh Th", "first"), entering(floor, 6, "Ac 7c", "second"))
    revisions = list(RoundCards.objects.order_by("revision"))
    assert [row.revision for row in revisions] == [1, 2]
    assert revisions[-1].seats == {"3": "Jh Th", "6": "Ac 7c"}
    assert {row.by for row in revisions} == {"first", "second"}


def test_of_two_who_looked_at_the_same_cards_one_is_told_to_look_again(fresh_database: str) -> None:
    floor = asked()
    heard = side_by_side(
        entering(floor, 3, "Jh Th", "first", revision=0), entering(floor, 3, "Jc Tc", "second", revision=0)
    )
    [late] = [one for one in heard if isinstance(one, Refused)]
    assert late.code == "changed"
    assert RoundCards.objects.count() == 1


def test_cards_entered_in_the_instant_of_the_approval_never_change_what_was_approved(fresh_database: str) -> None:
    floor = asked()
    for _ in range(8):
        place = floor.place(0)
        enter_cards(**place, entered=EnteredCards(BOARD, {3: "Jh Th", 6: "Ac 7c"}), by="first")
        swiped, changed = side_by_side(
            partial(tried, hit.swipe, **place, card=EXECUTIVE, pin="274916"),
            entering(floor, 3, "2c 7d", "second"),
        )
        assert isinstance(swiped, Refused) != isinstance(changed, Refused)
        proof = {hand_of(win).proof for win in Win.objects.filter(slip__isnull=False)}
        assert proof <= {"proven"}
        play_again(floor)
    assert holds(floor)


def play_again(floor: Floor) -> None:
    """The next round with the same two hits; what waited is rejected."""
    tried(hit.reject, **floor.place(0), by="Test Supervisor", why="the cards were changed")
    floor.say(EndRequest(floor.rounds[0]))
    floor.coin_in("36")
    floor.mark(3, "royal_first_5")
    floor.mark(6, "full_house")
    hit.confirm(**floor.place(0), by="Test Supervisor")
