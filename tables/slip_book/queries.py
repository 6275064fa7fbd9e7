"""The books of hand-written slips as they stand, and what a printed number is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import QuerySet

from jackpot.property.models.property import Property
from jackpot.property.queries import of_house
from jackpot.wins.models import Win
from tables.floor.models.outage import Outage
from tables.slip_book.models import HandSlip, SlipBook, SlipBookMove
from tables.slip_book.rules import FINAL, BookAct, SlipWord, read_printed, unaccounted

CLOCK_OF_A_WALL: Final = timedelta(minutes=10)  # so far may the time on a slip be from ours


@dataclass(frozen=True, slots=True)
class BookStanding:
    """One book: where it is, what was written of its numbers, and of which nobody said anything."""

    book: SlipBook
    last: SlipBookMove | None
    slips: dict[int, HandSlip]  # the newest word of each number

    @property
    def out(self) -> bool:
        return self.last is not None and self.last.act == BookAct.OUT

    @property
    def next_blank(self) -> int:
        read = self.last.next_blank if self.last else self.book.first
        final = [number for number, slip in self.slips.items() if slip.word in FINAL]
        # A slip that was used since the book was read is gone as well, so the reading alone would be too low.
        return max(read, max(final, default=self.book.first - 1) + 1)

    @property
    def unaccounted(self) -> list[int]:
        return unaccounted(self.book.first, self.slips, self.last.next_blank if self.last else self.book.first)

    @property
    def span(self) -> str:
        return f"{self.book.printed(self.book.first)} to {self.book.printed(self.book.last)}"

    @property
    def read(self) -> str:
        """The first blank number as it was last read in the book."""
        return self.book.printed(self.last.next_blank) if self.last else ""

    @property
    def checklist(self) -> list[str]:
        return [self.book.printed(number) for number in self.unaccounted]

    def counted(self, word: SlipWord) -> int:
        return sum(slip.word == word for slip in self.slips.values())

    @property
    def used(self) -> int:
        return self.counted(SlipWord.USED)

    @property
    def void(self) -> int:
        return self.counted(SlipWord.VOID)

    @property
    def missing(self) -> list[str]:
        return [slip.printed for _, slip in sorted(self.slips.items()) if slip.word == SlipWord.MISSING]

    @property
    def blank(self) -> int:
        return self.book.last - self.book.first + 1 - len(self.slips) - len(self.unaccounted)


@dataclass(frozen=True, slots=True)
class PrintedSlip:
    """A printed number of a book of this house, with the newest word of it."""

    book: SlipBook
    number: int
    slip: HandSlip | None

    @property
    def printed(self) -> str:
        return self.book.printed(self.number)


def slip_books(person: Any) -> QuerySet[SlipBook]:
    return of_house(SlipBook.objects.select_related("premises"), person)


def hand_slips(person: Any) -> QuerySet[HandSlip]:
    return of_house(HandSlip.objects.select_related("book", "win", "outage"), person)


def standing_of(books: QuerySet[SlipBook]) -> list[BookStanding]:
    """Three questions, however many books there are."""
    rows = list(books)
    ids = [row.pk for row in rows]
    moves = SlipBookMove.objects.filter(book__in=ids).order_by("book_id", "-number").distinct("book_id")
    last = {move.book_id: move for move in moves}
    slips: dict[int, dict[int, HandSlip]] = {}
    # In the order of writing: the newest word of a number takes the place of the one before.
    for slip in HandSlip.objects.filter(book__in=ids).select_related("win", "outage").order_by("id"):
        slips.setdefault(slip.book_id, {})[slip.number] = slip
    return [BookStanding(row, last.get(row.pk), slips.get(row.pk, {})) for row in rows]


def standing(book: SlipBook) -> BookStanding:
    (only,) = standing_of(SlipBook.objects.select_related("premises").filter(pk=book.pk))
    return only


def printed_slip(person: Any, typed: str) -> PrintedSlip | None:
    """What was read off a slip, where it is a number of one of the house's books."""
    read = read_printed(typed)
    if read is None:
        return None
    named = slip_books(person).filter(prefix=read.prefix, first__lte=read.number, last__gte=read.number)
    book = named.order_by("premises_id").first()
    if book is None:
        return None
    number = read.number
    return PrintedSlip(book, number, book.slips.filter(number=number).select_related("win").order_by("-id").first())


def hand_slip_of(win: Win) -> HandSlip | None:
    return HandSlip.objects.filter(win=win).select_related("book", "outage").first()


def outage_at(premises: Property, table_code: str, moment: datetime) -> Outage | None:
    """The outage of a table's box that a slip of that time was written in, by the clock on the wall."""
    rows = Outage.objects.filter(table__premises=premises, table__code=table_code)
    near = rows.filter(began_at__lte=moment + CLOCK_OF_A_WALL, ended_at__gte=moment - CLOCK_OF_A_WALL)
    return near.order_by("-began_at").first()
