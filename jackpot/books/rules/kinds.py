"""What every kind of entry must have moved, given the books before it."""

from __future__ import annotations

from typing import Final, assert_never

from jackpot.books.rules import movement
from jackpot.books.rules.advance import chips
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import ACCOUNTS, NOTHING, Balances, Movement
from jackpot.money import Money, text_of_units
from jackpot.terms.rules.terms import Terms

FIRST: Final = frozenset({EntryKind.OPENING, EntryKind.TAKE_OVER})
CORRECTING: Final = frozenset({EntryKind.VOID, EntryKind.RECOUNT, EntryKind.BACK_OUT})
TRANSFERS: Final = frozenset({EntryKind.TRANSFER_OUT, EntryKind.TRANSFER_IN})
STATES: Final = frozenset({EntryKind.SUSPEND, EntryKind.RESUME, EntryKind.RETIRE})
ORDERING: Final = frozenset(
    {
        EntryKind.MARK, EntryKind.UNMARK, EntryKind.ASSIGN, EntryKind.ASK, EntryKind.RELEASE, EntryKind.OUTRANK,
        EntryKind.REJECT, EntryKind.FALL, EntryKind.CLAIM, EntryKind.PARK, EntryKind.PASS_QUEUE, EntryKind.REJOIN,
        EntryKind.OVERRIDE, EntryKind.LOG,
    }
)  # fmt: skip
# What may name other terms than the entry before.
CHANGES_TERMS: Final = frozenset({EntryKind.AWARD, EntryKind.BACK_OUT, EntryKind.CONFIGURE})


def corrects_nothing(kind: str, about_a_win: bool, names_an_entry: bool) -> bool:
    """A mark that falls with its round, and a win backed out before its meter moved, undo no entry."""
    return about_a_win and not names_an_entry and kind in (EntryKind.VOID, EntryKind.BACK_OUT)


def due(kind: EntryKind, found: Movement, before: Balances, terms: Terms, original: Movement | None) -> Movement | None:
    """The movement the rule demands; None where the rule cannot say, because what it corrects is not there.

    An advance and its repayment follow from the entry before them: `Advances.due` says what they must be.
    """
    match kind:
        case EntryKind.COIN_IN:
            return movement.coin_in(chips(found, terms), terms, before.meter)
        case EntryKind.OPENING | EntryKind.TAKE_OVER:
            return movement.opening(terms.seed) if kind is EntryKind.OPENING else _take_over(found)
        case EntryKind.AWARD:
            return _award(found)
        case EntryKind.PAY | EntryKind.RECEIPT:
            return _paid(found) if kind is EntryKind.PAY else _came_back(found, before)
        case EntryKind.ADJUST:
            return _adjust(found, before, terms)
        case EntryKind.DIFFERENCE:
            return _difference(found, before, terms)
        case EntryKind.TRANSFER_OUT | EntryKind.TRANSFER_IN:
            return _possible(_sent(found), before) if kind is EntryKind.TRANSFER_OUT else _taken(found, before, terms)
        case EntryKind.VOID | EntryKind.RECOUNT | EntryKind.BACK_OUT | EntryKind.ADVANCE | EntryKind.REPAY:
            return None if original is None else movement.contra(original, before, terms)
        case (
            EntryKind.MARK | EntryKind.UNMARK | EntryKind.ASSIGN | EntryKind.ASK | EntryKind.RELEASE
            | EntryKind.OUTRANK | EntryKind.REJECT | EntryKind.FALL | EntryKind.CLAIM | EntryKind.PARK
            | EntryKind.PASS_QUEUE | EntryKind.REJOIN | EntryKind.OVERRIDE | EntryKind.LOG | EntryKind.SUSPEND
            | EntryKind.RESUME | EntryKind.RETIRE | EntryKind.CONFIGURE
        ):  # fmt: skip
            return NOTHING
        case _:
            assert_never(kind)


def undone(award: Movement, paid: bool) -> Movement:
    """What a back-out turns round: a sum already paid stays paid, and falls to the house."""
    return award.with_also(Movement(winners=-award.winners, house=award.winners)) if paid else award


def _take_over(found: Movement) -> Movement:
    """Its figures are the old system's; only its form can be checked: amounts in, advanced by house and outside."""
    meter, reserve, overflow = (Money(max(units, 0)) for units in (found.meter, found.reserve, found.overflow))
    return movement.take_over(meter, reserve, overflow, Money(max(-found.house, 0)))


def _award(found: Movement) -> Movement:
    """Somebody is owed something, out of meter, reserve, overflow and house alone."""
    winners, drawn = max(found.winners, 0), found.meter + found.reserve + found.overflow
    return Movement(0, found.meter, found.reserve, found.overflow, -winners - drawn, winners)


def _paid(found: Movement) -> Movement:
    return Movement(winners=-max(found.paid, 0), paid=max(found.paid, 0))


def _came_back(found: Movement, before: Balances) -> Movement:
    """Never more than was paid at all; that it is of a payment in error, its record says."""
    return movement.receipt(Money(min(max(-found.paid, 0), max(before.paid, 0))))


def _adjust(found: Movement, before: Balances, terms: Terms) -> Movement:
    """One account against the house, by an amount that two people signed; the limit cuts a raise of the meter."""
    # What the limit cut of a raise lies in the overflow, and was asked for all the same.
    by, account = (found.reserve, "reserve") if found.reserve else (found.meter + found.overflow, "meter")
    return _possible(movement.adjust(by, account, before, terms), before)


def _difference(found: Movement, before: Balances, terms: Terms) -> Movement:
    """A winner is owed something more out of one source; where two people only noted it, nothing moves."""
    source = "meter" if found.meter or found.reserve else "house"
    return movement.difference(Money(max(found.winners, 0)), source, before, terms)


def _sent(found: Movement) -> Movement:
    return movement.transfer_out(max(-found.meter, 0), max(-found.reserve, 0), max(-found.overflow, 0))


def _taken(found: Movement, before: Balances, terms: Terms) -> Movement:
    """Of what came, only the limit decides what the meter takes; by switch the rest is the house's."""
    meter, reserve, overflow, house = (
        max(units, 0) for units in (found.meter, found.reserve, found.overflow, found.house)
    )
    came = Movement(0, meter, reserve, overflow, house, outside=-(meter + reserve + overflow + house))
    return movement.cut_at_limit(came, before.meter, terms)


def _possible(moved: Movement, before: Balances) -> Movement:
    # What would leave an account below zero was never due: then the proof names all that was moved.
    return moved if movement.lacking(before.after(moved)) is None else NOTHING


def spoken_movement(moved: Movement) -> str:
    """A movement as an accountant reads it: the accounts it touches."""
    touched = (
        f"{account} {'+' if units > 0 else ''}{text_of_units(units)}"
        for account, units in zip(ACCOUNTS, moved.columns(), strict=True)
        if units
    )
    return ", ".join(touched) or "nothing"
