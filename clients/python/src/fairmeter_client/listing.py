"""A list of the house: rows as one asks for them, page after page, without any missing or coming twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fairmeter_client.wire import Asked, Wire

Row = dict[str, Any]


@dataclass(frozen=True)
class Listing:
    """Loop over it: the next page is read when it is needed. What is added meanwhile moves no page."""

    wire: Wire
    path: str
    asked: Mapping[str, Asked | None]

    def __iter__(self) -> Iterator[Row]:
        page = self.first_page()
        while True:
            yield from page["results"]
            if page["next"] is None:
                return
            page = self.wire.read_address(page["next"])

    def first_page(self) -> Row:
        """One answer as it is: `results`, and `next`, the address of the page behind it, or None."""
        page: Row = self.wire.read(self.path, self.asked)
        return page

    def totals(self) -> Row:
        """The totals over all rows of the list, computed by the house: amounts as exact texts."""
        page = self.wire.read(self.path, {**self.asked, "totals": True, "limit": 1})
        told: Row = page["totals"]
        return told
