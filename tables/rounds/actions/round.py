"""Coin-in and end: one batch, one transaction, answered only after its commit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db import DataError, IntegrityError, InterfaceError, OperationalError, connection

from jackpot.books.actions.post import Books, EntryReference, LockedJackpot, is_open, open_books
from jackpot.books.models.jackpot import JackpotState
from jackpot.database.durable import commit_doubted
from jackpot.database.raw import raw_cursor
from jackpot.money import text_of_units
from tables.rounds.actions import floor_facts
from tables.rounds.actions.floor_facts import Facts
from tables.rounds.actions.open_hits import spoken_hits
from tables.rounds.actions.round_rows import NewRound, end_rounds, write_rounds
from tables.rounds.rules.round import (
    CoinInRequest,
    EndRequest,
    Fresh,
    Refusal,
    Repeat,
    RoundRequest,
    can_end,
    end_answer,
    judge_coin_in,
    judge_end,
    request_digest,
)

RETRIED: Final = ("40P01", "40001")
TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """One verified message of one table's device."""

    table_code: str
    device_id: int
    sequence: int
    ask: RoundRequest


@dataclass(frozen=True, slots=True)
class PostedAnswer:
    """The answer to give, and whether it was given before."""

    answer: str
    repeat: bool


Outcome = PostedAnswer | Refusal


class OutcomeUnknown(Exception):
    """The database did not confirm; the device says it again and learns what happened."""


class LookAgain(Exception):
    """Something changed between two looks (links, a round just recounted); the batch starts again."""


def post_messages(batch: Sequence[DeviceRequest]) -> list[Outcome]:
    """Posts a batch, at most one message a table. A message that cannot be written harms none of its neighbours."""
    for _ in range(TRIES):
        try:
            outcomes = _post(batch)
        except LookAgain:
            continue
        except (IntegrityError, DataError) as problem:
            return _alone(batch, problem)
        except (OperationalError, InterfaceError) as problem:
            if getattr(problem.__cause__, "sqlstate", None) in RETRIED:
                continue
            connection.close()
            raise OutcomeUnknown(str(problem)) from problem
        if commit_doubted(connection):
            connection.close()
            raise OutcomeUnknown("The commit was cut short before the standby had it.")
        return outcomes
    raise OutcomeUnknown("The books were too busy. Say it again.")


def _alone(batch: Sequence[DeviceRequest], problem: Exception) -> list[Outcome]:
    if len(batch) == 1:
        why = (
            f"The books refused this message: {str(problem).splitlines()[0]}. Nothing was changed; tell the technician."
        )
        return [Refusal("not_posted", why)]
    return [outcome for said in batch for outcome in post_messages([said])]


def _post(batch: Sequence[DeviceRequest]) -> list[Outcome]:
    """Coin-ins under their jackpots' locks, ends by what the database finds open; one commit for both."""
    coin_ins = [(place, said) for place, said in enumerate(batch) if isinstance(said.ask, CoinInRequest)]
    ends = [(place, said) for place, said in enumerate(batch) if isinstance(said.ask, EndRequest)]
    with open_books(floor_facts.jackpots_of(said.table_code for _, said in coin_ins)) as books:
        decided = {**_coin_ins(books, coin_ins), **_ends(ends)}
        outcomes = [decided[place] for place in range(len(batch))]
        if _only_repeats(outcomes):
            _wait_for_the_standby()
        return outcomes


def _coin_ins(books: Books, coin_ins: Sequence[tuple[int, DeviceRequest]]) -> dict[int, Outcome]:
    if not coin_ins:
        return {}
    rounds: list[NewRound] = []
    facts = _look_up([said for _, said in coin_ins])
    decided = {place: _decide(books, said, known, rounds) for (place, said), known in zip(coin_ins, facts, strict=True)}
    if rounds:
        write_rounds(rounds)
    return decided


def _ends(ends: Sequence[tuple[int, DeviceRequest]]) -> dict[int, Outcome]:
    """Most ends find their round open; only the others need a look at why not."""
    if not ends:
        return {}
    ended = end_rounds([(said.table_code, said.ask.round, said.device_id, said.sequence) for _, said in ends])
    decided: dict[int, Outcome] = {
        place: PostedAnswer(end_answer(said.ask.round), repeat=False)
        for place, said in ends
        if said.table_code in ended
    }
    others = [(place, said) for place, said in ends if said.table_code not in ended]
    if others:
        facts = _look_up([said for _, said in others])
        decided.update({place: _not_ended(said, known) for (place, said), known in zip(others, facts, strict=True)})
    return decided


def _look_up(batch: Sequence[DeviceRequest]) -> list[Facts | None]:
    return floor_facts.look_up([(said.table_code, said.device_id, said.ask.round) for said in batch])


def _decide(books: Books, said: DeviceRequest, known: Facts | None, rounds: list[NewRound]) -> Outcome:
    assert isinstance(said.ask, CoinInRequest)
    if known is None:
        return _no_table(said)
    return _device_refused(said, known) or _coin_in(books, said, known, said.ask, rounds)


def _no_table(said: DeviceRequest) -> Refusal:
    return Refusal("no_table", f"There is no table {said.table_code} here. Ask the technician.")


def _device_refused(said: DeviceRequest, known: Facts) -> Refusal | None:
    if known.device_state != "active":
        return Refusal("blocked", f"This controller is blocked at {said.table_code}. A technician enrols it again.")
    if known.device_table != known.table_id:
        return Refusal("wrong_table", f"This controller is not enrolled at {said.table_code}.")
    return None


def _coin_in(books: Books, said: DeviceRequest, known: Facts, ask: CoinInRequest, rounds: list[NewRound]) -> Outcome:
    request = request_digest(said.table_code, ask.round, ask.seats)
    verdict = judge_coin_in(known.table, known.asked, ask, request)
    match verdict:
        case Repeat(answer):
            return PostedAnswer(answer, repeat=True)
        case Refusal():
            return verdict
        case Fresh():
            return _jackpots_refuse(books, known) or _count(books, said, known, ask, request, rounds)


def _jackpots_refuse(books: Books, known: Facts) -> Refusal | None:
    if not known.jackpots:
        return Refusal("no_jackpot", f"{known.table.code} feeds no jackpot. An operator links it first.")
    if not books.heads.keys() >= set(known.jackpots):
        floor_facts.forget_links()
        raise LookAgain
    for jackpot_id in known.jackpots:
        head = books.heads[jackpot_id]
        if not is_open(head):
            return _not_playing(head)
        if books.terms(jackpot_id).wager.units != known.wager:
            return Refusal(
                "wager", f"The chip at {known.table.code} is not the wager of {head.code}. Tell the operator."
            )
    return None


def _not_playing(head: LockedJackpot) -> Refusal:
    if head.state == JackpotState.RETIRED:
        return Refusal("retired", f"Jackpot {head.code} is retired. An operator links the table to another one.")
    return Refusal("suspended", f"Jackpot {head.code} is {head.state}. A supervisor says when it plays again.")


def _count(
    books: Books, said: DeviceRequest, known: Facts, ask: CoinInRequest, request: bytes, rounds: list[NewRound]
) -> PostedAnswer:
    key = f"{said.table_code}/{ask.round}/1"
    about = EntryReference(key=key, request=request, table_code=said.table_code, round_number=ask.round)
    posted = [books.coin_in(id_, len(ask.seats), about) for id_ in known.jackpots] if ask.seats else []
    answer = coin_in_answer(books, known, ask.round, ask.seats)
    head = books.heads[known.jackpots[0]]
    rounds.append(
        NewRound(
            table_id=known.table_id, number=ask.round, seats=ask.seats, wager=known.wager, spots=ask.spots,
            device_id=said.device_id, sequence=said.sequence, dealer_id=known.dealer_id,
            deck_colour=known.deck_colour(ask.round), entries=posted, opened_at=head.now,
            gaming_day=head.gaming_day, request=request, answer=answer,
        )
    )  # fmt: skip
    return PostedAnswer(answer, repeat=False)


def coin_in_answer(books: Books, known: Facts, round_number: int, seats: str) -> str:
    """What the controller hears and, word for word, what a repeat will hear."""
    meters = ",".join(
        f'"{books.heads[id_].code}":"{text_of_units(books.heads[id_].balances.meter)}"' for id_ in known.jackpots
    )
    total = text_of_units(known.wager * len(seats))
    return (
        f'{{"ok":true,"round":{round_number},"coin_in":{{"seats":[{",".join(seats)}],"total":"{total}"}},'
        f'"meters":{{{meters}}}}}'
    )


def _not_ended(said: DeviceRequest, known: Facts | None) -> Outcome:
    if known is None:
        return _no_table(said)
    refusal = _device_refused(said, known)
    if refusal is not None:
        return refusal
    assert isinstance(said.ask, EndRequest)
    if can_end(known.table, known.asked):
        raise LookAgain  # somebody held the round while we looked; a fresh look ends it or says why not
    hits = spoken_hits(said.table_code, said.ask.round) if known.asked is not None and known.asked.open_hits else ""
    verdict = judge_end(known.table, known.asked, said.ask, hits)
    return PostedAnswer(verdict.answer, repeat=True) if isinstance(verdict, Repeat) else verdict


def _only_repeats(outcomes: Sequence[Outcome]) -> bool:
    posted = [outcome for outcome in outcomes if isinstance(outcome, PostedAnswer)]
    return bool(posted) and all(outcome.repeat for outcome in posted)


def _wait_for_the_standby() -> None:
    """A repeat too is acknowledged only when the standby has it: a read-only commit would not wait."""
    with raw_cursor() as cursor:
        cursor.execute("SELECT pg_logical_emit_message(true, 'repeat', '')")
