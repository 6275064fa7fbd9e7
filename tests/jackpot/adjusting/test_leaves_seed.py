"""A transfer that leaves the seed: what players put in goes, what is the house's stays."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.queries import seed_in_meter
from jackpot.adjusting.rules.adjusting import sent_less_seed
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.movement import Balances
from jackpot.money import UNIT, Money
from jackpot.refusals import Refused
from tests.builders import a_jackpot, a_person, terms
from tests.scenes_adjusting import asked, by_others, done
from tests.scenes_configure import AT_ONCE, approved
from tests.tables.hits.test_hit import ref_b
from tests.tables.requests.test_configure import royal, undone


def balances(jackpot: Jackpot) -> tuple[str, str, str]:
    jackpot.refresh_from_db()
    return str(Money.of(jackpot.meter)), str(Money.of(jackpot.reserve)), str(Money.of(jackpot.overflow))


@pytest.mark.parametrize(("meter", "goes"), [(18_641, 8_641), (10_000, 0), (9_000, 0)])
def test_the_meter_above_the_seed_goes_with_reserve_and_overflow(meter: int, goes: int) -> None:
    before = Balances(meter=meter * UNIT, reserve=617 * UNIT, overflow=3 * UNIT, outside=-(meter + 620) * UNIT)
    sent = sent_less_seed(before, terms().seed)
    assert (sent.meter, sent.reserve, sent.overflow, sent.outside) == (
        -goes * UNIT, -617 * UNIT, -3 * UNIT, (goes + 620) * UNIT,
    )  # fmt: skip


@pytest.mark.django_db
def test_the_seed_stays_and_the_request_says_so() -> None:
    one, other = a_jackpot("GRAND", meter="18641.50", reserve="617.25"), a_jackpot("NEXT")
    row = done("transfer", one, other=other, leaves_seed=True)
    assert balances(one) == ("10000.00", "0.00", "0.00")
    assert balances(other) == ("18641.50", "617.25", "0.00")
    with pytest.raises(DatabaseError, match="what was asked for and posted stays"), transaction.atomic():
        Adjustment.objects.filter(pk=row.pk).update(leaves_seed=False)
    with pytest.raises(Refused, match="GRAND holds no more than its seed"):
        asked("transfer", one, other=other, leaves_seed=True)


@pytest.mark.django_db
def test_it_is_computed_as_of_the_signature_and_takes_no_typed_amount() -> None:
    one, other = a_jackpot("GRAND", meter="12000.00"), a_jackpot("NEXT")
    with pytest.raises(Refused, match="Meter less seed is computed"):
        asked("transfer", one, other=other, amount="5.00", leaves_seed=True)
    with pytest.raises(Refused, match="Name the one that takes it"):
        asked("retire", one, reading="12000.00", leaves_seed=True)
    with pytest.raises(Refused, match="Name the one that takes it"):
        asked("adjust", one, amount="5.00", leaves_seed=True)


@pytest.mark.django_db
def test_a_retirement_may_leave_the_seed_as_well() -> None:
    one, other = a_jackpot("GRAND", meter="12000.00", reserve="10.00"), a_jackpot("NEXT")
    done("retire", one, reading="12000.00", other=other, leaves_seed=True)
    assert (balances(one), one.state) == (("10000.00", "0.00", "0.00"), "retired")
    assert balances(other) == ("12000.00", "10.00", "0.00")


@pytest.mark.django_db
def test_form_and_api_propose_it_and_an_amount_is_asked_for_where_it_is_chosen() -> None:
    a_jackpot("GRAND", meter="18641.50", reserve="617.25")
    a_jackpot("NEXT")
    client = Client()
    client.force_login(a_person("asker", may=("adjust", "read_books", "see")))
    new = "/office/adjustments/new/"
    page = client.get(f"{new}?kind=transfer&jackpot=GRAND").content.decode()
    assert "$8,641.50 (meter less its seed), reserve and overflow" in page
    told = {
        "kind": "transfer", "jackpot": "GRAND", "other": "NEXT", "ground": "end_of_game", "reason": "end of the game",
        "evidence": "letter 7",
    }  # fmt: skip
    assert "Write how much of the meter goes" in client.post(new, {**told, "goes": "amount"}).content.decode()
    client.post(new, {**told, "goes": "less_seed"})
    row = Adjustment.objects.get()
    assert (row.leaves_seed, row.amount) == (True, None)
    sent = {
        "kind": "transfer", "jackpot": "NEXT", "other": "GRAND", "leaves_seed": True, "amount": "5.00",
        "reason": "end_of_game", "why": "x", "evidence": "y",
    }  # fmt: skip
    answer = client.post(
        "/api/v1/adjustments/", sent, content_type="application/json", headers={"Idempotency-Key": "less-seed-1"}
    )
    assert "Meter less seed is computed" in answer.json()["why"], answer.json()


@pytest.mark.django_db
@pytest.mark.parametrize("seed", ["100.00", "12000.00"])
def test_a_seed_that_was_changed_just_before_moves_neither_the_houses_money_nor_the_players(seed: str) -> None:
    """The meter holds the seed that its first entry posted; other terms post theirs with the next reset."""
    one, other = a_jackpot("GRAND", meter="18641.50", reserve="617.25"), a_jackpot("NEXT")
    by_others("suspend", one)
    approved(one, how=AT_ONCE, seed=seed)
    by_others("transfer", one, other=other, leaves_seed=True)
    other.refresh_from_db()
    assert balances(one) == ("10000.00", "0.00", "0.00")
    assert balances(other) == ("18641.50", "617.25", "0.00")


@pytest.mark.django_db
def test_after_a_reset_the_seed_is_the_one_that_it_posted() -> None:
    floor = ref_b(2)
    approved(floor.casino.jackpot, seed="12000.00")
    royal(floor)
    assert seed_in_meter(floor.casino.jackpot.pk) == Money.of("12000.00")
    undone(1)
    assert seed_in_meter(floor.casino.jackpot.pk) == Money.of("10000.00")
