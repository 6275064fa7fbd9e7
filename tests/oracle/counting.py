"""Coin-ins of every wager, what is kept back of them, and what takes them back."""

from __future__ import annotations

from typing import Final

from tests.oracle.floor import APPROVED, OPEN, YES, Act, Expected, Floor, Played, no
from tests.oracle.ledger import Round

IN_TEN: Final = 20  # rounds that a table of this floor may deal in ten minutes; one person accepts so many a day
OF_ONE: Final = 60  # and so many at all tables together; one person decides all evening here


def coin_in(floor: Floor, act: Act) -> Expected | None:
    table = floor.tables[act["table"]]
    place, chips = (act["table"], table.last + 1 - act["back"]), chips_of(act)
    if place[1] < 1:
        return None
    if place in floor.rounds:
        return YES if floor.rounds[place].chips == chips else no("clash")
    if table.key:
        return no("key_at_jph")
    if floor.open_round(act["table"]) is not None:
        return no("round_open")
    if place[1] != table.last + 1:
        return no("gap")
    played = Played("open", chips)
    wanted = [each for each in table.all_feeds if chips.get(table.wager_of(each))] or table.feeds
    closed = [floor.ledgers[each].state for each in wanted if floor.ledgers[each].state != "open"]
    if closed:
        return no(closed[0])
    table.last += 1
    floor.rounds[place] = played
    if act.get("early") and place[1] > 1 and floor.fed(place):
        played.kept = "waiting"
        return Expected(True, kept=True)
    _counted(floor, place)
    return YES


def _counted(floor: Floor, place: Round) -> None:
    for jackpot in floor.fed(place):
        floor.ledgers[jackpot].coin_in(place, len(floor.on(place, jackpot)))


def chips_of(act: Act) -> dict[str, tuple[int, ...]]:
    """The seats of each wager that was played; the table's first has no name."""
    further = {wager: tuple(sorted(seats)) for wager, seats in act.get("further", {}).items() if seats}
    return {"": tuple(sorted(act["seats"])), **further}


def kept_back(floor: Floor, act: Act) -> Expected:
    """A supervisor's word on what was kept back at a table: accepted it is posted now, by the terms of now."""
    waiting = [place for place, played in floor.rounds.items() if place[0] == act["table"] and played.kept == "waiting"]
    if not waiting:
        return no("none_kept")
    closed = [floor.ledgers[each].state for place in waiting for each in floor.fed(place)]
    if act["do"] == "accept" and set(closed) != {"open"}:
        return no()
    if act["do"] == "accept":
        accepted = [place for place, played in floor.rounds.items() if played.kept == "accepted"]
        here = [place for place in accepted if place[0] == act["table"]]
        if len(waiting) + len(here) > IN_TEN or len(waiting) + len(accepted) > OF_ONE:
            return no("two_people")
    for place in sorted(waiting):
        floor.rounds[place].kept = "accepted" if act["do"] == "accept" else "refused"
        if act["do"] == "accept":
            _counted(floor, place)
    return YES


def void(floor: Floor, place: Round, act: Act) -> Expected | None:
    played = floor.rounds[place]
    if any(hit.claimed for hit in floor.at(place, *OPEN)):
        return None  # a claim that two people opened is theirs to end
    if played.state == "void":
        return YES
    if floor.at(place, *APPROVED):
        return no()
    for hit in floor.at(place, *OPEN):
        hit.state = "fell"
    _taken_back(floor, place)
    played.state = "void"
    return YES


def recount(floor: Floor, place: Round, act: Act) -> Expected | None:
    played, table = floor.rounds[place], floor.tables[place[0]]
    if table.key:
        return None
    if played.state != "open":
        return no("round_over")
    if floor.at(place, *OPEN):
        return no("hits_open")
    if floor.at(place, *APPROVED):
        return no("awarded")
    if chips_of(act) == played.chips:
        return YES
    _taken_back(floor, place)
    played.chips = chips_of(act)
    _counted(floor, place)
    return YES


def _taken_back(floor: Floor, place: Round) -> None:
    for jackpot in floor.fed(place):
        floor.ledgers[jackpot].take_back(place)
