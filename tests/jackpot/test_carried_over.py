"""What older books said by name: carried over to keys where a name is one person's, and to nobody otherwise."""

from __future__ import annotations

import pkgutil
from dataclasses import replace
from importlib import import_module

import pytest
from django.db import connection

import jackpot.migrations
import tables.migrations
from jackpot.people.actions.people import alter_person
from jackpot.people.models import Operator
from jackpot.terms.rules.paytable import PartOfMeter
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.award_record import NextRowRecord, OverrideRecord
from tables.hits.models.open_case import OpenCase
from tests.builders import a_person
from tests.tables.hits.test_hit import Floor, ref_b

pytestmark = pytest.mark.django_db
NEXT_ROW = {"code": "four", "name": "Four of a kind", "worth": "100.00", "own": "60.00", "basis": "1200.00"}
OVERRIDE = {"evidence": "five | ", "why": "mucked", "by": "Olga and Ivan", "against": "another line"}


def run(package: object, ending: str, name: str) -> None:
    [found] = [each.name for each in pkgutil.iter_modules(package.__path__) if each.name.endswith(ending)]  # type: ignore[attr-defined]
    with connection.cursor() as cursor:
        cursor.execute(getattr(import_module(f"{package.__name__}.{found}"), name))  # type: ignore[attr-defined]


def paid_hit() -> Floor:
    floor = ref_b()
    floor.coin_in("12")
    floor.mark(1, "five")
    floor.confirm()
    floor.card()
    redeem(slip=1, payer=a_person("cage"))
    return floor


@pytest.mark.parametrize(
    ("names", "marked_by", "marker"),
    [
        (("Ann", "Bob"), "Ann", "ann"),
        (("Ann", "Ann"), "Ann", None),
        (("Ann", "Bob"), "Cat", None),
        (("", "Bob"), "ann", "ann"),
        (("Ann", "Bob"), "nobody badged in at UTH-01", None),
    ],
    ids=["one person's", "two namesakes", "nobody's", "without a name", "no badge"],
)
def test_a_marker_is_carried_over_where_the_name_is_one_persons(
    names: tuple[str, str], marked_by: str, marker: str | None
) -> None:
    paid_hit()
    for username, name in zip(("ann", "bob"), names, strict=True):
        alter_person(operator=a_person(username), name=name, roles=[], by="tests")
    Win.objects.update(marker=None, payer=None, marked_by=marked_by)
    run(jackpot.migrations, "people_are_keys", "CARRY_OVER")
    win = Win.objects.select_related("marker", "payer").get()
    assert (win.marker and win.marker.username, win.marked_by) == (marker, marked_by)
    assert win.payer is not None
    assert win.payer.username == "cage", "who paid has signed with a key"


def test_an_open_late_claim_is_signed_by_the_two_who_opened_it() -> None:
    floor = ref_b()
    floor.coin_in("12")
    floor.mark(1, "five")
    people = {"executive": Operator.objects.get(username="executive"), "second": a_person("other")}
    OpenCase.objects.create(
        kind="claimed", table=floor.casino.table, round_number=1, reason="forgotten", evidence="camera 7",
        at=Win.objects.get().marked_at, **people,
    )  # fmt: skip
    for _ in range(2):
        run(tables.migrations, "claims_signed", "SIGN_CLAIMS")
    said = Signature.objects.order_by("operator__username").values_list("operator__username", "part", "why")
    assert list(said) == [("executive", "claim", "forgotten"), ("other", "claim", "forgotten")]


def test_what_a_page_printed_is_carried_over_into_its_record() -> None:
    """As pages were kept before: amounts under other names, the pay in words, and how it was paid beside it."""
    paid_hit()
    win = Win.objects.get()
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
    run(jackpot.migrations, "award_records", "CARRY_OVER")
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
    run(jackpot.migrations, "award_records", "CARRY_OVER")
    assert (Win.objects.get().paper, Win.objects.get().override) == (None, None)
