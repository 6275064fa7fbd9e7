"""Which rule books there are, shipped ones and the house's own, and how a house stands beside the one it chose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

from jackpot.books.models.jackpot import Jackpot, JackpotState
from jackpot.property.models.property import Property
from jackpot.property.rules.notice import DECLARED, NoticeRule, notice_rules_on
from jackpot.property.rules.unclaimed import unclaimed_rule_on
from jackpot.rule_books.rules.comparing import HouseSwitches, RuleBookLine, beside
from jackpot.rule_books.rules.rule_book import (
    NO_RULE_BOOK,
    PROPERTY_SWITCHES,
    RuleBook,
    RuleBookRefused,
    read_rule_book,
)

SHIPPED: Final = Path(__file__).parent / "packs"
OWN: Final = "rule_books"  # a folder in the data place: whoever reads another rule book puts its file there


@dataclass(frozen=True, slots=True)
class RuleBookShelf:
    """The rule books by their codes, and in one sentence each what could not be read."""

    books: Mapping[str, RuleBook]
    faults: tuple[str, ...] = ()


def rule_books() -> RuleBookShelf:
    """A file of the house's own may not take the code of a shipped one: what was read stays what it is called."""
    books, faults = dict(_shipped()), []
    for path in _own_files():
        try:
            book = read_rule_book(path.read_text(encoding="utf-8"), path.name)
            if book.code in books:
                raise RuleBookRefused(f"{path.name}: there is already a rule book {book.code}. Choose another code.")
        # One file that cannot be read takes no other rule book away; its fault is told where they are listed.
        except (RuleBookRefused, OSError, UnicodeDecodeError) as why:
            faults.append(str(why))
            continue
        books[book.code] = book
    return RuleBookShelf(books, tuple(faults))


def rule_book_coded(code: str) -> RuleBook | None:
    return rule_books().books.get(code or NO_RULE_BOOK)


# Part of the program, so read once; the house's own may change while it runs and are read each time.
@cache
def _shipped() -> dict[str, RuleBook]:
    found = (read_rule_book(path.read_text(encoding="utf-8"), path.name) for path in sorted(SHIPPED.glob("*.toml")))
    books = {book.code: book for book in found}
    return {NO_RULE_BOOK: books.pop(NO_RULE_BOOK), **books}


def _own_files() -> Iterator[Path]:
    folder = Path(settings.DATA_DIR) / OWN
    return iter(sorted(folder.glob("*.toml"))) if folder.is_dir() else iter(())


def beside_its_rule_book(premises: Property, now: datetime) -> list[RuleBookLine]:
    """Line by line what the house's rule book says and what stands; nothing where its file is gone."""
    book = rule_book_coded(premises.rule_book)
    return [] if book is None else beside(book, switches_of(premises, now))


def switches_of(premises: Property, now: datetime) -> HouseSwitches:
    day = premises.gaming_day(now)
    unclaimed = unclaimed_rule_on((row.value for row in premises.unclaimed_rules.all()), day)
    # Without a version there is no policy yet; a retired jackpot plays by none any more.
    running = Jackpot.objects.filter(premises=premises, version__isnull=False).exclude(state=JackpotState.RETIRED)
    return HouseSwitches(
        property={key: getattr(premises, key) for key in PROPERTY_SWITCHES},
        authority=premises.authority_at((now, day)),
        policies={
            row.code: row.version.value.policy.switches()
            for row in running.select_related("version").order_by("code")
            if row.version is not None
        },
        unclaimed=None
        if unclaimed is None
        else {"notice_after": unclaimed.notice_after, "lapse_after": unclaimed.lapse_after},
        notices=_notices_on(premises, day),
    )


def _notices_on(premises: Property, day: date) -> tuple[NoticeRule, ...]:
    rules = [row.value for row in premises.notice_rules.all()]
    return tuple(rule for about in sorted(DECLARED) for rule in notice_rules_on(rules, about, day))
