"""Every act that a door takes, as the rule book answers it: what comes of it, or why it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.oracle.counting import coin_in, kept_back, recount, void
from tests.oracle.floor import APPROVED, EXECUTIVE, OPEN, SUPERVISOR, YES, Act, Expected, Floor, Hit, no
from tests.oracle.ledger import Round
from tests.oracle.lit_keys import light, say_seats
from tests.oracle.made_up import rests_on, underpaid
from tests.oracle.sheet import Sheet, cut, units

LEVELS = {"super": 2, "exec1": 3, "exec2": 3, "exec3": 3}
KEYS = {"17": ("keeper", 2), "18": ("chief", 3)}
SEATS = 7


def expected(floor: Floor, act: Act) -> Expected | None:
    """None: this act names something that is not there; nobody says it."""
    if "back" in act and act["do"] != "coin_in":
        place = place_of(floor, act)
        if place is None:
            return None
        kept = floor.rounds[place].kept
        if kept in ("waiting", "refused") and act["do"] != "end":  # nothing is won or taken back on it
            return no()
        return AT_A_ROUND[act["do"]](floor, place, act)
    if "which" in act:
        win = win_of(floor, act)
        return None if win is None else OF_A_WIN[act["do"]](floor, win, act)
    return OTHERS[act["do"]](floor, act)


def place_of(floor: Floor, act: Act) -> Round | None:
    place = (act["table"], floor.tables[act["table"]].last - act["back"])
    return place if place in floor.rounds else None


def win_of(floor: Floor, act: Act) -> Hit | None:
    wins = floor.wins()
    return wins[-1 - act["which"] % len(wins)] if wins else None


def _end(floor: Floor, place: Round, act: Act) -> Expected:
    if floor.rounds[place].state != "open":
        return YES
    if floor.tables[place[0]].key:
        return no("key_at_jph")
    if floor.at(place, *OPEN):
        return no("hits_open")
    floor.rounds[place].state = "ended"
    return YES


def _mark(floor: Floor, place: Round, act: Act) -> Expected:
    played, seat, hand = floor.rounds[place], act["seat"], act["hand"]
    if played.state != "open":
        return no("round_over")
    if floor.tables[place[0]].key:
        return no("key_at_jph")
    if floor.at(place, "asked", "logged"):
        return no("asked")
    if not seat:
        return light(floor, place, hand)
    if seat not in played.everybody:
        return no("no_coin_in")
    if [hit for hit in floor.at(place, "marked") if (hit.seat, hit.code) == (seat, hand)]:
        return YES
    return _marked(floor, place, seat, hand)


def _marked(floor: Floor, place: Round, seat: int, hand: str) -> Expected:
    paying = [jackpot for jackpot in floor.paying(place, hand) if seat in floor.on(place, jackpot)]
    if not paying:
        return no("no_coin_in" if floor.paying(place, hand) else "no_hand")
    if any(floor.awarded(jackpot, place, seat) for jackpot in paying):
        return no("awarded")
    for jackpot in paying:
        floor.new_hit(jackpot, place, seat, hand)
    return YES


def _unmark(floor: Floor, place: Round, act: Act) -> Expected:
    if floor.tables[place[0]].key:
        return no("key_at_jph")
    if not act["seat"]:  # off, with whatever seats it had
        for hit in floor.at(place, "marked"):
            hit.state = "unmarked" if hit.code == act["hand"] else hit.state
        return YES
    found = [hit for hit in floor.at(place, "marked", "asked") if (hit.seat, hit.code) == (act["seat"], act["hand"])]
    if any(hit.state == "asked" for hit in found):
        return no("not_now")
    for hit in found:
        hit.state = "unmarked"
    return YES


def _confirm(floor: Floor, place: Round, act: Act) -> Expected:
    if not floor.at(place, "asked"):
        if not floor.at(place, "marked"):
            return no()
        if floor.lit(place):
            return no("seats_missing")
        floor.ask(place)
    return YES


def _reject(floor: Floor, place: Round, act: Act) -> Expected:
    if any(hit.claimed for hit in floor.at(place, *OPEN)) and not act.get("two"):
        return no("two_people")
    asked = floor.at(place, "asked")
    for hit in asked:
        hit.state = "rejected"
    return YES if asked else no()


def _card(floor: Floor, place: Round, act: Act) -> Expected:
    """Without its PIN a card shows nobody to be there, but a supervisor's that a box has read, as the first of words.

    And whoever gives no PIN is told the same whatever the card lacks.
    """
    moves, level = floor.rounds[place].state != "open" or not floor.tables[place[0]].key, LEVELS[act["person"]]
    if not act.get("bare"):
        return floor.approve(place, act["person"], level, moves=moves)
    if act.get("at") == "desk" or level >= EXECUTIVE:
        return no("pin_needed" if floor.at(place, "asked") else "")  # the desk names a hit, and finds none
    others = any(hit.words - {act["person"]} for hit in floor.at(place, "asked"))
    answer = floor.approve(place, act["person"], level, moves=moves, shown=not others)
    return no("pin_needed") if answer.code == "level" else answer


def _park(floor: Floor, place: Round, act: Act) -> Expected:
    played = floor.rounds[place]
    if LEVELS[act["person"]] < EXECUTIVE:
        return no("level")
    if played.state != "open":
        return YES if played.parked else no("round_over")
    if floor.tables[place[0]].key:
        return no("key_at_jph")
    if not floor.at(place, *OPEN):
        return no("no_hit")
    if floor.lit(place):
        return no("seats_missing")
    floor.ask(place)
    for hit in floor.at(place, *OPEN):
        hit.front = 0  # a hit that is parked holds nobody up
    played.state, played.parked = "ended", True
    return YES


def _claim(floor: Floor, place: Round, act: Act) -> Expected:
    played = floor.rounds[place]
    if played.state != "ended":
        return no("round_open" if played.state == "open" else "round_void")
    if act["seat"] not in played.everybody:
        return no("no_coin_in")
    if floor.at(place, *OPEN):
        return no("hits_open")
    paying = [jackpot for jackpot in floor.paying(place, act["hand"]) if act["seat"] in floor.on(place, jackpot)]
    if paying and all(floor.ledgers[jackpot].state == "retired" for jackpot in paying):
        return no("retired")
    answer = _marked(floor, place, act["seat"], act["hand"])
    for hit in floor.at(place, "marked"):
        hit.claimed = True
    floor.ask(place)
    return answer


def _pass(floor: Floor, place: Round, act: Act) -> Expected | None:
    """Where a part of the round waits, it takes the front place from now on."""
    if not floor.at(place, "asked"):
        return None  # the door names a hit that is asked for
    way = floor.in_the_way(place)
    asked = [hit for hit in floor.at(place, "asked") if hit.part and hit.jackpot in way]
    if not asked:
        return no("no_queue")
    if "logged" in way.values():
        return no("queue")
    floor.overrides += 1
    for hit in asked:
        hit.front = floor.overrides
    return YES


def _rejoin(floor: Floor, place: Round, act: Act) -> Expected | None:
    """The two take their word back; the marks rank again."""
    if not floor.at(place, "asked"):
        return None
    fronts = [hit for hit in floor.at(place, *OPEN) if hit.front]
    for hit in fronts:
        hit.front = 0
    return YES if fronts else no("not_passed")


def _key(floor: Floor, act: Act) -> Expected:
    table, place = floor.tables[act["table"]], floor.open_round(act["table"])
    if table.key and table.key != act["key"]:
        return no("wrong_key")
    if act["position"] == "JPH":
        table.key = act["key"]
        if place is not None and floor.lit(place):
            return Expected(True, missing=True)
        if place is not None and not floor.at(place, "asked"):
            floor.ask(place)
        return YES
    table.key = ""
    if place is None:
        return YES
    moved = floor.move(place)
    for hit in floor.at(place, "asked") if not moved else ():
        hit.state, hit.words = "marked", frozenset()  # what is marked again may change: nobody has said yes to it
    return Expected(True, pages=moved)


def _j_pot(floor: Floor, act: Act) -> Expected:
    table, place = floor.tables[act["table"]], floor.open_round(act["table"])
    if not table.key:
        return no("key_at_run")
    if place is not None and floor.lit(place):
        return no("seats_missing")
    if place is None or not floor.at(place, "asked", "logged"):
        return no("no_hit")
    if floor.at(place, "logged"):
        return YES
    person, level = KEYS[table.key]
    need, people = floor.needed(place)
    if need > SUPERVISOR or level < need or people > 1:
        return no("queue") if floor.in_the_way(place) else Expected(True, missing=True)
    return floor.approve(place, person, level, moves=False)


def _pay(floor: Floor, win: Hit, act: Act) -> Expected:
    if win.state != "owed":
        return no("paid" if win.state == "paid" else "not_payable")
    assert win.payment is not None
    floor.ledgers[win.jackpot].pay(win.payment.amount)
    win.state = "paid"
    return YES


def _back_out(floor: Floor, win: Hit, act: Act) -> Expected:
    if win.state not in APPROVED:
        return no("not_logged")
    if rests_on(floor, win):
        return no("made_up")
    if floor.open_on(win.jackpot, but=win):
        return no()
    assert win.payment is not None
    if win.state != "logged":
        floor.ledgers[win.jackpot].back_out(win.payment, win.number, paid=win.state == "paid")
    win.state = "backed_out"
    return YES


def _adjust(floor: Floor, act: Act) -> Expected:
    if floor.open_on(act["jackpot"]):
        return no("hits_open")
    return YES if floor.ledgers[act["jackpot"]].adjust(act["account"], units(act["amount"])) else no("below_zero")


def _transfer(floor: Floor, act: Act) -> Expected:
    one, other = floor.ledgers[act["jackpot"]], floor.ledgers[act["other"]]
    if floor.open_on(one.code, other.code):
        return no("hits_open")
    if other.state == "retired":
        return no("state")
    return YES if one.transfer(other, units(act["amount"]) if act["amount"] else None) else no()


def _state(floor: Floor, act: Act) -> Expected:
    ledger, wanted = floor.ledgers[act["jackpot"]], {"suspend": "open", "resume": "suspended"}[act["do"]]
    if ledger.state != wanted:
        return no("state")
    ledger.state = "suspended" if act["do"] == "suspend" else "open"
    return YES


def _retire(floor: Floor, act: Act) -> Expected:
    ledger = floor.ledgers[act["jackpot"]]
    feeding = [name for name, table in floor.tables.items() if ledger.code in table.all_feeds]
    if any(floor.open_round(name) for name in feeding):
        return no("round_open")
    if ledger.state == "retired":
        return no("state")
    if floor.open_on(ledger.code):
        return no("hits_open")
    ledger.state = "retired"
    return YES


def _terms(floor: Floor, act: Act) -> Expected | None:
    """Other terms, signed by two, that wait for the next reset."""
    from dataclasses import replace
    from fractions import Fraction

    ledger = floor.ledgers[act["jackpot"]]
    if ledger.waits is not None or ledger.state == "retired":
        return None
    changes: dict[str, Any] = {"seed": units(act["seed"]), "rate": Fraction(act["rate"]) / 100}
    changes["rounding"] = act.get("rounding", ledger.sheet.rounding)
    wanted: Sheet = replace(ledger.sheet, **changes)
    if wanted == ledger.sheet:
        return None
    ledger.waits = wanted
    return YES


def reading(floor: Floor, jackpot: str) -> int:
    """What the sign of a jackpot shows when no hit is asked for."""
    return cut(floor.ledgers[jackpot].meter)


AT_A_ROUND: dict[str, Callable[[Floor, Round, Act], Expected | None]] = {
    "end": _end, "mark": _mark, "unmark": _unmark, "confirm": _confirm, "reject": _reject, "card": _card,
    "void": void, "recount": recount, "park": _park, "claim": _claim, "pass": _pass,
    "rejoin": _rejoin, "seats": say_seats,
}  # fmt: skip
OF_A_WIN: dict[str, Callable[[Floor, Hit, Act], Expected]] = {
    "pay": _pay, "back_out": _back_out, "underpaid": underpaid,
}  # fmt: skip
OTHERS: dict[str, Callable[[Floor, Act], Expected | None]] = {
    "coin_in": coin_in, "key": _key, "j_pot": _j_pot, "adjust": _adjust, "transfer": _transfer, "suspend": _state,
    "resume": _state, "retire": _retire, "terms": _terms, "accept": kept_back, "refuse": kept_back,
}  # fmt: skip
