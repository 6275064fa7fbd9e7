"""Books of hand-written slips: where each is, which numbers are asked after, and what two people write down."""

from __future__ import annotations

from typing import Any, Final

from babel.numbers import get_currency_precision
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.reading import NotANumber, read_amount, read_moment_in, read_whole
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from tables.custody.actions import OtherPerson
from tables.slip_book import queries
from tables.slip_book.actions import BookFacts, HandSlipFacts, add_book, move_book, write_slip
from tables.slip_book.models import HandSlip, SlipBook
from tables.slip_book.rules import (
    ADDS,
    LARGEST,
    MOST_SLIPS,
    READS,
    WORD_MEANINGS,
    WRITES,
    BookAct,
    SlipWord,
    read_printed,
)

SHOWN: Final = 40


@needs(*READS)
def slip_books(request: HttpRequest) -> HttpResponse:
    """A book with numbers that nobody accounts for stands first."""
    person: Any = request.user
    standing = queries.standing_of(queries.slip_books(person))
    standing.sort(key=lambda each: (not each.unaccounted, not each.out, each.book.code))
    house = house_of(person)
    shown = {
        "books": standing, "house": house, "tab": "slip-books", "words": WORD_MEANINGS.items(),
        "slips": list(queries.hand_slips(person).order_by("-id")[:SHOWN]), "most": MOST_SLIPS,
        "may_write": bool(set(WRITES) & person.verbs()), "may_add": person.may(ADDS),
        "needs_two": house is None or house.slips_need_two,
    }  # fmt: skip
    return render(request, "tables/slip_book/slip_books.html", shown)


@needs(*READS)
def slip_book(_: HttpRequest, code: str) -> HttpResponseBase:
    """The register, where this one stands."""
    return redirect(f"{reverse('slip-books')}#book-{code}")


@posts(ADDS, back_to="slip-books")
def slip_book_add(request: HttpRequest) -> str:
    """A book of the printer's on the register."""
    house = house_of(request.user)
    if house is None:
        raise NotAllowedNow("There is no house here yet. Found one first.", "no_house")
    first, last = (read_printed(word(request, name, 40)) for name in ("first", "last"))
    if first is None or last is None or first.prefix != last.prefix:
        why = "Write the first and the last number as they are printed, with the same letters: M-0001 and M-0050."
        raise NotUnderstood(why, "first")
    code = word(request, "code", 21).upper()
    facts = BookFacts(code, first.prefix, first.number, last.number, max(first.digits, last.digits))
    row = add_book(premises=house, facts=facts, by=_person(request))
    return f"Book {row.code} with {row.printed(row.first)} to {row.printed(row.last)} is on the register."


@posts(*WRITES, back_to="slip-book")
def slip_book_move(request: HttpRequest, code: str) -> str:
    """Out to a pit, or back from it."""
    book, asked = _found(request, code), word(request, "act", 4)
    if asked not in set(BookAct):
        raise NotUnderstood("Choose whether it goes out or came back.", "act")
    row = move_book(
        book=book, act=BookAct(asked), pit=word(request, "pit", 41), by=_person(request), other=_other(request),
        next_blank=read_number(book, word(request, "next-blank", 40)),
    )  # fmt: skip
    went = f"is out at {row.pit}" if row.act == BookAct.OUT else f"is back from {row.pit}"
    return f"Book {book.code} {went}; its first blank slip is {book.printed(row.next_blank)}."


@posts(*WRITES, back_to="slip-book")
def slip_book_write(request: HttpRequest, code: str) -> str:
    """What became of one number."""
    book, asked = _found(request, code), word(request, "word", 7)
    if asked not in set(SlipWord):
        raise NotUnderstood("Choose what became of it: used, void or missing.", "word")
    # One character more than is kept, so that a longer reason is refused and not cut.
    number, why = read_number(book, word(request, "number", 40)), word(request, "why", 121)
    facts = HandSlipFacts(number, SlipWord(asked), why)
    if facts.word is SlipWord.USED:
        facts = _used(request, book, facts)
    return sentence_of(write_slip(book=book, facts=facts, by=_person(request), other=_other(request)))


def _used(request: HttpRequest, book: SlipBook, facts: HandSlipFacts) -> HandSlipFacts:
    digits = get_currency_precision(book.premises.currency)
    try:
        slip = read_whole(word(request, "slip", 20), "slip number of the win", 1, 2**53 - 1)
        amount = read_amount(word(request, "amount", 40), "sum on the slip", digits=digits)
        # A browser's own field writes a T between day and time.
        when = read_moment_in(book.premises.zone, word(request, "written-at", 40).replace("T", " "), "time on the slip")
    except NotANumber as why:
        raise NotUnderstood(str(why), "slip") from None
    return HandSlipFacts(facts.number, facts.word, facts.why, slip, amount, when, word(request, "written-by", 101))


def read_number(book: SlipBook, typed: str) -> int:
    """A number of this book, as it is printed or without its letters."""
    read = read_printed(typed)
    if read is not None and read.prefix == book.prefix:
        return read.number
    try:
        # One above the largest: the first blank number of a book that is used up.
        return read_whole(typed.strip(), f"number of a slip of book {book.code}", 0, LARGEST + 1)
    except NotANumber:
        first, last = book.printed(book.first), book.printed(book.last)
        why = f"Write the number as it is printed in book {book.code}: {first} to {last}."
        raise NotUnderstood(why, "number") from None


def sentence_of(row: HandSlip) -> str:
    """What was written, with what somebody has to see to."""
    if row.win is None:
        return f"{row.printed} is {row.words}."
    tied = f"{row.printed} is entered for slip {row.win.slip}."
    if row.differs:
        return f"{tied} Its sum is not that of the books: another person settles that before the window pays."
    return tied if row.outage else f"{tied} No outage of {row.win.table_code} is known at that time: look into it."


def _other(request: HttpRequest) -> OtherPerson:
    return OtherPerson(
        card=request.POST.get("card", "")[:200], pin=request.POST.get("pin", "")[:20],
        username=word(request, "username", 60), password=request.POST.get("password", "")[:200],
        address=str(request.META.get("REMOTE_ADDR", "")),
    )  # fmt: skip


def _found(request: HttpRequest, code: str) -> SlipBook:
    row = queries.slip_books(request.user).filter(code=code).first()
    if row is None:
        raise NotFound(f"There is no book {code[:20]} on the register of your house.", "no_book")
    return row


def _person(request: HttpRequest) -> Operator:
    assert isinstance(request.user, Operator), "whoever is let in is a person"
    return request.user
