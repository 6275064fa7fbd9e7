"""What was paid for a win that was backed out: how much is out, what a receipt gives back; then on real books."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from jackpot.books.models.entry import Entry
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import ZERO, Money
from jackpot.proof.rules.findings import Findings
from jackpot.proof.rules.payments import PaymentFound
from jackpot.proof.rules.receipts import ReceiptFound, check_receipts
from jackpot.property.rules.tax import TaxRule
from jackpot.refusals import AlreadyPosted, Refused
from jackpot.trail.models import Trail
from jackpot.wins.actions.pay import redeem
from jackpot.wins.actions.receive import receive_back
from jackpot.wins.models import WindowReceipt
from jackpot.wins.rules.paid_in_error import PaidInError, ReceiptSum
from tests.databases import TestServer
from tests.reseal import damage
from tests.scenes import changed_and_restored, played
from tests.scenes_adjusting import person
from tests.scenes_wins import WinFloor, backed_out
from tests.stranger import found_by_all, nothing_disagrees


def money(text: str) -> Money:
    return Money.of(text)


@pytest.mark.parametrize(
    ("came_back", "amount", "gives"),
    [
        ((), "760.00", ("760.00", "240.00")), ((), "500.00", ("500.00", "0.00")),
        (("500.00",), "260.00", ("260.00", "240.00")), (("500.00", "100.00"), "100.00", ("100.00", "0.00")),
        ((), "760.01", None), (("760.00",), "0.01", None), ((), "0.00", None), ((), "-1.00", None),
    ],
)  # fmt: skip
def test_a_receipt_takes_at_most_what_is_out_and_the_last_gives_the_tax_back(
    came_back: tuple[str, ...], amount: str, gives: tuple[str, str] | None
) -> None:
    error = PaidInError(money("760.00"), money("240.00"), tuple(map(money, came_back)))
    due = error.receipt(money(amount))
    assert due == (None if gives is None else ReceiptSum(*map(money, gives)))
    assert due is None or due.gross == sum((due.net, due.withheld), ZERO)


def test_where_everything_was_withheld_one_receipt_of_nothing_releases_the_tax() -> None:
    error = PaidInError(ZERO, money("1000.00"))
    assert error.is_open
    assert error.receipt(ZERO) == ReceiptSum(ZERO, money("1000.00"))
    assert error.receipt(money("0.01")) is None
    closed = PaidInError(ZERO, money("1000.00"), (ZERO,))
    assert not closed.is_open
    assert closed.receipt(ZERO) is None


class PaidAndUndone:
    """A royal of 20,000.00 under a tax of a quarter, paid and then backed out; play goes on beside it."""

    def __init__(self, *, undone: bool = True, rate: int = 250_000) -> None:
        self.floor = WinFloor(2)
        self.jackpot, self.house = self.floor.casino.jackpot, self.floor.casino.premises
        rule = TaxRule(self.house.gaming_day(self._now()), money("1200.00"), 0, money("5000.00"), rate, False)
        declare_tax(premises=self.house, rule=rule, by="tests")
        self.win = self.floor.royal()
        redeem(slip=1, payer=person("cage"), premises=self.house, form_seen=True)
        if undone:
            backed_out(self.win)

    def _now(self) -> Any:
        from django.utils import timezone

        return timezone.now()

    def take(self, number: int, amount: str, **more: Any) -> WindowReceipt:
        told = {"slip": 1, "number": number, "amount": money(amount), "taker": person("cage"), "premises": self.house}
        return receive_back(**{**told, **more})

    def stands(self) -> dict[str, str]:
        self.jackpot.refresh_from_db()
        balances = self.jackpot.balances
        return {word: str(Money(getattr(balances, word))) for word in ("meter", "reserve", "house", "winners", "paid")}


@pytest.mark.django_db
def test_what_comes_back_makes_the_house_good_and_touches_neither_meter_nor_reserve() -> None:
    scene = PaidAndUndone()
    before = scene.stands()
    assert (before["paid"], before["winners"]) == ("20000.00", "0.00")
    scene.take(1, "6000.00")
    after = scene.stands()
    assert (after["meter"], after["reserve"], after["paid"]) == (before["meter"], before["reserve"], "14000.00")
    assert money(after["house"]) - money(before["house"]) == money("6000.00")
    last = scene.take(2, "9000.00", method="cheque", reference="4711", place="Window 2")
    assert (str(Money.of(last.net)), str(Money.of(last.withheld))) == ("9000.00", "5000.00")
    assert scene.stands()["paid"] == "0.00"
    assert scene.stands()["house"] == str(money(before["house"]) + money("20000.00"))
    kinds = Entry.objects.filter(kind="receipt").order_by("seq").values_list("key", flat=True)
    assert list(kinds) == [f"receipt/{scene.win.pk}/1", f"receipt/{scene.win.pk}/2"]
    assert Trail.objects.filter(act="receive_back", object_key="1").count() == 2
    assert nothing_disagrees()


@pytest.mark.django_db
def test_a_receipt_is_taken_once_and_never_more_than_is_out() -> None:
    scene = PaidAndUndone()
    first = scene.take(1, "6000.00")
    assert scene.take(1, "6000.00").pk == first.pk
    with pytest.raises(AlreadyPosted, match=r"Receipt 1 for slip 1 was 6000.00 \(cash\), taken by Test Cage"):
        scene.take(1, "7000.00")
    for other in ({"method": "cheque", "reference": "77"}, {"place": "Window 2"}, {"taker": person("second")}):
        with pytest.raises(AlreadyPosted, match=r"was 6000.00 \(cash\), taken by Test Cage"):
            scene.take(1, "6000.00", **other)
    with pytest.raises(Refused, match="next receipt for slip 1 is number 2"):
        scene.take(3, "1.00")
    with pytest.raises(Refused, match=r"9000.00 is still out; 9000.01 cannot be taken"):
        scene.take(2, "9000.01")
    with pytest.raises(Refused, match="write 2 decimals at most"):
        scene.take(2, "0.001")
    scene.take(2, "9000.00")
    with pytest.raises(Refused, match="Everything of slip 1 came back already"):
        scene.take(3, "0.01")
    assert WindowReceipt.objects.count() == Entry.objects.filter(kind="receipt").count() == 2
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        WindowReceipt.objects.update(net=1)


@pytest.mark.django_db
def test_a_payment_of_which_everything_was_withheld_comes_back_by_a_receipt_of_nothing() -> None:
    scene = PaidAndUndone(rate=1_000_000)
    before = scene.stands()
    assert before["paid"] == "20000.00"
    with pytest.raises(Refused, match=r"0.00 is still out; 1.00 cannot be taken"):
        scene.take(1, "1.00")
    with pytest.raises(Refused, match=r"0.00 for slip 1 comes back with the method “none”"):
        scene.take(1, "0.00")
    row = scene.take(1, "0.00", method="none")
    assert [str(Money.of(each)) for each in (row.gross, row.withheld, row.net)] == ["20000.00", "20000.00", "0.00"]
    after = scene.stands()
    assert (after["paid"], after["meter"], after["reserve"]) == ("0.00", before["meter"], before["reserve"])
    assert scene.take(1, "0.00", method="none").pk == row.pk
    with pytest.raises(Refused, match="Everything of slip 1 came back already"):
        scene.take(2, "0.00", method="none")
    assert nothing_disagrees()


@pytest.mark.django_db
def test_money_never_comes_back_by_nothing() -> None:
    scene = PaidAndUndone()
    with pytest.raises(Refused, match=r"0.00 cannot be taken for it"):
        scene.take(1, "0.00", method="none")
    with pytest.raises(Refused, match=r"15000.00 for slip 1 comes back in cash or by cheque"):
        scene.take(1, "15000.00", method="none")


@pytest.mark.django_db
def test_nothing_comes_back_of_what_was_not_paid_in_error() -> None:
    scene = PaidAndUndone(undone=False)
    with pytest.raises(Refused, match=r"Slip 1 is paid: nothing of it was paid in error. If it was, have the win"):
        scene.take(1, "1.00")
    owed = scene.floor.won({5: "five"}, table=1)[0]
    backed_out(owed)
    with pytest.raises(Refused, match="Slip 2 is backed out and was never paid"):
        scene.take(1, "1.00", slip=2)
    with pytest.raises(Refused, match="There is no slip 9 here"):
        scene.take(1, "1.00", slip=9)


PAYMENT = "[payment] GRAND/"


def _taken_back_in_two() -> None:
    scene = PaidAndUndone()
    scene.take(1, "6000.00")
    scene.take(2, "9000.00")


def test_the_tax_is_given_back_once() -> None:
    """Beside two receipts of the whole, one more that brings nothing and takes the tax again."""
    day, findings = date(2026, 11, 18), Findings()
    steps = [("pay", 1000), ("back_out", 0), ("receipt", -1000), ("receipt", -240)]
    kept: Any = [
        SimpleNamespace(row=SimpleNamespace(kind=kind, seq=seq, win="7", seal=f"s{seq}", day=str(day)),
                        moved=SimpleNamespace(paid=paid))
        for seq, (kind, paid) in enumerate(steps, start=1)
    ]  # fmt: skip
    payment = PaymentFound(1, "s1", 1, day, 1000, 240, 760, True, 2)
    receipts = [ReceiptFound(3, "s3", 1, day, 1000, 240, 760), ReceiptFound(4, "s4", 1, day, 240, 240, 0)]
    wins: Any = {"7": SimpleNamespace(slip=1)}
    check_receipts("GRAND", kept, receipts, [payment], wins, findings)
    assert [(each.where, each.what) for each in findings.listed] == [
        ("GRAND/4", "what it gives back of the tax withheld")
    ]


@pytest.fixture(scope="module")
def scene(test_server: TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, _taken_back_in_two) as name:
        yield name


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("UPDATE jackpot_windowreceipt SET gross = gross + 1, net = net + 1", "the sum of this receipt"),
        ("UPDATE jackpot_windowreceipt SET withheld = withheld - 1, net = net + 1 WHERE withheld > 0",
         "what it gives back of the tax withheld"),
        ("UPDATE jackpot_entry SET paid = paid - 1, house = house + 1 WHERE kind = 'receipt' AND paid = -6000",
         "the sum of this receipt"),
        ("DELETE FROM jackpot_windowreceipt WHERE number = 2", "the record of this receipt"),
        ("UPDATE jackpot_windowreceipt SET entry = 1 WHERE number = 2", "the entry of the receipt for slip 1"),
    ],
)  # fmt: skip
def test_a_receipt_that_somebody_changes_is_named_by_all_three_proofs(
    scene: str, test_server: TestServer, django_db_blocker: Any, change: str, named: str
) -> None:
    with changed_and_restored(test_server, django_db_blocker, scene):
        damage(change)
        for told in found_by_all():
            assert any(line.startswith(PAYMENT) and named in line for line in told), told
