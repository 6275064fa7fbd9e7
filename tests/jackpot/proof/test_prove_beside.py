"""What stands beside the entries: gaming days, payments, what two people signed, the reading of the old system.

Changed with every right and sealed again, payments too; all three proofs name it, in the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from jackpot.books.rules.seal import microseconds
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.proof.rules.days import UNSURE, DayClock, GamingClock
from jackpot.property.rules.gaming_day import gaming_day
from jackpot.property.rules.tax import TaxRule
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.setup.actions.floor import PropertyFacts, alter_property
from tests import databases
from tests.builders import a_pay_table, a_person
from tests.jackpot.proof.test_prove_awards import LINES, won
from tests.reseal import damage
from tests.scenes import played
from tests.scenes_adjusting import done
from tests.scenes_wins import backed_out
from tests.stranger import found_by_all, nothing_disagrees
from tests.tables.hits.test_hit import Floor


def an_evening() -> None:
    """Three wins paid under a tax rule, one backed out after it; an adjustment that no later award counts from."""
    floor = Floor(2, meter="79998.60", reserve="617.15", rate="70", pay_table=a_pay_table(lines=LINES, source="meter"))
    taxes = TaxRule(date(2020, 1, 1), Money.of("600"), 0, Money.of("5000"), 240_000)
    declare_tax(premises=floor.casino.premises, rule=taxes, by="tests")
    for seats, hands in (("135", {3: "straight_flush"}), ("26", {6: "full_house", 2: "straight_flush"})):
        won(floor, seats, hands)
    for win in Win.objects.filter(slip__isnull=False).order_by("slip"):
        redeem(slip=win.slip or 0, payer=a_person(f"cage-{win.pk}"), form_seen=True)
    backed_out(Win.objects.filter(line="straight_flush").latest("id"))
    floor.casino.jackpot.refresh_from_db()
    done("adjust", floor.casino.jackpot, amount="15.00")
    floor.coin_ins(7)


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, an_evening) as name:
        yield name


FIRST_AWARD = "kind = 'award' AND seq = (SELECT min(seq) FROM jackpot_entry WHERE kind = 'award')"
FIRST_PAYMENT = "slip = (SELECT min(slip) FROM jackpot_payment)"
DAMAGED = [
    (f"UPDATE jackpot_entry SET gaming_day = gaming_day - 1 WHERE {FIRST_AWARD}", "its gaming day: expected "),
    ("UPDATE jackpot_entry SET gaming_day = gaming_day + 1 WHERE seq > 20", "its gaming day: expected "),
    ("UPDATE jackpot_entry SET occurred_at = occurred_at - interval '2 days'", "its gaming day: expected "),
    ("UPDATE tables_round SET gaming_day = gaming_day - 1 WHERE number = 1", "the gaming day of round UTH-01/1"),
    ("UPDATE jackpot_win SET gaming_day = gaming_day - 1 WHERE number = 2", "the gaming day of slip 2: expected "),
    (f"UPDATE jackpot_payment SET withheld = withheld - 100, net = net + 100 WHERE {FIRST_PAYMENT}",
     "what was withheld of this payment: expected 1919.77, found 1819.77"),
    ("UPDATE jackpot_payment SET withheld = 1, net = net - 1 WHERE withheld = 0",
     "what was withheld of this payment: expected 0.00, found 1.00"),
    (f"UPDATE jackpot_payment SET gross = gross + 9, net = net + 9 WHERE {FIRST_PAYMENT}", "the sum of this payment"),
    (f"UPDATE jackpot_payment SET reported = false WHERE {FIRST_PAYMENT}", "whether this payment is reported"),
    (f"UPDATE jackpot_payment SET gaming_day = gaming_day - 1 WHERE {FIRST_PAYMENT}", "the gaming day of this payment"),
    ("DELETE FROM jackpot_payment WHERE slip = 2", "the record of this payment: expected one, found none"),
    ("UPDATE jackpot_payment SET entry = entry + 9 WHERE slip = 2", "the entry of slip 2: expected a payment"),
    ("UPDATE jackpot_datedtax SET rate = 100000", "what was withheld of this payment: expected 799."),
    ("UPDATE jackpot_entry SET meter = meter + 1000, house = house - 1000 WHERE kind = 'adjust'",
     "what Adjustment 2 moved: expected meter +15.00, house -15.00, found meter +1015.00, house -1015.00"),
    ("DELETE FROM jackpot_requestentry", "who signed this adjust: expected a request that was approved, found none"),
    ("UPDATE jackpot_entry SET meter = meter + 50, outside = outside - 50 WHERE kind = 'take_over'",
     "what the reading of the old system brings: expected "),
    ("UPDATE jackpot_entry SET reserve = reserve + 50, outside = outside - 50 WHERE kind = 'take_over'",
     "what the reading of the old system brings: expected "),
]  # fmt: skip


def test_the_evening_proves_also_sealed_again(books: None) -> None:
    damage("SELECT 1")
    assert nothing_disagrees()


@pytest.mark.parametrize(("statement", "named"), DAMAGED)
def test_what_stands_beside_the_entries_is_held_against_them_by_all(books: None, statement: str, named: str) -> None:
    damage(statement)
    ours, of_the_file, strangers = found_by_all()
    assert any(named in finding for finding in strangers), strangers
    assert of_the_file == strangers <= ours
    beside = ours - strangers  # the day of a request's own row stays in the house
    assert all(finding.startswith("[adjustment]") and "the gaming day of" in finding for finding in beside), beside


def test_a_payment_that_no_longer_gives_its_own_seal_is_named_where_the_names_are(books: None) -> None:
    damage("SELECT 1")
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE jackpot_payment SET payer_name = 'Somebody else' WHERE {FIRST_PAYMENT}")
    ours, of_the_file, strangers = found_by_all()
    assert len(ours) == 1
    assert "the seal of the record of this payment" in ours.pop()
    assert of_the_file == strangers == set()


@pytest.mark.django_db
def test_a_house_that_changed_its_clock_still_proves() -> None:
    floor = Floor(2)
    floor.coin_ins(5)
    floor.coin_in("1")
    premises = floor.casino.premises
    facts = PropertyFacts(premises.name, premises.address, "Pacific/Auckland", 120)
    alter_property(premises=premises, facts=facts, by="tests")
    floor.coin_ins(5)
    assert nothing_disagrees()


ZONES = ("America/Los_Angeles", "Europe/Vienna", "Australia/Lord_Howe", "America/Havana", "UTC")
MOMENTS = st.datetimes(datetime(2025, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001


@given(MOMENTS, st.sampled_from(ZONES), st.integers(0, 1439), st.timedeltas(timedelta(0), timedelta(days=2)))
def test_within_its_span_every_moment_has_the_day_of_the_clock(
    moment: datetime, zone: str, roll: int, later: timedelta
) -> None:
    clock = DayClock([GamingClock(0, zone, roll)])
    begins, ends, day = clock.window_at(microseconds(moment))
    other = microseconds(moment + later)
    if begins <= other < ends:
        assert [day] == clock.days_at(other) == [gaming_day(moment + later, zone, roll).isoformat()]


def test_while_the_clock_is_changed_both_days_may_stand() -> None:
    changed = microseconds(datetime(2026, 11, 18, 7, 0, tzinfo=ZoneInfo("UTC")))
    clock = DayClock([GamingClock(0, "UTC", 360), GamingClock(changed, "UTC", 480)])
    assert clock.days_at(changed - 1) == ["2026-11-18"]
    assert clock.days_at(changed + 1) == ["2026-11-17", "2026-11-18"]
    assert clock.days_at(changed + UNSURE) == ["2026-11-17"]
    assert clock.window_at(changed + 1).day == ""
