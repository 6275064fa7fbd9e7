"""A book of hand-written slips is put on the register, goes out to a pit and comes back; each of its numbers gets a
word: used for a win that was posted late, void, or missing. By switch each of it takes two people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.signing.actions import SecondPerson
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from jackpot.wins.actions.dispute import dispute
from jackpot.wins.models import Win
from jackpot.wins.queries.paying import open_dispute
from jackpot.wins.rules.win_life import WinState
from tables.custody.actions import OtherPerson, hold_both, other_present
from tables.slip_book.models import HandSlip, SlipBook, SlipBookMove
from tables.slip_book.queries import BookStanding, hand_slip_of, outage_at, standing
from tables.slip_book.rules import (
    CODE,
    LARGEST,
    LONGEST_PIT,
    LONGEST_WHY,
    MOST_SLIPS,
    PREFIX,
    TAKEN,
    WRITES,
    BookAct,
    SlipWord,
    may_follow,
)


@dataclass(frozen=True, slots=True)
class BookFacts:
    """A book as it came from the printer."""

    code: str
    prefix: str
    first: int
    last: int
    digits: int


@dataclass(frozen=True, slots=True)
class HandSlipFacts:
    """What is written down of one number; of a used one also what stands on the slip, and the win it belongs to."""

    number: int
    word: SlipWord
    why: str
    slip: int | None = None
    amount: Money | None = None
    written_at: datetime | None = None
    written_by: str = ""


@transaction.atomic
def add_book(*, premises: Property, facts: BookFacts, by: Operator) -> SlipBook:
    """From now on its numbers are known; no other book of the house has one of them."""
    if not CODE.fullmatch(facts.code):
        raise NotUnderstood("Write a code of up to 20 capitals, digits and hyphens, such as BOOK-07.", "code")
    if not PREFIX.fullmatch(facts.prefix) or facts.prefix in TAKEN:
        why = "What is printed before the numbers begins with a letter and ends with none of their digits, such as M-."
        raise NotUnderstood(why, "prefix")
    if not 0 <= facts.first <= facts.last <= LARGEST or facts.last - facts.first >= MOST_SLIPS:
        raise NotUnderstood(f"A book runs from a number to a later one, {MOST_SLIPS:,} slips at most.", "last")
    if not len(str(facts.last)) <= facts.digits <= 9:
        raise NotUnderstood(f"{facts.last} has more digits than {facts.digits}. Count those on the slip.", "digits")
    # Numbers are compared with those of every book of the house: the house is the one row they have in common.
    Property.objects.select_for_update(no_key=True).get(pk=premises.pk)
    if SlipBook.objects.filter(premises=premises, code=facts.code).exists():
        raise NotAllowedNow(f"{facts.code} is on the register already. Choose another code.", "known")
    same = SlipBook.objects.filter(premises=premises, prefix=facts.prefix, first__lte=facts.last, last__gte=facts.first)
    other = same.order_by("first").first()
    if other is not None:
        span = f"{other.printed(other.first)} to {other.printed(other.last)}"
        raise NotAllowedNow(f"{other} has {span} already. A number is printed once.", "numbers")
    row = SlipBook.objects.create(
        premises=premises, code=facts.code, prefix=facts.prefix, digits=facts.digits, first=facts.first,
        last=facts.last, added_by=by,
    )  # fmt: skip
    told = {"from": row.printed(row.first), "to": row.printed(row.last)}
    record(actor=by, act="add_book", about=_about(row), subject=str(row), details=told)
    return row


def move_book(
    *, book: SlipBook, act: BookAct, pit: str, next_blank: int, by: Operator, other: OtherPerson | None = None
) -> SlipBookMove:
    """Out to a pit or back from it. The first blank number is read each time: what is gone below it is asked after."""
    if not 0 < len(pit.strip()) <= LONGEST_PIT:
        raise NotUnderstood(f"Say in 1 to {LONGEST_PIT} characters which pit has it.", "pit")
    # Before any lock: a PIN takes 90 ms by design, and a wrong one counts even where the act is refused.
    present = _second(book.premises, by, other)
    second = None if present is None else present.operator
    with transaction.atomic():
        Property.objects.select_for_update(no_key=True).get(pk=book.premises_id)
        hold_both(book.premises, by, present)
        stands = standing(book)
        if stands.out == (act is BookAct.OUT):
            where = f"out at {stands.last.pit}" if stands.last and stands.out else "not out"
            raise NotAllowedNow(f"{_capital(book)} is {where} already. Look at the register first.", "state")
        if not stands.next_blank <= next_blank <= book.last + 1:
            least = book.printed(stands.next_blank)
            why = f"The first blank slip of {book} is {least} or a later one; {book.printed(next_blank)} cannot be."
            raise NotUnderstood(f"{why} Read it in the book.", "next_blank")
        row = SlipBookMove.objects.create(
            book=book, number=(stands.last.number if stands.last else 0) + 1, act=act, pit=pit.strip(),
            next_blank=next_blank, person=by, person_name=str(by)[:100], second=second, second_name=_name(second),
        )  # fmt: skip
        gone = standing(book).checklist
        # A lost book is up to a thousand numbers: the line names some, the register all.
        told = {"pit": row.pit, "next_blank": book.printed(next_blank), "with": _user(second), "unaccounted": gone[:50]}
        why = f"nobody said what became of {', '.join(gone[:5])}" if gone else ""
        record(
            actor=by, act=f"book_{act}", about=_about(book), subject=str(book), outcome="alarm" if gone else "done",
            why=why, details=told,
        )  # fmt: skip
        return row


def write_slip(*, book: SlipBook, facts: HandSlipFacts, by: Operator, other: OtherPerson | None = None) -> HandSlip:
    """One printed number is accounted for. A slip that names another sum than the books is contested at once."""
    if not 0 < len(facts.why.strip()) <= LONGEST_WHY:
        raise NotUnderstood(f"Say in 1 to {LONGEST_WHY} characters what happened.", "why")
    if not book.first <= facts.number <= book.last:
        span = f"{book.printed(book.first)} to {book.printed(book.last)}"
        raise NotUnderstood(f"{_capital(book)} has {span}. Read the number again.", "number")
    present = _second(book.premises, by, other)
    second = None if present is None else present.operator
    with transaction.atomic():
        win = _late_win(book, facts) if facts.word is SlipWord.USED else None
        differs = win is not None and facts.amount != win.amount_money
        if win is not None and differs and win.state != WinState.PAID and open_dispute(win) is None:
            dispute(win=win, by=by, why=_difference(book, facts, win))  # takes the lock of its jackpot, so it is first
        Property.objects.select_for_update(no_key=True).get(pk=book.premises_id)
        hold_both(book.premises, by, present)  # after the jackpot, as a dismissal takes them
        _check_free(book, standing(book), facts)
        row = _row(book, facts, win, differs=differs)
        row.person, row.person_name, row.second, row.second_name = by, str(by)[:100], second, _name(second)
        row.save(force_insert=True)
        _note(row)
        return row


def _second(premises: Property, by: Operator, other: OtherPerson | None) -> SecondPerson | None:
    """Whoever signs with the first; nobody, where one person is enough here and none is named."""
    named = other is not None and (other.card.strip() or other.username.strip())
    if not named and not premises.slips_need_two:
        return None
    if other is None or not named:
        why = "Two people write down what happens to these books: another one reads a card and gives its PIN."
        raise NotUnderstood(why, "proof")
    present = other_present(premises, other)
    second = present.operator
    if second.pk == by.pk:
        raise NotAllowed(f"{by} is one person. Somebody else signs with {by}.", "same_person")
    if second.premises_id not in (None, premises.pk):
        raise NotFound(f"There is no such book in the house of {second}.", "no_book")
    if not set(WRITES) & second.verbs():
        raise NotAllowed(f"{second} may not write in these books. A supervisor or the cage does.", "role")
    return present


def _late_win(book: SlipBook, facts: HandSlipFacts) -> Win:
    """The win that was posted late for this slip."""
    if facts.slip is None or facts.amount is None or facts.written_at is None or not facts.written_by.strip():
        why = "Of a used slip write the sum, when and by whom it was written, and the slip number of its win here."
        raise NotUnderstood(f"{why} Where the win is not posted yet, post it as a late claim first.", "slip")
    win = Win.objects.select_related("jackpot__premises").filter(premises=book.premises_id, slip=facts.slip).first()
    if win is None:
        raise NotFound(f"There is no slip {facts.slip} here. Post the win as a late claim first.", "no_slip")
    # A win that is undone pays nobody: the hand-written slip would stand for no money in the books.
    if win.state == WinState.BACKED_OUT:
        raise NotAllowedNow(f"Slip {win.slip} was backed out. Name the slip that stands for it.", "backed_out")
    known = hand_slip_of(win)
    if known is not None:
        raise NotAllowedNow(f"Slip {win.slip} has {known} already. A win has one hand-written slip.", "known")
    # By hand is written only what cannot be posted: the paper is older than its win in the books.
    if win.logged_at is None or facts.written_at > win.logged_at:
        raise NotUnderstood(f"Slip {win.slip} was posted before that. A hand-written slip is older.", "written_at")
    return win


def _check_free(book: SlipBook, stands: BookStanding, facts: HandSlipFacts) -> None:
    printed, before = book.printed(facts.number), stands.slips.get(facts.number)
    if not may_follow(SlipWord(before.word) if before else None, facts.word):
        assert before is not None, "everything may be written of a number that nothing was written of"
        which = f"{before.words}, slip {before.win.slip}" if before.win else before.words
        raise NotAllowedNow(
            f"{printed} is {which} already, so {before.person_name} wrote. Nothing was changed.", "used"
        )
    if stands.last is None:
        raise NotAllowedNow(f"{_capital(book)} was never handed out, so nobody wrote {printed}.", "never_out")
    if not stands.out and facts.number >= stands.last.next_blank:
        first = book.printed(stands.last.next_blank)
        why = f"{_capital(book)} came back with {first} as its first blank slip, so {printed} was not written yet."
        raise NotAllowedNow(f"{why} Look at the number and at the book.", "blank")


def _row(book: SlipBook, facts: HandSlipFacts, win: Win | None, *, differs: bool) -> HandSlip:
    row = HandSlip(
        book=book, premises_id=book.premises_id, number=facts.number, printed=book.printed(facts.number),
        word=facts.word, why=facts.why.strip(), win=win, differs=differs, at=timezone.now(),
    )  # fmt: skip
    if win is not None:
        assert facts.amount is not None, "a used slip names its sum"
        assert facts.written_at is not None, "a used slip has its time"
        row.amount, row.written_at = facts.amount.decimal(), facts.written_at
        row.written_by = facts.written_by.strip()[:100]
        row.outage = outage_at(book.premises, win.table_code, facts.written_at)
    return row


def _note(row: HandSlip) -> None:
    told = {"printed": row.printed, "with": _user(row.second), "outage": None, "amount": None}
    if row.amount_money is not None:
        told["amount"] = str(row.amount_money)
        told["outage"] = row.outage.began_at.isoformat() if row.outage else None
    about = _about(row.book) if row.win is None else objects.slip(row.win.slip, row.premises_id)
    # A missing slip may be in somebody's pocket, filled in by hand.
    rings = row.differs or row.word == SlipWord.MISSING
    record(
        actor=row.person, act=f"slip_{row.word}", about=about, subject=str(row), outcome="alarm" if rings else "done",
        why=row.why, details=told,
    )  # fmt: skip


def _difference(book: SlipBook, facts: HandSlipFacts, win: Win) -> str:
    return f"Hand-written slip {book.printed(facts.number)} says {facts.amount}, the books say {win.amount_money}."


def _about(book: SlipBook) -> ObjectRef:
    return ObjectRef(ObjectKind.BOOK, book.code, book.premises_id)


def _capital(book: SlipBook) -> str:
    return f"Book {book.code}"


def _name(person: Operator | None) -> str:
    return str(person)[:100] if person else ""


def _user(person: Operator | None) -> str:
    return person.username if person else ""
