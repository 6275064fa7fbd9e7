"""Acts of two people on a jackpot: what each may do in which state, why it may be asked for, and who is told."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from jackpot.books.rules import movement as money_of
from jackpot.books.rules.movement import Balances, Movement
from jackpot.money import Money
from jackpot.terms.rules.terms import Terms

DAYS_TO_TRANSFER: Final = 30
ACCOUNTS: Final = ("meter", "reserve")  # what an amount may be typed for
SOURCES: Final = ("meter", "house")  # what pays a difference


class Adjusting(enum.StrEnum):
    """What is asked for."""

    ADJUST = "adjust"
    TRANSFER = "transfer"
    SUSPEND = "suspend"
    RESUME = "resume"
    RETIRE = "retire"
    BACK_OUT = "back_out"
    DIFFERENCE = "difference"
    UNDERPAYMENT = "underpayment"


NAMES: Final[Mapping[Adjusting, str]] = {
    Adjusting.ADJUST: "Adjustment",
    Adjusting.TRANSFER: "Transfer",
    Adjusting.SUSPEND: "Suspension",
    Adjusting.RESUME: "Resumption",
    Adjusting.RETIRE: "Retirement",
    Adjusting.BACK_OUT: "Back-out",
    Adjusting.DIFFERENCE: "Difference",
    Adjusting.UNDERPAYMENT: "Underpayment",
}

GROUNDS: Final[Mapping[str, str]] = {
    "malfunction": "malfunction",
    "misdeal": "misdeal or wrong hand",
    "reading": "reading or counting error",
    "limit": "limit",
    "removal": "removal",
    "seed_recovery": "seed recovery",
    "maintenance": "maintenance",
    "end_of_game": "end of the game",
    "order": "order of the regulator",
    "backed_out": "an earlier award was backed out",
    "sign": "reading of a sign",
    "recount": "chips counted again",
    "claim": "claim of the player",
    "other": "other",
}
GROUNDS_OF: Final[Mapping[Adjusting, tuple[str, ...]]] = {
    Adjusting.ADJUST: ("malfunction", "reading", "limit", "removal", "seed_recovery", "order", "other"),
    Adjusting.TRANSFER: ("removal", "end_of_game", "limit", "order", "other"),
    Adjusting.SUSPEND: ("malfunction", "maintenance", "reading", "order", "other"),
    Adjusting.RESUME: ("malfunction", "maintenance", "reading", "order", "other"),
    Adjusting.RETIRE: ("end_of_game", "removal", "order", "other"),
    Adjusting.BACK_OUT: ("misdeal", "malfunction", "reading", "order", "other"),
    Adjusting.DIFFERENCE: ("backed_out", "order", "other"),
    Adjusting.UNDERPAYMENT: ("sign", "recount", "claim", "malfunction", "order", "other"),
}

MAKES_UP: Final = (Adjusting.DIFFERENCE, Adjusting.UNDERPAYMENT)  # a winner gets the rest by a page of its own
# From which state of its jackpot an act leads to which; what is not listed is refused.
STATES: Final[Mapping[tuple[str, Adjusting], str]] = {
    ("open", Adjusting.SUSPEND): "suspended",
    ("suspended", Adjusting.RESUME): "open",
    ("open", Adjusting.RETIRE): "retired",
    ("suspended", Adjusting.RETIRE): "retired",
    # Retired as well: its money has thirty days to go elsewhere, and a win of it may still be backed out.
    **{
        (state, act): state
        for state in ("open", "suspended", "retired")
        for act in (Adjusting.ADJUST, Adjusting.TRANSFER, Adjusting.BACK_OUT, *MAKES_UP)
    },
}
# Suspending and resuming move no money, so no frozen amount can change under a hit.
WAITS_FOR_HITS: Final = frozenset({Adjusting.ADJUST, Adjusting.TRANSFER, Adjusting.RETIRE, Adjusting.BACK_OUT})
NOTICES: Final[Mapping[Adjusting, str]] = {
    Adjusting.ADJUST: "Send the adjustment with its evidence to the regulator, where the rules ask for it.",
    Adjusting.TRANSFER: "Tell the regulator of the transfer, and put the notice up at the tables of both jackpots.",
    Adjusting.SUSPEND: "Tell the shift and put the notice up at the tables.",
    Adjusting.DIFFERENCE: "Tell the winner what was decided of the difference, and keep the answer with the record.",
    Adjusting.UNDERPAYMENT: "Tell the winner of the slip that waits, and the regulator, where the rules ask for it.",
    Adjusting.RETIRE: "Tell the regulator of the retirement and of the day until which the money has another home.",
    Adjusting.BACK_OUT: "Call the winner's page back and send the evidence to surveillance.",
}


def jackpot_state_after(state: str, act: Adjusting) -> str | None:
    """The state an act leads a jackpot to, or None where it is refused."""
    return STATES.get((state, act))


def waits_for_hits(act: Adjusting, account: str, pays: bool) -> bool:
    """While a hit is open its amount is frozen: what moves the meter waits, a difference from the house does not."""
    return act in WAITS_FOR_HITS or (act in MAKES_UP and pays and account == "meter")


def transfer_by(day: date) -> date:
    """Until when the money of a jackpot that is retired on this day has another home."""
    return day + timedelta(days=DAYS_TO_TRANSFER)


def sent(amount: int | None, before: Balances) -> Movement:
    """A transfer: this much of the meter, or, where no amount is named, meter, reserve and overflow as they stand."""
    if amount is not None:
        return money_of.transfer_out(amount, 0, 0)
    return money_of.transfer_out(before.meter, before.reserve, before.overflow)


def sent_less_seed(before: Balances, seed: Money) -> Movement:
    """What players put in: the meter above its seed, reserve and overflow. The seed is the house's, and stays."""
    # A meter that awards left below its seed holds nothing of the players', so none of it is sent.
    return money_of.transfer_out(max(before.meter - seed.units, 0), before.reserve, before.overflow)


def recoverable(before: Balances, terms: Terms) -> int:
    """How much of its seed the house may take back: no more than a seed, nor than the house still has in here."""
    # The house's account is below zero by what it has put in here and not got back.
    return max(min(terms.seed.units, -before.house, before.meter), 0)


def same_odds(one: Terms, other: Terms) -> str | None:
    """Why two jackpots do not pay the same odds for the same wager, or None."""
    if one.wager != other.wager or one.digits != other.digits:
        return f"one takes a wager of {one.wager}, the other of {other.wager}"
    # The lines alone: tables of other names may pay the same.
    if one.pay_table.plain()["lines"] != other.pay_table.plain()["lines"]:
        return "their pay tables differ"
    return None
