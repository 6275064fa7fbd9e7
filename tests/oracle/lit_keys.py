"""A hand key pressed alone, in the key profile: lit at once, its seats said later by the pit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.oracle.floor import YES, Act, Expected, Floor, Hit, no
from tests.oracle.ledger import Round


def light(floor: Floor, place: Round, hand: str) -> Expected:
    """A mark of nobody yet on every jackpot that pays it; any mark of this hand is the key's already."""
    if not floor.rounds[place].everybody:
        return no("no_coin_in")
    if not floor.paying(place, hand):
        return no("no_hand")
    if not [hit for hit in floor.at(place, "marked") if hit.code == hand]:
        for jackpot in floor.paying(place, hand):
            floor.new_hit(jackpot, place, 0, hand)
    return YES


def say_seats(floor: Floor, place: Round, act: Act) -> Expected:
    """The pit says whose the lit key is: these seats and no others; with the key at JPH they are asked for at once."""
    hand, wanted = act["hand"], {*act["seats"]}
    if not wanted:
        return no()  # the door refuses it before anybody looks
    own = {jackpot: sorted(wanted & {*floor.on(place, jackpot)}) for jackpot in floor.paying(place, hand)}
    refused = _refused(floor, place, hand, wanted, own)
    if refused:
        return no(refused)
    keys = {hit.jackpot: hit for hit in lit_keys(floor, place, hand)}
    for jackpot, seats in own.items():
        _put_on(floor, place, jackpot, hand, seats, keys.get(jackpot))
    if floor.tables[place[0]].key and not floor.lit(place):
        floor.ask(place)
    return YES


def _refused(floor: Floor, place: Round, hand: str, wanted: set[int], own: Mapping[str, Sequence[int]]) -> str:
    if floor.rounds[place].state != "open":
        return "round_over"
    if floor.at(place, "asked", "logged"):
        return "asked"
    if not lit_keys(floor, place, hand):
        return "not_lit"
    if wanted - {seat for seats in own.values() for seat in seats}:
        return "no_coin_in"
    new = [
        (jackpot, seat) for jackpot in own for seat in own[jackpot] if seat not in _marked(floor, place, jackpot, hand)
    ]
    return "awarded" if any(floor.awarded(jackpot, place, seat) for jackpot, seat in new) else ""


def _put_on(floor: Floor, place: Round, jackpot: str, hand: str, seats: Sequence[int], key: Hit | None) -> None:
    """Each seat has the key's rank and frozen point; where no seat played the jackpot's wager at first, from now."""
    marked = _marked(floor, place, jackpot, hand)
    for seat in seats:
        if seat not in marked:
            hit = floor.new_hit(jackpot, place, seat, hand)
            if key is not None:
                hit.rank, hit.point = key.rank, key.point
    for seat in set(marked) - set(seats):
        marked[seat].state = "unmarked"
    if key is not None:
        key.state = "assigned"


def _marked(floor: Floor, place: Round, jackpot: str, hand: str) -> dict[int, Hit]:
    return {hit.seat: hit for hit in floor.at(place, "marked", jackpot=jackpot) if hit.code == hand and hit.seat}


def lit_keys(floor: Floor, place: Round, hand: str) -> list[Hit]:
    """Those without seats, and those whose seats stand marked."""
    standing = {(hit.jackpot, hit.rank) for hit in floor.at(place, "marked") if hit.code == hand and hit.seat}
    said = [hit for hit in floor.at(place, "assigned") if hit.code == hand and (hit.jackpot, hit.rank) in standing]
    return [*said, *floor.lit(place, hand)]
