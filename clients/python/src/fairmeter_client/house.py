"""A house as a program sees it with its token: everything is read, nothing is changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar, Unpack, cast
from urllib.parse import quote

from fairmeter_client.events import FeedPage, HouseEvent
from fairmeter_client.filters import (
    AdjustmentFilters,
    EntryFilters,
    JackpotFilters,
    NoticeFilters,
    NumberedFilters,
    PaymentFilters,
    PersonFilters,
    RequestFilters,
    RoundFilters,
    TableFilters,
    TrailFilters,
    WinFilters,
)
from fairmeter_client.listing import Listing, Row
from fairmeter_client.wire import Asked, Wire

LARGEST_PAGE: Final = 500
LONGEST_WAIT: Final = 25  # seconds that a house keeps a question
PAUSE: Final = 5.0  # seconds, where a house that is asked by many answers at once
Method = TypeVar("Method", bound=Callable[..., Any])


def reads(address: str) -> Callable[[Method], Method]:
    """Which operation of the API a method asks; the tests compare each with the OpenAPI document."""

    def named(method: Method) -> Method:
        method.reads = address  # type: ignore[attr-defined]
        return method

    return named


class House:
    """Everything that a token opens.

    >>> house = House("https://fairmeter.example", "fm_1a2b3c4d_…")
    >>> for win in house.wins(state="owed"):
    ...     print(win["slip"], win["amount"])
    """

    def __init__(self, url: str, token: str, *, timeout: float = 30.0, tries: int = 4) -> None:
        self.wire = Wire(url, token, timeout, tries)

    @reads("jackpots/")
    def jackpots(self, **asked: Unpack[JackpotFilters]) -> Listing:
        """Jackpots with their balances."""
        return self._listing("jackpots/", asked)

    @reads("jackpots/{code}/")
    def jackpot(self, code: str) -> Row:
        """One jackpot: balances, counters, state, version, limit and what its signs may show."""
        return self._row(f"jackpots/{_part(code)}/")

    @reads("jackpots/{code}/entries/")
    def entries(self, code: str, **asked: Unpack[EntryFilters]) -> Listing:
        """The books of a jackpot, newest first unless you say; `falls=True`: why its meter fell."""
        return self._listing(f"jackpots/{_part(code)}/entries/", asked)

    @reads("jackpots/{code}/versions/")
    def versions(self, code: str, **asked: Unpack[NumberedFilters]) -> Listing:
        """Every set of terms a jackpot ever had."""
        return self._listing(f"jackpots/{_part(code)}/versions/", asked)

    @reads("tables/")
    def tables(self, **asked: Unpack[TableFilters]) -> Listing:
        """Tables with their state, last round and link."""
        return self._listing("tables/", asked)

    @reads("tables/{code}/")
    def table(self, code: str) -> Row:
        return self._row(f"tables/{_part(code)}/")

    @reads("rounds/")
    def rounds(self, **asked: Unpack[RoundFilters]) -> Listing:
        """What was counted, table by table, newest first."""
        return self._listing("rounds/", asked)

    @reads("rounds/{code}/{number}/")
    def round(self, table: str, number: int) -> Row:
        """One round with every entry it caused."""
        return self._row(f"rounds/{_part(table)}/{number}/")

    @reads("wins/")
    def wins(self, **asked: Unpack[WinFilters]) -> Listing:
        """Hits and wins, newest first."""
        return self._listing("wins/", asked)

    @reads("slips/{slip}/")
    def slip(self, number: int) -> Row:
        """One win by its one public number."""
        return self._row(f"slips/{number}/")

    @reads("payments/")
    def payments(self, **asked: Unpack[PaymentFilters]) -> Listing:
        """Slips paid at the window, newest first: gross, withheld, net."""
        return self._listing("payments/", asked)

    @reads("adjustments/")
    def adjustments(self, **asked: Unpack[AdjustmentFilters]) -> Listing:
        """Acts of two people on money or state: adjust, transfer, back-out …"""
        return self._listing("adjustments/", asked)

    @reads("requests/")
    def requests(self, **asked: Unpack[RequestFilters]) -> Listing:
        """Everything that one person asked for and another decides."""
        return self._listing("requests/", asked)

    @reads("requests/{id}/")
    def request(self, number: int) -> Row:
        return self._row(f"requests/{number}/")

    @reads("notices/")
    def notices(self, **asked: Unpack[NoticeFilters]) -> Listing:
        """Whom the house has to tell of what, by when."""
        return self._listing("notices/", asked)

    @reads("events/")
    def trail(self, **asked: Unpack[TrailFilters]) -> Listing:
        """Who did, tried, saw or took home what."""
        return self._listing("events/", asked)

    @reads("people/")
    def people(self, **asked: Unpack[PersonFilters]) -> Listing:
        """Who works here."""
        return self._listing("people/", asked)

    @reads("programs/")
    def tokens(self, **asked: Unpack[NumberedFilters]) -> Listing:
        """Tokens of programs: what they may read, until when, last used."""
        return self._listing("programs/", asked)

    @reads("webhooks/")
    def webhooks(self, **asked: Unpack[NumberedFilters]) -> Listing:
        """Addresses that events are sent to, and how far each has come."""
        return self._listing("webhooks/", asked)

    @reads("feed/")
    def feed(self, after: int = 0, *, limit: int = 100, wait: int = 0) -> FeedPage:
        """One page of what happened behind a number; without events there is nothing new.

        With `wait` the house keeps the question for so many seconds (25 at most) until something happens.
        """
        asked = {"after": after, "limit": limit} | ({"wait": wait} if wait else {})
        page = self.wire.read("feed/", asked)
        return FeedPage(page["last"], page["after"], [HouseEvent.read(each) for each in page["results"]])

    def follow(
        self,
        after: int = 0,
        *,
        wait: int = LONGEST_WAIT,
        until_last: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> Iterator[HouseEvent]:
        """Every event behind a number, in order, for ever; with `until_last` it ends when there is nothing new.

        The house keeps each question for `wait` seconds and answers with the first event, so news is here at once.
        Keep the number of each event once it is safe, and begin with it after a restart: nothing is missed.
        """
        held = 0 if until_last else max(0, min(wait, LONGEST_WAIT, int(self.wire.timeout) - 1))
        while True:
            asked_at = time.monotonic()
            page = self.feed(after, limit=LARGEST_PAGE, wait=held)
            yield from page.events
            after = page.after
            if page.events:
                continue
            if until_last:
                return
            if time.monotonic() - asked_at < 1:  # nobody kept the question
                sleep(PAUSE)

    def _listing(self, path: str, asked: Mapping[str, Any]) -> Listing:
        return Listing(self.wire, path, cast("Mapping[str, Asked | None]", asked))

    def _row(self, path: str) -> Row:
        told: Row = self.wire.read(path)
        return told


def _part(code: str) -> str:
    """A code within an address, whatever it holds."""
    return quote(code, safe="")
