"""The cage: type or scan a slip, see the win, pay it once. A second attempt hears when, where and by whom."""

from __future__ import annotations

from typing import Any, Final

from babel.numbers import get_currency_precision
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from accounting.cage.pages.receipts import error_facts
from accounting.cage.pages.wins import state_sentence, state_words
from accounting.paper.printing.facts import METHODS
from accounting.paper.printing.seals import genuine
from accounting.paper.printing.tax import NO_RULE, rule_words
from accounting.register import queries
from accounting.register.rules.slips import NotASlip, read_slip
from jackpot.payees.actions import pay_slip
from jackpot.payees.rules import LONGEST_ADDRESS, LONGEST_NAME, NUMBER_WORDS, form_for, read_payees
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.refusals import NotFound, NotUnderstood
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from jackpot.web.templatetags.figures import money
from jackpot.wins.actions.pay import GAVE_THE_WORD
from jackpot.wins.models import Signature, Win
from jackpot.wins.queries.paying import open_dispute, payment_of, sum_on, why_unpaid
from jackpot.wins.queries.witnesses import witnesses_of
from jackpot.wins.rules.win_life import WinState
from tables.slip_book.queries import PrintedSlip, hand_slip_of, printed_slip

PAYS: Final = ("pay",)
LOOKS: Final = ("pay", "read_books")
OFFERED: Final = ("cash", "cheque")
PLACES: Final = range(1, 5)  # as many share a slip at the window; a program may name more
PAYEE_FIELDS: Final = {
    "name": LONGEST_NAME,
    "address": LONGEST_ADDRESS,
    "document": 10,
    "document_number": 40,
    "amount": 40,
}


@needs(*LOOKS)
def cage(request: HttpRequest) -> HttpResponse:
    """The empty window; with `slip` it goes to what was typed or scanned, if that is ours."""
    typed = request.GET.get("slip", "")
    problem = ""
    if typed.strip():
        try:
            return _to_slip(request, typed)
        except (NotASlip, NotFound) as wrong:
            problem = str(wrong)
    return _page(request, {"typed": typed[:200], "problem": problem}, 400 if problem else 200)


@needs(*LOOKS)
def cage_slip(request: HttpRequest, number: str) -> HttpResponse:
    """One slip at the window: what it is worth, whether it is to be paid, and if not, why."""
    win = queries.win_of_slip(request.user, int(number))
    if win is None:
        return _page(request, {"typed": number, "problem": str(_unknown(int(number)))}, 404)
    least = win.jackpot.premises.thresholds.cheque_only(win.amount_money)
    facts: dict[str, Any] = {
        "win": win, "hand_slip": hand_slip_of(win), "state": state_words(win), "sentence": state_sentence(win),
        "typed": "",
        "payable": win.state == WinState.OWED, "paid": win.state == WinState.PAID, **_money_of(win),
        "approved_by": sorted({str(each.operator) for each in _approvals(win)}),
        "method": METHODS.get(win.paid_method, ""), "disputed": open_dispute(win),
        "offered": [(each, METHODS[each]) for each in (OFFERED if least is None else OFFERED[1:])],
        "cheque_from": least,
        "witnesses": witnesses_of(win) if win.state == WinState.OWED else None,
        "may_pay": "pay" in request.user.verbs(),  # type: ignore[union-attr]
    }  # fmt: skip
    return _page(request, facts)


def _money_of(win: Win) -> dict[str, Any]:
    """Gross, withheld and net: as they were paid, else by the rule of today, with whatever holds the payment up."""
    payment, house = payment_of(win), win.jackpot.premises
    today = house.gaming_day(timezone.now())
    # The rule of the day of payment counts: a slip that is paid next year is taxed by next year's rule.
    pays = sum_on(win, today) if payment is None else payment.sum
    rule = NO_RULE if pays.due is None else rule_words(pays.due.rule, house)
    # The page says it before the press; `pay_slip` judges again, for a dispute may come in between.
    held = why_unpaid(win, today) if payment is None else ""
    form = form_for(pays, 1)
    cash = None if pays.due is None else pays.due.rule.currency_above
    return {
        "pays": pays, "rule": rule, "payment": payment, "held": held, **error_facts(win, payment),
        # Any payment may be the one that lifts a person's day above the cash rule, so under one the payee is asked for.
        "tax_form": form, "cash_report": cash is not None and pays.net > cash, "asks_payee": bool(form) or cash,
        "places": PLACES, "numbers": [(kind.value, words) for kind, words in NUMBER_WORDS.items()],
    }  # fmt: skip


def _approvals(win: Win) -> list[Signature]:
    return [each for each in queries.signatures_of(win) if each.part in GAVE_THE_WORD]


@posts(*PAYS, back_to="cage-slip")
def cage_pay(request: HttpRequest, number: str) -> str:
    """Pays the slip, whatever copy of its page was brought."""
    person = request.user
    assert isinstance(person, Operator)
    win = queries.win_of_slip(person, int(number))
    if win is None:
        raise _unknown(int(number))
    method, cheque = request.POST.get("method", ""), word(request, "cheque", 40)
    if method not in OFFERED:
        raise NotUnderstood("Choose how it is paid: cash or cheque.")
    if method == "cheque" and not cheque:
        raise NotUnderstood("Write the number of the cheque.")
    # A slip number is one house's own: without the house another one's slip of the same number could be paid.
    paid = pay_slip(
        slip=int(number), payer=person, premises=win.premises, method=method,
        payees=read_payees(_typed_payees(request), get_currency_precision(win.jackpot.premises.currency)),
        cheque=cheque if method == "cheque" else "", place=word(request, "place", 40),
        form_seen=request.POST.get("form_seen") == "on",
    )  # fmt: skip
    return paid_sentence(paid)


def _typed_payees(request: HttpRequest) -> list[dict[str, str]]:
    """The rows of the form; an empty one is nobody."""
    return [
        {name: word(request, f"payee{place}-{name}", longest) for name, longest in PAYEE_FIELDS.items()}
        for place in PLACES
    ]


def paid_sentence(win: Win) -> str:
    """What the window hands over, and what of the slip it keeps."""
    house, pays = win.jackpot.premises, win.payment.sum
    if not pays.withheld:
        return f"Slip {win.slip} is paid: {money(pays.gross, house)}."
    split = f"{money(pays.net, house)} to the player, {money(pays.withheld, house)} withheld"
    return f"Slip {win.slip} is paid: {split}, together {money(pays.gross, house)}."


def _to_slip(request: HttpRequest, typed: str) -> HttpResponse:
    # First the books of hand slips: their printed numbers have a prefix, which no number of ours has.
    by_hand = printed_slip(request.user, typed)
    if by_hand is not None:
        return redirect("cage-slip", number=str(_of_hand_slip(by_hand)))
    scanned = read_slip(typed)
    win: Win | None = queries.win_of_slip(request.user, scanned.slip)
    if win is None:
        raise _unknown(scanned.slip)
    # A typed number proves nothing about the paper; a scanned code has to be that of this very win.
    if scanned.digest:
        vouched = genuine(scanned.slip, scanned.digest)
        # Also a genuine code of another house's slip of the same number is not that of this one.
        if vouched is None or vouched.pk != win.pk:
            raise NotFound(f"This code is not that of slip {scanned.slip}. Do not pay it; call surveillance.")
        messages.success(request, f"The code is that of slip {scanned.slip}: the page is genuine.")
    return redirect("cage-slip", number=str(scanned.slip))


def _of_hand_slip(found: PrintedSlip) -> int:
    """The slip of the win that was posted late for a hand-written one; what is not tied to one is not paid."""
    slip = found.slip
    if slip is None:
        why = f"{found.printed} is a slip of {found.book} that nobody entered. Do not pay it"
        raise NotFound(f"{why}: a supervisor posts its win late and enters the number.", "no_slip")
    if slip.win is None or slip.win.slip is None:
        raise NotFound(f"{found.printed} is {slip.words}, so {slip.person_name} wrote. Do not pay it.", "no_slip")
    return slip.win.slip


def _unknown(slip: int) -> NotFound:
    return NotFound(f"There is no slip {slip} here. Compare the number with the page.", "no_slip")


def _page(request: HttpRequest, facts: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, "accounting/cage/cage.html", {"house_here": house_of(request.user), **facts}, status=status)
