"""One box for everything: slips, entries, rounds, tables, jackpots, people, requests, reports and pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from accounting.register import queries as register_queries
from accounting.register.rules.search import Calendar, win_search
from accounting.reports.queries.catalogue import reports_for
from jackpot.adjusting.models import Adjustment
from jackpot.books.queries import jackpots
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.property.queries import house_of, of_house
from jackpot.requests.models import Request
from jackpot.signing.actions.kinds import kind_of, known_kinds
from tables.floor.models.table import Table
from tables.rounds.queries.round_lists import rounds_of

MOST: Final = 8  # of one kind
SLIPS: Final = frozenset({"read_books", "pay", "approve", "close_day"})
_ENTRY: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]{0,19})\s*[#/ ]\s*(\d{1,18})", re.ASCII)
_REQUEST: Final = re.compile(r"(?:request\s*)?#?(\d{1,18})", re.ASCII | re.IGNORECASE)
_NUMBER: Final = re.compile(r"#?(\d{1,18})", re.ASCII)

# Where a word leads that names no thing but a page.
PAGES: Final = (
    ("office", "Office: the morning", "morning yesterday liability waits today", SLIPS - {"pay", "approve"}),
    ("tables", "Floor", "floor tables tiles", frozenset({"see"})),
    ("pit", "Pit", "pit hits keys cards board", frozenset({"run_tables", "approve", "verify", "watch", "read_books"})),
    ("custody", "Keys and seals", "seals cabinet drop box hall custody", frozenset({"run_tables", "count", "set_up"})),
    ("slip-books", "Books of hand-written slips", "slip book manual hand-written printed number outage",
     frozenset({"approve", "pay", "close_day", "set_up", "read_books"})),
    ("jackpots", "Jackpots", "jackpots meters ledger", frozenset({"see"})),
    ("rounds", "Rounds", "rounds coin-in", frozenset({"see"})),
    ("wins", "Wins", "wins slips register", SLIPS),
    ("cage", "Cage", "cage pay redeem window", SLIPS),
    ("reports", "Reports", "reports spreadsheet csv pdf", SLIPS - {"approve"}),
    ("requests", "Requests", "requests adjustments back-out transfer suspend", frozenset({"read_books", "adjust"})),
    ("notices", "Notices", "notices regulator told due overdue", SLIPS | {"adjust", "configure"}),
    ("config", "Configuration", "configuration terms rate seed limit", frozenset({"read_books", "configure"})),
    ("authority", "Authority", "authority thresholds pin levels", frozenset({"read_books", "configure"})),
    ("lab", "Laboratory", "laboratory edge growth simulation", frozenset({"read_books", "configure"})),
    ("par", "Par sheets", "par sheets odds", frozenset({"read_books", "configure"})),
    ("audit", "Audit: the trail", "audit trail history who refused exports proof", frozenset({"read_trail"})),
    ("audit-parcels", "Parcels for auditors", "parcel zip period export verify", frozenset({"read_trail"})),
    ("audit-retention", "Retention", "retention kept how long deleted", frozenset({"read_trail"})),
    ("programs", "Programs: tokens", "programs tokens api bearer", frozenset({"people", "read_trail"})),
    ("webhooks", "Programs: webhooks", "webhooks events sent address", frozenset({"people", "read_trail"})),
    ("train", "Training", "training practice", frozenset({"deal", "verify", "run_tables"})),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FoundThing:
    """One answer: of which kind it is, its name, a line about it, and where it stands."""

    kind: str
    name: str
    about: str
    href: str
    amount: Money | None = None


def found_for(person: Any, typed: str) -> list[FoundThing]:
    """Everything that answers, of each kind the first few; what a person may not read is not there."""
    words = " ".join(typed.split())[:80]
    if not words:
        return []
    verbs = person.verbs()
    found = [*_things(person, words, verbs), *_reports(person, words), *_pages(words, verbs)]
    # One thing may answer in two ways, and is offered once.
    return list(dict.fromkeys(found))


def _things(person: Any, words: str, verbs: frozenset[str]) -> Iterator[FoundThing]:
    if verbs & SLIPS:
        yield from _wins(person, words)
    if "read_books" in verbs:
        yield from _entries(person, words)
        yield from _requests(person, words)
    yield from _request_of_number(person, words, verbs)
    if "see" in verbs:
        yield from _floor(person, words)
    # Each kind by the verbs of its own page: what a search finds, its page opens.
    if verbs & {"read_trail", "people"}:
        yield from _people(person, words)


def _wins(person: Any, words: str) -> Iterator[FoundThing]:
    house = house_of(person)
    calendar = None if house is None else Calendar(house.gaming_day(timezone.now()), house.writes_month_first)
    search = win_search({"q": words}, calendar)
    if search.problem or search.either is None:
        return
    for win in register_queries.chosen(register_queries.wins(person), search).order_by("-slip")[:MOST]:
        about = f"{win.line_name}, {win.table_code} / {win.round_number}, {win.gaming_day}"
        href = reverse("office-win", kwargs={"number": str(win.slip)})
        yield FoundThing("Slip", f"Slip {win.slip}", about, href, win.amount_money)


def _entries(person: Any, words: str) -> Iterator[FoundThing]:
    """ "GRAND 88213" is that entry; a number alone is the entry of that number in every jackpot that has it."""
    pair, number = _ENTRY.fullmatch(words), _NUMBER.fullmatch(words)
    rows = jackpots(person).order_by("code")
    if pair is not None:
        rows, seq = rows.filter(code=pair.group(1).upper()), int(pair.group(2))
    elif number is not None:
        seq = int(number.group(1))
    else:
        return
    # The row knows how far its books go, so no entry is read to say that there is one.
    for row in rows.filter(last_seq__gte=seq)[:MOST] if seq else ():
        href = reverse("entry", kwargs={"code": row.code, "seq": str(seq)})
        yield FoundThing("Entry", f"{row.code} {seq}", f"Entry {seq} of {row.name}", href)


def _requests(person: Any, words: str) -> Iterator[FoundThing]:
    rows = of_house(Adjustment.objects.select_related("jackpot"), person)
    for row in rows.filter(Q(reason__icontains=words) | Q(evidence__icontains=words)).order_by("-id")[:MOST]:
        about = f"{row.its_jackpot.code}, {row.state}, asked by {row.asked_by_name}: {row.reason}"
        yield FoundThing("Request", str(row), about, reverse("request", kwargs={"number": row.pk}))


def _request_of_number(person: Any, words: str, verbs: frozenset[str]) -> Iterator[FoundThing]:
    """ "request 6", or 6 alone: of whatever kind it is, for whoever sees that kind in the inbox."""
    number = _REQUEST.fullmatch(words)
    seen = [kind.code for kind in known_kinds() if kind.seen_by(verbs)]
    rows = of_house(Request.objects.filter(kind__in=seen), person)
    for row in rows.filter(pk=int(number.group(1))) if number else ():
        about = f"{row.state}, asked by {row.asked_by_name}: {row.reason}"
        href = reverse("request", kwargs={"number": row.pk})
        yield FoundThing("Request", f"{kind_of(row.kind).name}, request {row.pk}", about, href)


def _floor(person: Any, words: str) -> Iterator[FoundThing]:
    code = words.upper()
    for row in jackpots(person).filter(Q(code__startswith=code) | Q(name__icontains=words)).order_by("code")[:MOST]:
        about = f"{row.name}, meter {Money.of(row.meter).shown()}"
        yield FoundThing("Jackpot", row.code, about, reverse("jackpot", kwargs={"code": row.code}))
    tables = of_house(Table.objects.filter(Q(code__startswith=code) | Q(name__icontains=words)), person)
    for table in tables.order_by("code")[:MOST]:
        yield FoundThing("Table", table.code, f"Rounds of {table.code}", f"{reverse('rounds')}?table={table.code}")
    pair = _ENTRY.fullmatch(words)
    if pair is not None:
        rounds = rounds_of(person).filter(table__code=pair.group(1).upper(), number=int(pair.group(2)))
        for each in rounds[:1]:
            href = reverse("round", kwargs={"code": each.table.code, "number": str(each.number)})
            yield FoundThing("Round", f"{each.table.code} / {each.number}", f"{each.gaming_day}", href)


def _people(person: Any, words: str) -> Iterator[FoundThing]:
    rows = of_house(Operator.objects.filter(Q(name__icontains=words) | Q(username__icontains=words)), person)
    for row in rows.order_by("name")[:MOST]:
        href = f"{reverse('report', kwargs={'code': 'access'})}?person={quote(row.name, safe='')}"
        yield FoundThing("Person", row.name, row.username, href)


def _reports(person: Any, words: str) -> Iterator[FoundThing]:
    wanted = words.lower()
    for _, group in reports_for(person):
        for each in group:
            if wanted in each.title.lower() or wanted in each.about.lower():
                yield FoundThing("Report", each.title, each.about, reverse("report", kwargs={"code": each.code}))


def _pages(words: str, verbs: frozenset[str]) -> Iterator[FoundThing]:
    wanted = words.lower()
    for name, title, also, opens in PAGES:
        if verbs & opens and (wanted in title.lower() or any(each.startswith(wanted) for each in also.split())):
            yield FoundThing("Page", title, "", reverse(name))
