from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jackpot.books.rules.movement import Balances
from jackpot.money import Money
from jackpot.terms.rules.paytable import PayTable
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.judgement import Judgement, OpenAct, OpenPot, Point, Ranked, judge
from jackpot.wins.rules.rank import PaidAct, StandingMark
from tests.builders import a_pay_table, terms
from tests.jackpot.wins.test_settlement import hits, holding, ref_b, units

ROYAL_ENVY = [{"code": "royal", "name": "Royal flush", "part": "1", "envy": "1000.00"}]
MIXED = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "straight_flush", "name": "Straight flush", "part": "1/10", "envy": "25.00"},
    {"code": "four", "name": "Four of a kind", "for_one": 100, "source": "meter"},
    {"code": "full_house", "name": "Full house", "for_one": 10, "source": "meter"},
    {"code": "flush", "name": "Flush", "for_one": 5, "source": "tray"},
]
PARTS = {"royal", "straight_flush"}


def point(meter: str, reserve: str, overflow: str = "0") -> Point:
    return Point(units(meter), units(reserve), units(overflow))


def act(rules: Terms, place: str, at: int, *said: tuple[int, str], **facts: Any) -> OpenAct:
    """Its hits were marked by this entry, and count from it."""
    told = {"at_approval": rules.policy.freeze == "approval", **facts}
    marks = [StandingMark(place, at, at, line in PARTS, **told) for _, line in said]
    return OpenAct(place, hits(rules, *said), marks, rules, (1, 3, 5))


def judged(
    live: Balances, acts: Sequence[OpenAct], points: dict[int, Point], rules: Terms, later: Terms | None = None
) -> Judgement:
    return judge(OpenPot(live, acts, points, (), rules, later))


def paid(judgement: Judgement) -> dict[object, list[str]]:
    return {each.act.place: [str(award.amount) for award in each.awards] for each in judgement.settled}


def v5b(*, front: bool = False) -> Judgement:
    """A at 20,000.00 / 617.25, three coin-ins, B at 20,002.10 / 617.40, one coin-in of four seats."""
    rules, points = ref_b(), {10: point("20000.00", "617.25"), 20: point("20002.10", "617.40")}
    acts = [act(rules, "A", 10, (1, "royal")), act(rules, "B", 20, (1, "royal"), front=30 if front else None)]
    return judged(holding("20004.90", "617.60"), acts, points, rules)


def test_v5_what_a_further_top_hit_would_be_worth_is_the_meter_after_the_award_and_its_reset() -> None:
    rules = ref_b()
    seen = judged(
        holding("20002.10", "617.40"), [act(rules, "A", 10, (1, "royal"))], {10: point("20000.00", "617.25")}, rules
    )
    assert (paid(seen), str(seen.live)) == ({"A": ["20000.00"]}, "10619.35")


def test_v22_two_asked_hits_are_settled_in_their_order_and_the_figure_is_what_is_left_after_both() -> None:
    seen = v5b()
    assert (paid(seen), str(seen.live)) == ({"A": ["20000.00"], "B": ["10619.35"]}, "10002.95")


def test_v5b_a_hit_that_was_let_pass_is_first_and_the_passed_one_counts_from_where_it_counted() -> None:
    assert list(paid(v5b(front=True)).items()) == [("B", ["20002.10"]), ("A", ["10617.40"])]


def test_v24_envy_lowers_the_figure_before_it_is_paid() -> None:
    rules = terms(pay_table=a_pay_table(lines=ROYAL_ENVY))
    seen = judged(
        holding("20000.00", "617.25"), [act(rules, "A", 10, (3, "royal"))], {10: point("20000.00", "617.25")}, rules
    )
    assert (paid(seen), str(seen.live)) == ({"A": ["20000.00", "1000.00", "1000.00"]}, "8617.25")


def test_a_fixed_award_of_the_same_round_is_not_promised_again() -> None:
    rules = terms(pay_table=PayTable.from_plain({"code": "mixed", "lines": MIXED}), reserve_rate="0")
    seen = judged(
        holding("9805.60"), [act(rules, "A", 10, (2, "royal"), (5, "full_house"))], {10: point("9805.60", "0")}, rules
    )
    assert (paid(seen), str(seen.live)) == ({"A": ["10.00", "9795.60"]}, "10000.00")


def test_an_act_without_a_part_is_judged_as_paid_now_and_lowers_the_figure_after_all_parts() -> None:
    rules = terms(pay_table=PayTable.from_plain({"code": "mixed", "lines": MIXED}))
    acts = [act(rules, "A", 20, (1, "royal")), act(rules, "B", 10, (3, "full_house"))]
    points = {10: point("20000.00", "600.00"), 20: point("20000.00", "600.00")}
    seen = judged(holding("20000.00", "600.00"), acts, points, rules)
    (fixed,) = seen.of("B")
    assert (str(fixed.total), fixed.before.meter, fixed.after.meter) == ("10.00", units("20000.00"), units("19990.00"))
    assert (paid(seen)["A"], str(seen.live)) == (["20000.00"], "10590.00")


def test_frozen_at_approval_every_act_counts_from_what_the_one_before_it_left() -> None:
    rules = ref_b(policy={"freeze": "approval"})
    acts = [act(rules, "A", 10, (1, "straight_flush")), act(rules, "B", 20, (1, "royal"))]
    seen = judged(holding("20004.90", "617.60"), acts, {}, rules)
    assert (paid(seen), str(seen.live)) == ({"A": ["2000.49"], "B": ["18004.41"]}, "10617.60")


def test_a_waiting_versions_seed_is_posted_by_the_first_reset_and_judges_no_hit() -> None:
    rules, later = ref_b(), ref_b(seed="12000.00")
    acts = [act(rules, "A", 10, (1, "royal")), act(rules, "B", 20, (1, "royal"))]
    points = {10: point("20000.00", "0"), 20: point("20000.00", "0")}
    seen = judged(holding("20000.00"), acts, points, rules, later)
    assert (paid(seen), str(seen.live)) == ({"A": ["20000.00"], "B": ["12000.00"]}, "12000.00")


def test_what_is_approved_and_not_yet_moved_comes_before_everything() -> None:
    rules = ref_b()
    fixed = [replace(hit, fixed=Money.of("20000.00")) for hit in hits(rules, (1, "royal"))]
    logged = replace(act(rules, "B", 20, (1, "royal"), logged=True, front=30), hits=fixed)
    points = {10: point("20000.00", "0"), 20: point("20000.00", "0")}
    seen = judged(holding("20000.00"), [act(rules, "A", 10, (1, "straight_flush")), logged], points, rules)
    assert list(paid(seen).items()) == [("B", ["20000.00"]), ("A", ["1000.00"])]


LINES = ["royal", "straight_flush", "four", "full_house", "flush"]
POLICIES: list[dict[str, str]] = [
    {}, {"shortfall": "house"}, {"order": "clockwise"}, {"order": "equal_shares"}, {"freeze": "approval"},
    {"row": "never_less"}, {"dry_meter": "restart"}, {"overflow_at_reset": "all"}, {"overflow": "revenue"},
]  # fmt: skip


@st.composite
def pots(draw: st.DrawFn, *, rich: bool = False) -> OpenPot:
    """Up to four tables, each with its hits, marked one after another while the meter rose; perhaps a void since.

    A rich one holds what its awards draw, and no limit cuts its resets.
    """
    policy = draw(st.sampled_from(POLICIES))
    limit = None if rich else draw(st.sampled_from([None, "10400.00"]))
    more = {"repay_rate": "50"} if policy.get("dry_meter") else {}
    pay_table = PayTable.from_plain({"code": "mixed", "lines": MIXED})
    rules = terms(pay_table=pay_table, policy=policy, limit=limit, **more)
    least = [2_200, 10_000] if rich else [0, 2_000, 10_000]
    meter = draw(st.sampled_from(least)) * 10**8 + draw(st.integers(0, 300 * 10**8))
    reserve, overflow = draw(st.integers(0, 700_00)) * 10**6, draw(st.sampled_from([0, 5 * 10**8]))
    points, acts = {}, []
    for at in range(1, draw(st.integers(1, 4)) + 1):
        meter, reserve = meter + draw(st.integers(0, 10**9)), reserve + draw(st.integers(0, 10**7))
        points[at] = Point(meter, reserve, overflow)
        seats = draw(st.lists(st.sampled_from([1, 3, 5]), min_size=1, max_size=3, unique=True))
        said = [(seat, draw(st.sampled_from(LINES))) for seat in seats]
        passes = any(line in PARTS for _, line in said) and draw(st.integers(0, 3)) == 0
        acts.append(act(rules, f"T{at}", at, *said, front=10 + at if passes else None))
    meter = max(meter - draw(st.sampled_from([0, 0, 10**8, 10**10])), 0)
    live = Balances(meter=meter, reserve=reserve, overflow=overflow, outside=-meter - reserve - overflow)
    return OpenPot(live, acts, points, (), rules)


def after_payment(pot: OpenPot, place: object) -> OpenPot:
    """The books once a card was accepted at this round."""
    (each,) = [one for one in pot.acts if one.place == place]
    return pot.paid(each, pot.settle(each))


@given(pots())
def test_each_payment_in_turn_leaves_every_other_promise_and_the_figure_as_they_were(pot: OpenPot) -> None:
    promised = judge(pot)
    assert promised.live.units >= 0
    for place in [each.act.place for each in promised.settled if each.act.has_part]:
        pot = after_payment(pot, place)
        now = judge(pot)
        assert now.after == promised.after
        said, still = paid(promised), paid(now)
        queued = [each.act.place for each in now.settled if each.act.has_part]
        assert [still[each] for each in queued] == [said[each] for each in queued]


def lacks(judgement: Judgement) -> bool:
    return any(award.from_reserve or award.from_house for each in judgement.settled for award in each.awards)


@given(pots(rich=True))
def test_whichever_act_without_a_part_is_approved_first_the_figure_never_falls(pot: OpenPot) -> None:
    """Where the meter holds what its awards draw, and no limit cuts a reset otherwise when it comes later.

    What is lacking is made good from the reserve, which a reset then no longer releases: the sign falls with its award.
    """
    promised = judge(pot)
    assume(not lacks(promised))
    queue = [each.act.place for each in promised.settled if each.act.has_part]
    free = [each.act.place for each in promised.settled if not each.act.has_part]
    for order in itertools.permutations([*queue, *free]):
        stands = pot
        for place in order if [each for each in order if each in queue] == queue else ():
            stands = after_payment(stands, place)
            now = judge(stands)
            if lacks(now):
                break
            assert now.live >= promised.live


@pytest.mark.parametrize(("live", "shown", "left"), [("5.00", "10621.25", "2.00"), ("1.00", "10618.25", "1.00")])
def test_the_figure_holds_the_overflow_taken_since_the_mark_and_no_older_one(live: str, shown: str, left: str) -> None:
    rules = ref_b()
    seen = judged(
        holding("20001.00", "617.40", live), [act(rules, "A", 10, (1, "royal"))],
        {10: point("20000.00", "617.25", "2.00")}, rules,
    )  # fmt: skip
    assert (paid(seen), str(seen.live), seen.after.overflow) == ({"A": ["20000.00"]}, shown, units(left))


@pytest.mark.parametrize(("posted", "basis"), [(10, "20000.00"), (11, "18000.00")])
def test_what_an_award_moved_in_the_very_entry_that_a_hit_counts_from_is_in_its_basis_already(
    posted: int, basis: str
) -> None:
    """Whom an override passed is frozen anew at that award's own entry."""
    rules, moved = ref_b(), Ranked(posted, PaidAct(5), -units("2000.00"), 0)
    hit = act(rules, "A", 10, (1, "royal"))
    pot = OpenPot(holding("20000.00"), [hit], {10: point("20000.00", "0")}, (moved,), rules)
    assert paid(judge(pot)) == {"A": [basis]}
