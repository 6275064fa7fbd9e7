"""What a controller may ask besides counting: each message becomes one call of one act."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from jackpot.actions.cards import whose_card
from jackpot.models import Card
from tables.actions import device as device_acts
from tables.actions import hit, key
from tables.actions.undo import recount_round, void_round
from tables.devices.messages import Message, NotAMessage
from tables.devices.speakers import Speaker

Fields = dict[str, Any]


def _dealer(*, speaker: Speaker, message: Message) -> Fields:
    comes = message.words.get("in", True)
    if not isinstance(comes, bool):
        raise NotAMessage("“in” must be true (badge in) or false (badge out).")
    return device_acts.change_dealer(
        table_code=speaker.table_code, badge=message.text("badge"), comes=comes, device_code=speaker.code
    )


def _mark(*, speaker: Speaker, message: Message) -> Fields:
    return hit.mark(**_marked(speaker, message), by=device_acts.who_deals(table_code=speaker.table_code))


def _unmark(*, speaker: Speaker, message: Message) -> Fields:
    return hit.unmark(**_marked(speaker, message), by=device_acts.who_deals(table_code=speaker.table_code))


def _marked(speaker: Speaker, message: Message) -> Fields:
    return {
        "table_code": speaker.table_code,
        "round_number": message.round(),
        "seat": message.seat(),
        "hand": message.text("hand", 40),
    }


def _confirm(*, speaker: Speaker, message: Message) -> Fields:
    by = device_acts.who_deals(table_code=speaker.table_code)
    return hit.confirm(table_code=speaker.table_code, round_number=message.round(), by=by)


def _reject(*, speaker: Speaker, message: Message) -> Fields:
    by = device_acts.who_deals(table_code=speaker.table_code)
    why = message.text("reason")
    return hit.reject(table_code=speaker.table_code, round_number=message.round(), by=by, why=why)


def _card(*, speaker: Speaker, message: Message) -> Fields:
    card, pin = message.text("card"), message.text("pin", 20)
    return hit.swipe(table_code=speaker.table_code, round_number=message.round(), card=card, pin=pin, at_table=True)


def _key(*, speaker: Speaker, message: Message) -> Fields:
    position = message.text("position", 3)
    if position not in {"JPH", "RUN"}:
        raise NotAMessage("“position” must be JPH or RUN.")
    return key.turn(table_code=speaker.table_code, key_number=message.text("key", 20), position=position)


def _j_pot(*, speaker: Speaker, message: Message) -> Fields:  # noqa: ARG001 - every act takes the message
    return key.j_pot(table_code=speaker.table_code)


def _void(*, speaker: Speaker, message: Message) -> Fields:
    round_number, reason = message.round(), message.text("reason")
    by = str(whose_card(swipe=message.text("card"), level=Card.Level.SUPERVISOR).operator)
    return void_round(table_code=speaker.table_code, round_number=round_number, reason=reason, by=by)


def _recount(*, speaker: Speaker, message: Message) -> Fields:
    asked: Fields = {"round_number": message.round(), "seats": message.seats(), "spots": message.spots()}
    by = str(whose_card(swipe=message.text("card"), level=Card.Level.SUPERVISOR).operator)
    return recount_round(table_code=speaker.table_code, by=by, **asked)


ACTS: Final[Mapping[str, Callable[..., Fields]]] = {
    "dealer": _dealer,
    "mark": _mark,
    "unmark": _unmark,
    "confirm": _confirm,
    "reject": _reject,
    "card": _card,
    "key": _key,
    "j_pot": _j_pot,
    "void": _void,
    "recount": _recount,
}
