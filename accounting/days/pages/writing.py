"""The forms of the close: a reading, a count, a balance, an explanation, a signature. Each makes one call."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final

from babel.numbers import get_currency_precision
from django.http import HttpRequest
from django.utils import timezone

from accounting.days.actions import writing
from accounting.days.actions.steps import take_step
from accounting.days.models import ChipPlace, Explanation
from accounting.days.pages.close import DONE
from accounting.days.rules.day_life import DayAct
from accounting.days.rules.piles import pile_of
from accounting.days.rules.typed import typed_amount, typed_number
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import jackpots
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of, of_house
from jackpot.reading import read_clock
from jackpot.refusals import NotFound, NotUnderstood
from jackpot.signing.actions import sign
from jackpot.signing.pages import approver_here, proof_here
from jackpot.web.pages.posting import posts, word
from jackpot.web.templatetags.figures import day as day_words

CLOSES: Final = ("close_day",)
READS: Final = ("close_day", "count", "verify")
COUNTS: Final = ("count",)
COUNTS_FEES: Final = ("close_day", "count")


@posts(*READS, back_to="day")
def day_read(request: HttpRequest, on: date) -> str:
    """What a sign shows, typed by who stands before it."""
    person, house = _who(request)
    jackpot: Jackpot | None = jackpots(person).filter(code=word(request, "jackpot", 20)).first()
    if jackpot is None:
        raise NotFound("Choose the jackpot whose sign was read.", "no_jackpot")
    shown = typed_amount(word(request, "shown", 40), "figure on the sign", _digits(jackpot))
    at = _moment(house, on, word(request, "at", 5))
    # On the page of a day that is over, "now" is another day's.
    if house.gaming_day(at) != on:
        why = f"Now is {day_words(house.gaming_day(at))}. Write at what time of {day_words(on)} the sign was read."
        raise NotUnderstood(why, "at")
    row = writing.read_sign(jackpot=jackpot, shown=shown, at=at, by=person, sign=word(request, "sign", 20))
    return f"The reading of {jackpot.code} is noted for {day_words(row.day)}."


@posts(*COUNTS, back_to="day")
def day_count(request: HttpRequest, on: date) -> str:
    """One person's count of one table's chips of one size; the page never tells what somebody else counted."""
    person, house = _who(request)
    chips = typed_number(word(request, "chips", 12), "count of chips", 0, writing.MOST_CHIPS)
    # 41 letters: the codes of a table and of a wager, 20 each, and the space between them.
    code, wager = pile_of(word(request, "table", 41))
    row = writing.count_chips(premises=house, day=on, table_code=code, wager=wager, chips=chips, by=person)
    return f"Your count of {row.pile} is noted."


@posts(*CLOSES, back_to="day")
def day_balance(request: HttpRequest, on: date) -> str:
    """What a statement of the bank says of this day."""
    person, house = _who(request)
    amount = typed_amount(word(request, "amount", 40), "balance of the bank")
    writing.type_balance(premises=house, amount=amount, as_of=on, by=person)
    return f"The balance of {day_words(on)} is noted."


@posts(*COUNTS_FEES, back_to="day")
def day_fees(request: HttpRequest, on: date) -> str:
    """What the drop box of one table held."""
    person, house = _who(request)
    amount = typed_amount(word(request, "amount", 40), "drop", get_currency_precision(house.currency))
    row = writing.count_fees(premises=house, day=on, table_code=word(request, "table", 20), amount=amount, by=person)
    return f"The drop of {row.table_code} is noted."


@posts(*CLOSES, back_to="day")
def day_chips(request: HttpRequest, **_: date) -> str:
    """Whether chips fall into a box of their own."""
    person, house = _who(request)
    where = word(request, "where", 4)
    if where not in ChipPlace.Where.values:
        raise NotUnderstood("Choose where the chips fall: a box of their own, or the dealer's tray.", "where")
    row = writing.put_chips(premises=house, where=ChipPlace.Where(where), by=person)
    return f"From now on the chips of {house.name} fall into: {row}."


@posts(*CLOSES, back_to="day")
def day_sign_explanation(request: HttpRequest, on: date) -> str:
    """The second person's word on an explanation, with proof of presence."""
    person, house = _who(request)
    number = typed_number(word(request, "explanation", 18), "explanation", 1, 2**53)
    row = of_house(Explanation.objects.filter(pk=number, day=on), person).filter(premises=house).first()
    if row is None:
        raise NotFound("There is no such explanation on this day.", "no_explanation")
    signs = approver_here(request, row)
    sign(request_id=row.pk, approver=signs)
    return f"{signs.operator} signed that {row.subject} is explained."


@posts(*CLOSES, back_to="day")
def day_step(request: HttpRequest, on: date) -> str:
    """A step of the day's life: sign, close, take back, ask to open, keep, open."""
    person, house = _who(request)
    act = word(request, "act", 8)
    if act not in set(DayAct):
        raise NotUnderstood("Choose what to do with the day.", "act")
    take_step(premises=house, day=on, act=DayAct(act), by=person, why=word(request, "why"), proof=proof_here(request))
    return f"{person} {DONE[DayAct(act)]}: {day_words(on)}."


def _who(request: HttpRequest) -> tuple[Operator, Property]:
    person, house = request.user, house_of(request.user)
    assert isinstance(person, Operator)
    if house is None:
        raise NotFound("There is no house yet.", "no_house")
    return person, house


def _digits(jackpot: Jackpot) -> int:
    return 2 if jackpot.version is None else jackpot.version.value.digits


def _moment(house: Property, on: date, typed: str) -> datetime:
    """The local time of a reading on this gaming day; nothing typed means now."""
    if not typed:
        return timezone.now()
    try:
        clock = read_clock(typed)
    except ValueError:
        raise NotUnderstood("Write the time of the reading like 05:45.", "at") from None
    rolls_at = time(*divmod(house.day_roll_minutes, 60))
    # What the clock shows before the roll still belongs to the gaming day that began the morning before.
    date_there = on + timedelta(days=1) if clock < rolls_at else on
    return datetime.combine(date_there, clock, house.zone)
