"""What people write of a gaming day until it closes: readings, counts, balances. Added, never changed."""

from __future__ import annotations

from datetime import date, datetime

from django.db import transaction
from django.utils import timezone

from accounting.days.models import (
    BankBalance,
    ChipCount,
    ChipPlace,
    FeeCount,
    MeterReading,
)
from accounting.days.queries.columns import counts_on
from accounting.days.queries.cover import lock_statements
from accounting.days.queries.days import state_on
from accounting.days.queries.fees import fee_tables
from accounting.days.rules.day_life import SPOKEN, WRITABLE
from accounting.days.rules.piles import pile_name
from accounting.days.rules.reconcile import agreed_count
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import ZERO, Money
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.queries import shift_of
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.models.table import Table
from tables.rounds.models.further import FurtherCoinIn

MOST_CHIPS = 10_000_000


def locked(premises: Property, day: date) -> None:
    """One writer of a day at a time, and none once somebody has signed it."""
    Property.objects.select_for_update(no_key=True).get(pk=premises.pk)
    state = state_on(premises, day)
    if state not in WRITABLE:
        raise NotAllowedNow(f"{day} is {SPOKEN[state]}: nothing is written to it any more.", "closed")


@transaction.atomic
def read_sign(*, jackpot: Jackpot, shown: Money, at: datetime, by: Operator, sign: str = "") -> MeterReading:
    """A person reads a sign; the gaming day and shift are those of the minute of the reading."""
    premises = jackpot.premises
    # A reading is held against what the meter showed in its minute; of a minute to come there is nothing to hold it
    # against.
    if at > timezone.now():
        raise NotUnderstood("The time of the reading lies ahead. Write when the sign was read.", "at")
    if shown < ZERO:
        raise NotUnderstood("A sign shows no amount below zero.", "shown")
    # By the reading's own minute and not by the page it was typed on: before the roll a sign is still that of the
    # evening before.
    day = premises.gaming_day(at)
    locked(premises, day)
    row = MeterReading.objects.create(
        premises=premises, day=day, jackpot=jackpot, sign=sign, shift=shift_of(premises, at),
        shown=shown.decimal(), read_at=at, person=by,
    )  # fmt: skip
    details = {"shown": str(shown), "read_at": at.isoformat(), "sign": sign}
    about = objects.gaming_day(day, premises.pk)
    record(actor=by, act="read_sign", about=about, subject=f"{jackpot.code} {day}", details=details)
    return row


@transaction.atomic
def count_chips(
    *, premises: Property, day: date, table_code: str, chips: int, by: Operator, wager: str = ""
) -> ChipCount:  # fmt: skip
    """One person's count of one wager's chips. What another counted is told to nobody before both are in."""
    locked(premises, day)
    pile = _known_pile(premises, table_code, wager)
    if not 0 <= chips <= MOST_CHIPS:
        raise NotUnderstood(f"A count is a whole number from 0 to {MOST_CHIPS:,}.", "chips")
    before = counts_on(premises, day).get(pile, [])
    if agreed_count(before) is None and before and before[-1].person == by.pk:
        raise NotAllowedNow(f"{by} has counted {pile}. Another person counts it now.", "another")
    row = ChipCount.objects.create(
        premises=premises, day=day, table_code=table_code, wager=wager, chips=chips, person=by
    )  # fmt: skip
    # The figure stands in the row alone: the trail is read by people who may still have to count.
    about = objects.gaming_day(day, premises.pk)
    record(actor=by, act="count_chips", about=about, subject=f"{pile} {day}")
    return row


def _known_pile(premises: Property, table_code: str, wager: str) -> str:
    """A wager that the table takes, or took on a round: it may have been given up since."""
    table = Table.objects.filter(premises=premises, code=table_code).first()
    if table is None:
        raise NotFound(f"There is no table {table_code} in this house.", "no_table")
    taken = table.further_wagers.filter(code=wager) if wager else None
    if taken is not None and not taken.exists() and not FurtherCoinIn.objects.filter(table=table, wager=wager).exists():
        raise NotFound(f"{table_code} has no wager {wager}. Choose one of those it takes.", "wager")
    return pile_name(table_code, wager)


@transaction.atomic
def count_fees(*, premises: Property, day: date, table_code: str, amount: Money, by: Operator) -> FeeCount:
    """What the drop box of a table held in collections. A later line takes the place of an earlier one."""
    locked(premises, day)
    if table_code not in fee_tables(premises, day):
        raise NotFound(f"{table_code} takes no collection on {day}. The set-up desk declares one.", "no_collection")
    if amount < ZERO:
        raise NotUnderstood("A drop box holds no amount below zero.", "amount")
    row = FeeCount.objects.create(premises=premises, day=day, table_code=table_code, amount=amount.decimal(), person=by)
    about = objects.gaming_day(day, premises.pk)
    record(actor=by, act="count_fees", about=about, subject=f"{table_code} {day}", details={"amount": str(amount)})
    return row


@transaction.atomic
def put_chips(*, premises: Property, where: ChipPlace.Where, by: Operator) -> ChipPlace:
    """Whether chips fall into a box of their own: only then can they be counted."""
    row, _ = ChipPlace.objects.update_or_create(premises=premises, defaults={"where": where})
    record(actor=by, act="chip_place", about=objects.house(premises.code), details={"where": where.value})
    return row


@transaction.atomic
def type_balance(*, premises: Property, amount: Money, as_of: date, by: Operator) -> BankBalance:
    """What a statement of the bank says of a day. A later line of the same day takes its place."""
    if as_of > premises.gaming_day(timezone.now()):
        raise NotUnderstood("The statement is of a day that has not come. Write its date.", "as_of")
    locked(premises, as_of)
    # The worker judges by the newest statement and suspends on it; it shall not do so by the one before this.
    lock_statements(premises)
    row = BankBalance.objects.create(premises=premises, day=as_of, as_of=as_of, amount=amount.decimal(), person=by)
    about, subject = objects.gaming_day(as_of, premises.pk), f"{premises.code} {as_of}"
    record(actor=by, act="type_balance", about=about, subject=subject, details={"amount": str(amount)})
    return row
