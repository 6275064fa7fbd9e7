"""The practice table as it lies at this moment: who has bet, which cards are dealt, and which of them are open."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from jackpot.money import UNIT
from tables.games.cards import PlayingCard
from tables.games.limits import dollars
from tables.games.procedure import DueStep, ProcedureStep
from tables.games.uth.procedure import procedures
from tables.games.uth.settle import SeatPlay
from tables.games.uth.training import CHIP
from tables.training.pages.training_round import BANKERS_SEAT, HOUSE, METER, Practice

TABLE_SEATS: Final = 7
CHOICES: Final = 5
BACK: Final = ""
Shown = list[PlayingCard | str]
OPENED: Final = frozenset({"settle_seat", "settle_folded", "expose_seat", "work_area"})
RACKED: Final = frozenset({"rack_cards", "rack_folded", "rack_winner"})


@dataclass(frozen=True, slots=True)
class FeltSeat:
    """One place at the table; `cards` are open, or backs."""

    number: int
    taken: bool
    banks: bool
    cards: Shown
    chips: list[tuple[str, str]]
    word: str
    state: str


@dataclass(frozen=True, slots=True)
class OfferedStep:
    """One step to choose from."""

    key: str
    who: str
    text: str
    say: str


def felt_seats(practice: Practice) -> list[FeltSeat]:
    """Every seat, as the dealer sees them: seat 1 at the dealer's left."""
    by_number = {seat.seat: seat for seat in practice.played.seats}
    done = _done(practice)
    return [_seat(number, by_number.get(number), practice, done) for number in range(1, TABLE_SEATS + 1)]


def board(practice: Practice) -> Shown:
    done, cards = _done(practice), practice.played.board
    if ("turn_and_river", None) in done:
        return list(cards)
    lies = ("spread_board", None) in done or ("board_down", None) in done
    if ("flop", None) in done:
        return [*cards[:3], *([BACK, BACK] if lies else [])]
    return [BACK] * 5 if lies else []


def bank_cards(practice: Practice) -> Shown:
    done = _done(practice)
    if ("show_bank", None) in done:
        return list(practice.played.dealer)
    if ("bank_cards", None) in done:
        return [BACK, BACK]
    return [BACK] if ("bank_first", None) in done else []


def choices(practice: Practice) -> list[OfferedStep]:
    """The due step among others of the book: what comes soon, what is done, what belongs to another procedure."""
    due = practice.due
    if due is None:
        return []
    # Out of the round and its step: looking again must not shuffle the choices, nor show which of them stays.
    dice = random.Random(f"{practice.seed}/{practice.walk.done}")
    others: dict[str, ProcedureStep] = {}
    for step in (*_same_turn(practice, due), *_near(practice), *procedures().steps):
        others.setdefault(step.key, step)  # of steps with one key the one of this table stands for all
    ahead = [step for step in others.values() if step.key != due.step.key and not _says_the_same(step, due, practice)]
    picked = [due.step, *ahead[: CHOICES - 2], *dice.sample(ahead[CHOICES - 2 :], 1)]
    dice.shuffle(picked)
    return [_choice(step) for step in picked]


def settle_form(practice: Practice) -> list[tuple[str, str, str]]:
    """The wagers of the seat that are settled now: name, words and stake."""
    if practice.settling is None:
        return []
    asked = {move.wager for move in practice.due_moves}
    decisions = [one for one in practice.seat_result(practice.settling).decisions if one.wager in asked]
    return [(one.wager, one.wager.replace("_", " "), dollars(one.stake)) for one in decisions]


def meter(practice: Practice) -> str:
    """What the sign above the table says; nothing where no jackpot hangs on it."""
    return dollars(Fraction(METER.units, UNIT)) if any(CHIP in seat.wagers for seat in practice.played.seats) else ""


def monitor(practice: Practice) -> list[tuple[int, str]]:
    """The prizes to pay, seat by seat in the order of paying, once the win page has been read."""
    if ("win_page", None) not in _done(practice):
        return []
    prizes = [moves for due, moves in zip(practice.begun.dues, practice.moves, strict=True) if CHIP in due.step.settles]
    return [(move.seat, dollars(move.amount)) for moves in prizes for move in moves]


def _same_turn(practice: Practice, due: DueStep) -> list[ProcedureStep]:
    """What else a dealer may do at a seat, the like of the due step first: what is offered must not betray it."""
    here = procedures().steps_of(practice.shuffler, practice.bank, practice.profile)
    mates = [step for step in here if step.turn and step.turn == due.step.turn]
    return sorted(mates, key=lambda step: step.judged != due.step.judged)


def _says_the_same(step: ProcedureStep, due: DueStep, practice: Practice) -> bool:
    """A step of another bank's procedure for the same turn would be right in its own words; nobody is tricked by it."""
    at_home = step.belongs(practice.shuffler, practice.bank, practice.profile)
    return bool(step.turn) and step.turn == due.step.turn and not at_home


def _near(practice: Practice) -> Sequence[ProcedureStep]:
    """The steps around the due one, the next first."""
    walk = practice.walk
    return [due.step for due in (*walk.dues[walk.done :], *reversed(walk.dues[: walk.done]))]


def _choice(step: ProcedureStep) -> OfferedStep:
    return OfferedStep(step.key, step.who, step.text, step.say)


def _done(practice: Practice) -> set[tuple[str, int | None]]:
    return {(due.step.key, due.seat) for due in practice.walk.dues[: practice.walk.done]}


def _seat(number: int, play: SeatPlay | None, practice: Practice, done: set[Any]) -> FeltSeat:
    banks = practice.bank != HOUSE and number == BANKERS_SEAT
    if play is None:
        word = f"banks {dollars(practice.wish.asked.bank_wager)}" if banks else "empty"
        return FeltSeat(number, False, banks, [], [], word, "bank" if banks else "empty")
    acts = {key for key, seat in done if seat == number}
    folded = bool({"tuck_folded", "keep_folded", "rack_folded"} & acts)
    racked = bool(RACKED & acts)
    opened = bool(OPENED & acts) or practice.settling == number
    cards: Shown = [] if racked else list(play.cards) if opened else [BACK] * _dealt(number, done)
    lives = {"tuck_folded", "keep_folded"} & acts
    word = "hit" if "mark_hit" in acts else "folded, bets live" if lives else _word(number, play, done)
    state = "settled" if racked and not folded else "folded" if folded else "in"
    chips = _chips(number, play, practice, done)
    return FeltSeat(number, True, False, cards, chips, "settled" if racked else word, state)


def _dealt(number: int, done: set[Any]) -> int:
    if ("deal_two", number) in done or ("deal_second", number) in done:
        return 2
    return 1 if ("deal_first", number) in done else 0


def _chips(number: int, play: SeatPlay, practice: Practice, done: set[Any]) -> list[tuple[str, str]]:
    """What still lies before the seat: bet, and not settled by any step so far."""
    gone = {move.wager for moves in practice.moves[: practice.walk.done] for move in moves if move.seat == number}
    lies = {name: amount for name, amount in play.wagers.items() if ("bets", number) in done and name != CHIP}
    if ("progressive_chips", None) in done and CHIP in play.wagers:
        lies[CHIP] = play.wagers[CHIP]
    multiple = _multiple(number, play, done)
    if multiple:
        lies["play"] = play.wagers["ante"] * multiple
    return [(name.replace("_", " "), dollars(amount)) for name, amount in lies.items() if name not in gone]


def _multiple(number: int, play: SeatPlay, done: set[Any]) -> int:
    for step, actions in (("first_decision", "43"), ("second_decision", "2"), ("third_decision", "1")):
        if (step, number) in done and play.action[0] in actions:
            return int(play.action[0])
    return 0


def _word(number: int, play: SeatPlay, done: set[Any]) -> str:
    multiple = _multiple(number, play, done)
    if multiple:
        return f"plays {multiple}×"
    if ("third_decision", number) in done:
        return "folds"
    checked = ("first_decision", number) in done or ("second_decision", number) in done
    return "checks" if checked else ""
