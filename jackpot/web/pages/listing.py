"""Lists people live in: pages by number with first, last and jump, and heads that sort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import QueryDict

LAST_PAGE: Final = 1_000_000
LONGEST_CODE: Final = 20


@dataclass(frozen=True, slots=True)
class ListTurns:
    """Where first, previous, next and last lead; nothing where one is there already."""

    first: str
    previous: str
    following: str
    last: str


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page of a list of so many rows."""

    number: int
    size: int
    count: int

    @property
    def pages(self) -> int:
        return max(1, -(-self.count // self.size))

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.size

    @property
    def from_row(self) -> int:
        return self.offset + 1 if self.count else 0

    @property
    def to_row(self) -> int:
        return min(self.count, self.offset + self.size)

    def turns(self, query: str, word: str = "page") -> ListTurns:
        """The addresses of the other pages of the same question; `word` where a page has several lists."""

        def at(number: int) -> str:
            there = 1 <= number <= self.pages and number != self.number
            return f"?{query}{'&' if query else ''}{word}={number}" if there else ""

        return ListTurns(at(1), at(self.number - 1), at(self.number + 1), at(self.pages))


@dataclass(frozen=True, slots=True)
class CodedList:
    """A page of things that people know by their codes, and what its template turns pages with."""

    rows: list[Any]
    page: ListPage
    turns: ListTurns
    kept: list[tuple[str, str]]
    q: str


@dataclass(frozen=True, slots=True)
class SortHead:
    """A column's title; pressing it sorts by it, pressing again turns the order round."""

    title: str
    href: str
    looks: str
    sorted: str  # ascending, descending or nothing


def list_page(count: int, typed: str, size: int) -> ListPage:
    """What was typed as a page; nothing that can be meant is the first, beyond the end is the last."""
    # Seven digits are more pages than any list has.
    readable = typed.isascii() and typed.isdigit() and len(typed) < 8
    number = min(int(typed), LAST_PAGE) if readable else 1
    return ListPage(max(1, min(number, -(-count // size))), size, count)


def coded_list(rows: QuerySet[Any], asked: QueryDict, size: int, **more: str) -> CodedList:
    """By code; `q` is how a code begins. `more` are the other words of the question, which its turns keep."""
    q = asked.get("q", "").strip().upper()[:LONGEST_CODE]
    chosen = (rows.filter(code__startswith=q) if q else rows).order_by("code")
    shown = list(chosen[: size + 1])
    few = len(shown) <= size  # as in most houses: then nothing is counted or turned
    page = list_page(len(shown) if few else chosen.count(), asked.get("page", ""), size)
    kept = [(word, value) for word, value in (*more.items(), ("q", q)) if value]
    # The first page was read already, to see whether there is more.
    if not few:
        shown = shown[:size] if page.number == 1 else list(chosen[page.offset : page.offset + size])
    return CodedList(shown, page, page.turns(urlencode(kept)), kept, q)


def sort_heads(columns: Sequence[tuple[str, str, str]], sort: str, query: str) -> list[SortHead]:
    """Heads for (word, title, looks: a figure stands right); a column without a word cannot be sorted by."""
    kept = "&".join(part for part in query.split("&") if part and not part.startswith("sort="))
    return [_head(column, sort, kept) for column in columns]


def _head(column: tuple[str, str, str], sort: str, kept: str) -> SortHead:
    word, title, looks = column
    if not word:
        return SortHead(title, "", looks, "")
    mine, falling = sort.removeprefix("-") == word, sort.startswith("-")
    begins = f"-{word}" if "right" in looks else word  # the largest first, names from A on
    wanted = (word if falling else f"-{word}") if mine else begins
    state = ("descending" if falling else "ascending") if mine else ""
    return SortHead(title, f"?{kept}{'&' if kept else ''}sort={wanted}", looks, state)
