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


class AmountFilters(TypedDict, total=False):
    amount_min: Amount
    amount_max: Amount


class DayFilters(TypedDict, total=False):
    day: Day
    from_day: Day
    to_day: Day


class MomentFilters(TypedDict, total=False):
    since: Moment
    until: Moment


class WinFilters(AmountFilters, DayFilters, NumberedFilters, total=False):
    state: str
    table: str
    jackpot: str
    round: int
    slip: int
    person: str


class PaymentFilters(AmountFilters, DayFilters, MomentFilters, NumberedFilters, total=False):
    jackpot: str
    slip: int
    method: str
    person: str


class AdjustmentFilters(AmountFilters, MomentFilters, NumberedFilters, total=False):
    state: str
    kind: str
    jackpot: str
    person: str


class RequestFilters(MomentFilters, NumberedFilters, total=False):
    state: str
    kind: str
    person: str


class NoticeFilters(NumberedFilters, total=False):
    state: str
    about: str


class TrailFilters(MomentFilters, NumberedFilters, total=False):
    actor: str
    act: str
    subject: str
    outcome: str
    object: str
    person: str
