"""What each list may be asked with. The names are those of the API, and of nothing else."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

Day = date | str
Moment = datetime | str
Amount = Decimal | str


class PageFilters(TypedDict, total=False):
    limit: int


class NumberedFilters(PageFilters, total=False):
    cursor: int
    order: str


class CodedFilters(PageFilters, total=False):
    cursor: str
    order: str


class JackpotFilters(CodedFilters, total=False):
    state: str


class TableFilters(CodedFilters, total=False):
    state: str
    jackpot: str


class PersonFilters(CodedFilters, total=False):
    role: str


class EntryFilters(NumberedFilters, total=False):
    kind: str
    day: Day
    table: str
    round: int
    falls: bool


class RoundFilters(PageFilters, total=False):
    cursor: str
    order: str
    table: str
    day: Day
    state: str


class WinFilters(NumberedFilters, total=False):
    state: str
    table: str
    jackpot: str
    round: int
    slip: int
    day: Day


class AdjustmentFilters(NumberedFilters, total=False):
    state: str
    kind: str
    jackpot: str


class RequestFilters(NumberedFilters, total=False):
    state: str
    kind: str


class NoticeFilters(NumberedFilters, total=False):
    state: str
    about: str


class TrailFilters(NumberedFilters, total=False):
    actor: str
    act: str
    subject: str
    outcome: str
    object: str
    person: str
    since: Moment
    until: Moment
