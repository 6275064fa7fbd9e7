"""What a controller may ask besides counting: each message becomes one call of one act."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from jackpot.database.durable import certain
from jackpot.people.actions.presence import CardSource
from jackpot.people.models import Operator
from tables.gateway.actions import device as device_acts
from tables.gateway.actions.hearing import hear, heard_until_written
from tables.gateway.messages import Message, NotAMessage
from tables.gateway.speakers import Speaker
from tables.hits.actions import hit, key, lit_keys
from tables.hits.actions.park import park
from tables.hits.actions.taking_back import signers
from tables.hits.actions.undo import recount_round, void_round
from tables.player_dealer.actions.settling import tell_outcome
from tables.player_dealer.actions.telling import tell_action
from tables.player_dealer.rules.told import NotAnAction, read_action, read_outcome
from tables.rounds.actions.journal import hear_journal
from tables.rounds.rules.round import Credential

Fields = dict[str, Any]


def _source(speaker: Speaker) -> CardSource:
    """An enrolled box has a reader; at a dealer's console, which is a page, cards are typed."""
    if speaker.person is None:
        return CardSource(box=speaker.code)
    return CardSource(person=Operator.objects.filter(pk=speaker.person).first())


def _dealer(*, speaker: Speaker, message: Message) -> Fields:
    comes = message.words.get("in", True)
    if not isinstance(comes, bool):
        raise NotAMessage("“in” must be true (badge in) or false (badge out).")
    return device_acts.badge_in_or_out(
        table_code=speaker.table_code, badge=message.text("badge"), comes=comes, device_code=speaker.code,
        source=_source(speaker),
    )  # fmt: skip


def _action(*, speaker: Speaker, message: Message) -> Fields:
    try:
        told = read_action(message.round(), message.words.get("bank"), message.words.get("bets"))
    except NotAnAction as why:
        raise NotAMessage(str(why)) from None
    by = device_acts.who_deals(table_code=speaker.table_code, signed_in=speaker.person)
    return tell_action(
        table_code=speaker.table_code, told=told, by=by, device_id=speaker.id, below_version=speaker.below_version
    )


def _settle(*, speaker: Speaker, message: Message) -> Fields:
    try:
        told = read_outcome(message.round(), message.words.get("results"))
    except NotAnAction as why:
        raise NotAMessage(str(why)) from None
    by = device_acts.who_deals(table_code=speaker.table_code, signed_in=speaker.person)
    return tell_outcome(table_code=speaker.table_code, told=told, by=by, device_id=speaker.id)


def _mark(*, speaker: Speaker, message: Message) -> Fields:
    return _on_a_seat_or_lit(hit.mark, lit_keys.light, speaker, message)


def _unmark(*, speaker: Speaker, message: Message) -> Fields:
    return _on_a_seat_or_lit(hit.unmark, lit_keys.put_out, speaker, message)


def _on_a_seat_or_lit(
    on_a_seat: Callable[..., Fields], lit: Callable[..., Fields], speaker: Speaker, message: Message
) -> Fields:
    words: Fields = {"round_number": message.round(), "hand": message.text("hand", 40)}
    by = device_acts.who_deals(table_code=speaker.table_code, signed_in=speaker.person)
    if message.names_a_seat():
        return on_a_seat(table_code=speaker.table_code, seat=message.seat(), by=by, **words)
    return lit(table_code=speaker.table_code, by=by, **words)


def _confirm(*, speaker: Speaker, message: Message) -> Fields:
    by = device_acts.who_deals(table_code=speaker.table_code, signed_in=speaker.person)
    return hit.confirm(table_code=speaker.table_code, round_number=message.round(), by=by)


def _park(*, speaker: Speaker, message: Message) -> Fields:
    words = {"card": message.text("card"), "pin": message.text("pin", 20), "reason": message.text("reason")}
    return park(table_code=speaker.table_code, round_number=message.round(), **words, source=_source(speaker))


def _reject(*, speaker: Speaker, message: Message) -> Fields:
    by = device_acts.who_deals(table_code=speaker.table_code, signed_in=speaker.person)
    why = message.text("reason")
    return hit.reject(table_code=speaker.table_code, round_number=message.round(), by=by, why=why)


def _card(*, speaker: Speaker, message: Message) -> Fields:
    shown: Fields = {"card": message.text("card"), "pin": message.text("pin", 20), "source": _source(speaker)}
    return hit.swipe(table_code=speaker.table_code, round_number=message.round(), **shown, at_table=True)


def _key(*, speaker: Speaker, message: Message) -> Fields:
    position = message.text("position", 3)
    if position not in {"JPH", "RUN"}:
        raise NotAMessage("“position” must be JPH or RUN.")
    words: Fields = {"key_number": message.text("key", 20), "below_version": speaker.below_version}
    return key.turn(table_code=speaker.table_code, position=position, **words)


def _j_pot(*, speaker: Speaker, message: Message) -> Fields:
    return key.j_pot(table_code=speaker.table_code, pin=message.text("pin", 20), source=_source(speaker))


def _signed(speaker: Speaker, message: Message) -> Fields:
    """On whose word a round is taken back: cards with their PINs, or the key where the table has a switch for it."""
    first, second = (
        (message.text(f"{who}card"), message.text(f"{who}pin", 20)) for who in ("", "second_")
    )  # fmt: skip
    key_number, source = message.text("key", 20), _source(speaker)
    return signers(speaker.table_code, first=first, second=second, key=key_number, source=source)._asdict()


def _void(*, speaker: Speaker, message: Message) -> Fields:
    asked: Fields = {"round_number": message.round(), "reason": message.text("reason")}
    return void_round(table_code=speaker.table_code, **asked, **_signed(speaker, message))


def _recount(*, speaker: Speaker, message: Message) -> Fields:
    asked: Fields = {"round_number": message.round(), "seats": message.seats(), "spots": message.spots()}
    asked["further"] = message.further()
    return recount_round(table_code=speaker.table_code, **asked, **_signed(speaker, message))


def _journal(*, speaker: Speaker, message: Message) -> Fields:
    """An enrolled box only: a page that stands for one has no memory of its own."""
    if speaker.person is not None:
        raise NotAMessage("A console keeps no journal; the box of the table says what it knows.")
    told: Fields = {"last_round": message.counted("last_round", 0), "last_slip": message.counted("last_slip", 0)}
    rounds = message.kept_rounds()
    return hear_journal(table_code=speaker.table_code, device_id=speaker.id, **told, rounds=rounds)


ACTS: Final[Mapping[str, Callable[..., Fields]]] = {
    "dealer": _dealer,
    "action": _action,
    "settle": _settle,
    "mark": _mark,
    "unmark": _unmark,
    "confirm": _confirm,
    "park": _park,
    "reject": _reject,
    "card": _card,
    "key": _key,
    "j_pot": _j_pot,
    "void": _void,
    "recount": _recount,
    "journal": _journal,
}


def act_of_device(*, speaker: Speaker, message: Message, spoken: Credential) -> Fields:
    """Who speaks is heard now, with a number never used before; then the act, and an answer that is certain."""
    hear(device_id=speaker.id, table_code=speaker.table_code, spoken=spoken)
    with certain(), heard_until_written(device_id=speaker.id, table_code=speaker.table_code, spoken=spoken):
        return ACTS[message.do](speaker=speaker, message=message)
