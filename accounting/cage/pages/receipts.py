"""Money that was paid in error comes back at the window: what is still out, and each receipt once."""

from __future__ import annotations

from typing import Any, Final

from babel.numbers import get_currency_precision
from django.http import HttpRequest

from accounting.paper.printing.facts import METHODS
from accounting.register import queries
from jackpot.money import Money, NotAnAmount, units_of
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.reading import read_amount, read_whole
from jackpot.refusals import NotFound, NotUnderstood
from jackpot.web.pages.posting import posts, word
from jackpot.web.templatetags.figures import money
from jackpot.wins.actions.receive import NOTHING_CAME, receive_back
from jackpot.wins.models import Payment, Win
from jackpot.wins.queries.paying import in_error, receipts_of
from jackpot.wins.rules.win_life import WinState

TAKES: Final = ("pay",)
OFFERED: Final = ("cash", "cheque")
MOST_RECEIPTS: Final = 10_000


def error_facts(win: Win, payment: Payment | None) -> dict[str, Any]:
    """Of a win that was paid and is backed out: what came back and what is out; else nothing of the kind."""
    # Only a payment whose win was backed out is one in error; before that the player holds what is the player's.
    if payment is None or win.state != WinState.BACKED_OUT:
        return {"error": None, "receipts": []}
    receipts = receipts_of(payment)
    error = in_error(payment, receipts)
    shown = [(each, METHODS.get(each.method, each.method), each.seal != each.seal_found()) for each in receipts]
    return {
        # The page names the number it means: a form that is sent twice takes one receipt, not two.
        "error": error, "receipts": shown, "next_receipt": len(receipts) + 1,
        "left": str(error.outstanding),
    }  # fmt: skip


@posts(*TAKES, back_to="cage-slip")
def cage_receive(request: HttpRequest, number: str) -> str:
    """Takes back what the window paid in error, all of it or a part."""
    person = request.user
    assert isinstance(person, Operator)
    win = queries.win_of_slip(person, int(number))
    if win is None or win.premises is None:
        raise NotFound(f"There is no slip {number} here. Compare the number with the page.", "no_slip")
    method, reference = word(request, "method", 20), word(request, "reference", 40)
    if method not in (*OFFERED, NOTHING_CAME):
        raise NotUnderstood("Choose how it came back: cash or cheque.", "method")
    if method == "cheque" and not reference:
        raise NotUnderstood("Write the number of the cheque.", "reference")
    try:
        amount = read_amount(word(request, "amount", 40), "amount that came back", digits=_digits(win.premises))
        which = read_whole(word(request, "receipt", 5), "number of the receipt", 1, MOST_RECEIPTS)
    except NotAnAmount as why:
        raise NotUnderstood(str(why), "amount") from None
    row = receive_back(
        slip=int(number), number=which, amount=amount, taker=person, premises=win.premises, method=method,
        # A number left in the field from before the method was changed belongs to no cheque.
        reference=reference if method == "cheque" else "", place=word(request, "place", 40),
    )  # fmt: skip
    came = money(Money(units_of(row.net)), win.premises)
    released = Money(units_of(row.withheld))
    # Everything had been withheld: no money comes over the window, and the receipt gives back the tax alone.
    if not row.net:
        return f"Receipt {row.number} for slip {number}: {money(released, win.premises)} withheld are not owed as tax."
    also = f" It was the last of it: {money(released, win.premises)} withheld are not owed as tax." if released else ""
    return f"Receipt {row.number} for slip {number}: {came} came back.{also}"


def _digits(house: Property) -> int:
    return get_currency_precision(house.currency)
