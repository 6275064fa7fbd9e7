"""One win on record: what its page says, its copies, its entries; printing and reprinting."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from accounting.cage.pages.receipts import error_facts
from accounting.cage.pages.wins import READERS, state_sentence, state_words
from accounting.paper import queries as paper_queries
from accounting.paper.actions.spoiled import note_spoiled
from accounting.paper.models.page import Copy
from accounting.paper.printing.facts import facts_of
from accounting.paper.printing.press import preview, print_page
from accounting.paper.rules.copies import FILE_COPY, Form, paper_of
from accounting.register import queries as register_queries
from jackpot.adjusting.actions.underpayment import counts_from_the_meter
from jackpot.adjusting.models import Adjustment
from jackpot.payees.actions import may_open as may_open_record
from jackpot.payees.queries import record_of
from jackpot.people.models import Operator
from jackpot.property.rules.witness import WitnessPart
from jackpot.refusals import NotUnderstood
from jackpot.trail.actions.trail import note_look
from jackpot.trail.models import Trail
from jackpot.trail.rules import objects
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from jackpot.wins.actions.dispute import dispute, settle_dispute
from jackpot.wins.models import Win
from jackpot.wins.queries.paying import open_dispute, payment_of, why_unpaid
from jackpot.wins.queries.witnesses import witnesses_of
from jackpot.wins.rules.win_life import WinState

PRINTERS: Final = ("pay", "approve", "close_day")
DISPUTERS: Final = ("pay", "verify", "approve", "adjust")
SETTLERS: Final = ("override", "sign_adjustments")
STANDS_BY: Final = ("pay", "approve", "close_day", "camera", "attend")
FORMS: Final = ((Form.LETTER, "Letter"), (Form.A4, "A4"), (Form.RECEIPT, "Receipt"))


@needs(*READERS)
def win(request: HttpRequest, number: str) -> HttpResponse:
    """Everything about one win, with its page as it would print now."""
    row = found(request, number)
    note_look(by=request.user, about=objects.slip(row.slip, row.premises_id))
    facts = facts_of(row, FILE_COPY)
    copies = paper_queries.copies_of(row)
    verbs = request.user.verbs()  # type: ignore[union-attr]
    voided = row.state == WinState.BACKED_OUT
    payment = payment_of(row)
    tax = record_of(row)
    owed = row.state == WinState.OWED
    held = why_unpaid(row, row.jackpot.premises.gaming_day(timezone.now())) if owed else ""
    return render(
        request,
        "accounting/cage/win.html",
        {
            "win": row, "made_up": row.made_up.order_by("slip"), "facts": facts.plain(),
            "state": state_words(row), "sentence": state_sentence(row),
            "copies": [(copy, may_open(request, copy)) for copy in copies], "entries": register_queries.entries_of(row),
            # A first VOID page needs no reason either, although the page was printed while the win stood.
            "first": not any((copy.kind == "void") == voided for copy in copies), "voided": voided,
            "forms": [(form.value, name) for form, name in FORMS], "paper": paper_of(row.jackpot.premises.locale).value,
            "may_print": bool(verbs.intersection(PRINTERS)), "may_read_books": "read_books" in verbs,
            "may_back_out": "adjust" in verbs and not voided,
            "may_make_up": "adjust" in verbs and not voided and counts_from_the_meter(row),
            "may_pay": "pay" in verbs and owed and not held, "held": held,
            **error_facts(row, payment), "tax_record": tax,
            "may_open_record": tax is not None and may_open_record(tax, request.user),  # type: ignore[arg-type]
            "payment": payment, "payment_changed": payment is not None and payment.seal != payment.seal_found(),
            "asked_about": list(Adjustment.objects.filter(win=row).values_list("pk", flat=True)),
            "signed": _signed(row), **_dispute(row, verbs, request.user), **_witnesses(row, verbs),
        },
    )  # fmt: skip


@needs(*READERS)
def win_by_slip(request: HttpRequest, number: str) -> HttpResponse:
    """The one public number of a win, as paper and cage know it, leads to its record."""
    row = register_queries.win_of_slip(request.user, int(number))
    if row is None:
        raise Http404("There is no such slip here.")
    return redirect("office-win", number=str(row.slip))


def _signed(row: Win) -> list[Trail]:
    """The words of people for this win, as lines of its history; they stand in records of their own."""
    return [
        Trail(at=each.at, actor=str(each.operator), act=each.get_part_display(), object_kind="slip", why=each.why)
        for each in row.signatures.select_related("operator")
    ]


def _witnesses(row: Win, verbs: frozenset[str]) -> dict[str, Any]:
    """The table of amounts beside its act, and whether somebody may still stand by at this screen."""
    if row.state == WinState.BACKED_OUT:
        return {"witnesses": None}
    told = witnesses_of(row)
    # A regulator may send word instead of a person; then somebody of the house brings it, with its reference.
    brings = any(line.part is WitnessPart.REGULATOR for line in told.missing)
    unpaid = row.state in (WinState.LOGGED, WinState.OWED)
    return {"witnesses": told, "may_stand_by": unpaid and not verbs.isdisjoint(STANDS_BY), "brings_word": brings}


def _dispute(row: Win, verbs: frozenset[str], person: Any) -> dict[str, Any]:
    standing = open_dispute(row)
    unpaid = row.state in (WinState.LOGGED, WinState.OWED)
    return {
        "notices": row.notices.select_related("by"),
        "may_tell": row.state == WinState.OWED and not verbs.isdisjoint({"pay", "close_day"}),
        "disputes": row.disputes.select_related("opened_by", "settled_by"),
        "may_dispute": standing is None and unpaid and bool(verbs.intersection(DISPUTERS)),
        # Who opened a dispute does not settle it: the page does not offer what the act would refuse.
        "may_settle": standing is not None and standing.opened_by_id != person.pk and bool(verbs & {*SETTLERS}),
    }


@posts(*DISPUTERS, back_to="office-win")
def win_dispute(request: HttpRequest, number: str) -> str:
    """Holds the payment of this slip until another person settles the dispute."""
    person = request.user
    assert isinstance(person, Operator)
    row = dispute(win=found(request, number), by=person, why=word(request, "why"))
    return f"Slip {row.win.slip} is disputed; no window pays it until another person settles that."


@posts(*SETTLERS, back_to="office-win")
def win_settle(request: HttpRequest, number: str) -> str:
    """Ends the dispute; the slip can be paid or backed out again."""
    person = request.user
    assert isinstance(person, Operator)
    row = settle_dispute(win=found(request, number), by=person, answer=word(request, "answer"))
    return f"The dispute over slip {row.win.slip} is settled."


@posts(*PRINTERS, back_to="office-win")
def win_print(request: HttpRequest, number: str) -> str:
    """One press prints the original; a further copy needs its reason."""
    form = request.POST.get("form", "")
    if form not in {each.value for each in Form}:
        raise NotUnderstood("Choose Letter, A4 or Receipt.")
    person = request.user
    assert isinstance(person, Operator)
    printed = print_page(win=found(request, number), form=Form(form), by=person, reason=word(request, "reason"))
    return f"{printed.copy.stamp.word} of slip {printed.copy.page.slip} was sent to {printed.job.printer.code}."


@posts(*PRINTERS, back_to="office-win")
def copy_spoiled(request: HttpRequest, number: str) -> str:
    """What came out of the printer is put by, with why."""
    person, copy = request.user, word(request, "copy", 6)
    assert isinstance(person, Operator)
    known = copy.isascii() and copy.isdigit()
    printed = paper_queries.copy_numbered(found(request, number), int(copy)) if known else None
    if printed is None:
        raise NotUnderstood(f"Slip {number} has no copy {copy}. Look at the list of its copies.", "copy")
    row = note_spoiled(copy=printed, by=person, why=word(request, "reason"))
    return f"{printed.stamp.word} of slip {printed.page.slip} is noted as spoiled: {row.why}."


@never_cache
@needs(*READERS)
def win_preview(request: HttpRequest, number: str) -> HttpResponse:
    row = found(request, number)
    return HttpResponse(preview(row, paper_of(row.jackpot.premises.locale)), content_type="image/png")


@never_cache
@needs(*READERS)
def win_copy(request: HttpRequest, number: str, copy: str) -> HttpResponse:
    """The very bytes that were printed, for who printed them and for those who read the trail."""
    found_copy = paper_queries.copy_numbered(found(request, number), int(copy))
    if found_copy is None or not may_open(request, found_copy):
        raise Http404
    note_look(by=request.user, about=objects.slip(found_copy.page.slip, found_copy.page.win.premises_id))
    return HttpResponse(bytes(found_copy.content), content_type=found_copy.media_type)


def found(request: HttpRequest, number: str) -> Win:
    row = register_queries.win_of_slip(request.user, int(number))
    if row is None:
        raise Http404
    return row


def may_open(request: HttpRequest, copy: Copy) -> bool:
    """An original handed out to everybody would be many originals; others see the file copy."""
    return copy.person_id == request.user.pk or "read_trail" in request.user.verbs()  # type: ignore[union-attr]
