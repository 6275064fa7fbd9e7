"""Pages of before are records now: what they printed is carried over, not spelt anew."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import pytest
from django.db import connection

from jackpot.terms.rules.paytable import PartOfMeter
from jackpot.wins.models import Win
from jackpot.wins.rules.award_record import NextRowRecord, OverrideRecord
from tests.scenes_wins import WinFloor
from tests.tables.hits.test_hit import ref_b

pytestmark = pytest.mark.django_db
NEXT_ROW = {"code": "four", "name": "Four of a kind", "worth": "100.00", "own": "60.00", "basis": "1200.00"}
OVERRIDE = {"evidence": "five | ", "why": "mucked", "by": "Olga and Ivan", "against": "another line"}


def carry_over() -> None:
    with connection.cursor() as cursor:
        cursor.execute(import_module("jackpot.migrations.0002_award_records").CARRY_OVER)


def test_what_a_page_printed_is_carried_over_into_its_record() -> None:
    """As pages were kept before: amounts under other names, the pay in words, and how it was paid beside it."""
    (win,) = WinFloor().won({3: "five"})
    record = win.record
    assert record.meter is not None
    assert isinstance(record.pays, PartOfMeter)
    plain = record.plain()
    old = {name: plain[name] for name in ("basis", "source", "wager", "order", "freeze", "envy", "cards")} | plain[
        "drawn"
    ]
    old |= {"pays": str(record.pays), "method": "cheque", "cheque": "000123", "window": "window 2"}
    old |= {"next_row": {**NEXT_ROW, "pays": "100 for 1"}, "override": OVERRIDE}
    old |= {f"meter_{when}": plain["meter"][when] for when in ("before", "after")}
    old |= {"reserve_after": plain["meter"]["reserve_after"]}
    Win.objects.update(paper=old, paid_method="")
    carry_over()
    now = Win.objects.get()
    four = NextRowRecord.of({**NEXT_ROW, "pays": {"for_one": 100}})
    assert now.record == replace(record, next_row=four, override=OverrideRecord.of(OVERRIDE))
    assert (now.override_given, now.paid_method, now.paid_cheque, now.paid_window) == (
        OverrideRecord.of(OVERRIDE), "cheque", "000123", "window 2",
    )  # fmt: skip


def test_a_hit_that_nobody_approved_has_no_record() -> None:
    floor = ref_b()
    floor.coin_in("12")
    floor.mark(1, "five")
    Win.objects.update(paper={})
    carry_over()
    assert (Win.objects.get().paper, Win.objects.get().override) == (None, None)
