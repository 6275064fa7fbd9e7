"""The switch of a dry meter, under both values: it stays, or begins anew with what later contributions repay."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.books.rules import movement
from jackpot.books.rules.movement import NEVER_NEGATIVE, Balances, Movement
from jackpot.money import Money
from jackpot.terms.rules.policy import Policy
from jackpot.terms.rules.terms import Terms, TermsRefused
from jackpot.wins.rules.settlement import Award, Pot, settle
from tests.builders import a_pay_table, terms
from tests.jackpot.wins.test_settlement import amounts, hits, holding, pot, units

RESTART = {"policy": {"dry_meter": "restart"}, "repay_rate": "50"}


def rules(**more: Any) -> Terms:
    return terms(**{"pay_table": a_pay_table(source="meter"), **RESTART, **more})


def stands(before: Pot, awards: list[Award]) -> Balances:
    live = before.live
    for award in awards:
        live = live.after(award.moves)
    return live


@pytest.mark.parametrize(("told", "meter", "advanced"), [
    ({"policy": {}, "repay_rate": None}, "0.00", "0.00"), (RESTART, "10000.00", "10000.00"),
])  # fmt: skip
def test_v7_with_the_meter_left_dry_it_stays_or_begins_anew_at_the_seed(
    told: dict[str, Any], meter: str, advanced: str
) -> None:
    law, before = rules(**told), pot("18641.50")
    awards = settle(before, hits(law, *((seat, "royal_community") for seat in range(1, 8))), law)
    assert amounts(awards) == [(seat, "3000.00") for seat in range(7, 0, -1)]
    assert str(sum((award.from_house for award in awards), Money(0))) == "2358.50", "the shortfall is none of it"
    assert str(Money(-sum(award.advance.house for award in awards))) == advanced
    assert str(Money(stands(before, awards).meter)) == meter


def test_dry_is_a_meter_without_a_whole_cent_and_its_fraction_stays_on_top() -> None:
    law, before = rules(), pot("3000.0047")
    (award,) = awards = settle(before, hits(law, (1, "royal_community")), law)
    assert award.advance == Movement(meter=units("10000.00"), house=-units("10000.00"))
    assert str(Money(stands(before, awards).meter)) == "10000.0047"


def test_one_cent_left_is_not_dry() -> None:
    law = rules()
    (award,) = settle(pot("3000.01"), hits(law, (1, "royal_community")), law)
    assert award.advance == Movement()


def test_an_award_from_the_tray_never_begins_a_meter_anew() -> None:
    law = terms(**RESTART)
    (award,) = settle(pot("0.00"), hits(law, (1, "full_house")), law)
    assert award.advance == Movement()


def test_the_next_award_of_the_round_counts_from_the_meter_that_began_anew() -> None:
    law, before = rules(), pot("3000.00")
    awards = settle(before, hits(law, (6, "royal_community"), (3, "royal_first_5")), law)
    assert amounts(awards) == [(6, "3000.00"), (3, "10000.00")]
    assert [str(Money(-award.advance.house)) for award in awards] == ["10000.00", "0.00"]
    assert awards[1].resets


def test_equal_shares_of_the_whole_meter_are_followed_by_the_reset_not_by_an_advance() -> None:
    law, before = rules(policy={"dry_meter": "restart", "order": "equal_shares"}), pot("20000.00")
    awards = settle(before, hits(law, (2, "royal_first_5"), (6, "royal_first_5")), law)
    assert all(award.advance == Movement() for award in awards)
    assert str(Money(stands(before, awards).meter)) == "10000.00"


def test_after_a_reset_the_seed_of_the_terms_that_it_put_in_force_is_advanced() -> None:
    lines = [{"code": "royal", "name": "Royal flush", "part": "1", "envy": "6000.00"}]
    law = rules(pay_table=a_pay_table(lines=lines), seed="12000.00")
    later = rules(pay_table=a_pay_table(lines=lines), seed="12000.00", rate="60")
    before = Pot(holding("20000.00"), units("20000.00"), 0, 0, reset_by=later, in_force=law)
    awards = settle(before, hits(law, (1, "royal")), law, coin_in_seats=(1, 2, 3))
    assert [(award.envy, str(Money(-award.advance.house))) for award in awards] == [
        (False, "0.00"), (True, "0.00"), (True, "12000.00"),
    ]  # fmt: skip


def test_the_limit_cuts_what_the_advance_would_raise_above_it() -> None:
    law = rules(limit="10000.01", seed="10000.00")
    moved = movement.advance(holding("0.0099"), law)
    assert moved == Movement(meter=units("10000.00"), house=-units("10000.00"))
    tight = rules(limit="10000.005", seed="10000.00")
    assert movement.advance(holding("0.0099"), tight).overflow == units("0.0049")


@pytest.mark.parametrize(("owed", "repaid"), [("10000.00", "1.75"), ("1.00", "1.00"), ("0.00", "0.00")])
def test_half_of_what_five_chips_add_repays_and_the_last_time_only_what_is_owed(owed: str, repaid: str) -> None:
    law = rules()
    moved = movement.repay(5, units(owed), units("3.50"), law)
    assert moved == Movement(meter=-units(repaid), house=units(repaid))


def test_at_its_limit_the_meter_repays_nothing_because_it_got_nothing() -> None:
    assert movement.repay(5, units("100.00"), 0, rules()) == Movement()
    assert movement.repay(5, units("100.00"), units("0.20"), rules()).house == units("0.20")


def test_terms_with_one_of_the_two_and_not_the_other_are_refused() -> None:
    with pytest.raises(TermsRefused, match="that repays the house advance"):
        terms(policy={"dry_meter": "restart"})
    with pytest.raises(TermsRefused, match="that repays the house advance"):
        terms(repay_rate="50")


@pytest.mark.parametrize("rate", ["0", "100.01", "-5"])
def test_a_repayment_outside_of_0_to_100_percent_is_refused(rate: str) -> None:
    with pytest.raises(TermsRefused, match="above 0 % and up to 100 %"):
        terms(policy={"dry_meter": "restart"}, repay_rate=rate)


def test_a_repayment_that_would_have_to_be_rounded_is_refused() -> None:
    with pytest.raises(TermsRefused, match="more than eight decimals"):
        terms(**{**RESTART, "rate": "17.3301", "repay_rate": "33.3333"})


def test_terms_without_the_switches_keep_the_text_and_digest_that_they_had() -> None:
    assert terms().plain()["policy"].keys() == {"overflow", "overflow_at_reset", "freeze", "order", "shortfall"}
    assert "repay_rate" not in terms().plain()
    assert Policy.of({"row": "highest", "dry_meter": "stay"}) == Policy()
    again = Terms.of(rules().plain())
    assert (again.digest, again.policy.dry_meter, again.repay_rate) == (rules().digest, "restart", 500_000)


acts = st.lists(
    st.one_of(
        st.integers(1, 7).map(lambda spots: ("coin_in", spots)),
        st.integers(1, 7).map(lambda seats: ("community", seats)),
        st.just(("royal", 1)),
    ),
    max_size=40,
)  # fmt: skip


@given(acts=acts, meter=st.integers(0, 400_000_00), rate=st.sampled_from(["1", "25", "50", "100"]),
       limit=st.sampled_from([None, "1100.00"]), overflow=st.sampled_from(["next_meter", "revenue"]))  # fmt: skip
def test_whatever_happens_it_balances_nothing_but_the_house_is_below_zero_and_nothing_is_repaid_twice(
    acts: list[tuple[str, int]], meter: int, rate: str, limit: str | None, overflow: str
) -> None:
    law = rules(seed="1000.00", repay_rate=rate, limit=limit, policy={"dry_meter": "restart", "overflow": overflow})
    live, owed, advanced, repaid = holding(str(Money(meter * 10**6))), 0, 0, 0
    for act, seats in acts:
        if act == "coin_in":
            counted = movement.coin_in(seats, law, live.meter)
            moved = movement.repay(seats, owed, counted.meter, law)
            assert counted.meter + moved.meter >= 0, "no sign falls because of a repayment"
            live, owed, repaid = live.after(counted.with_also(moved)), owed - moved.house, repaid + moved.house
        else:
            line = "royal_community" if act == "community" else "royal_first_5"
            before = Pot(live, live.meter, live.reserve, live.overflow)
            for award in settle(before, hits(law, *((seat, line) for seat in range(1, seats + 1))), law):
                live = live.after(award.moves)
                owed, advanced = owed - award.advance.house, advanced - award.advance.house
                assert law.policy.dry_meter == "stay" or live.meter >= 10**6, "no award leaves it dry"
        assert sum(live.columns()) == 0
        assert all(getattr(live, account) >= 0 for account in NEVER_NEGATIVE)
        assert owed == advanced - repaid >= 0
