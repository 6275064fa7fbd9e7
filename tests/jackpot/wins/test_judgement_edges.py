"""After an act that reset the meter, or that was let pass: whose terms and whose frozen entries count."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.terms.rules.paytable import PayTable
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.judgement import OpenPot, Ranked, judge
from jackpot.wins.rules.rank import PaidAct
from tests.builders import terms
from tests.jackpot.wins.test_judgement import act, judged, point
from tests.jackpot.wins.test_settlement import holding, units

LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1", "envy": "1.00"},
    {"code": "four", "name": "Four of a kind", "for_one": 100, "source": "meter"},
    {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
]


def rules(**more: Any) -> Terms:
    return terms(**{"pay_table": PayTable.from_plain({"code": "edges", "lines": LINES}), "reserve_rate": "0", **more})


def test_after_a_reset_the_new_terms_say_what_becomes_of_a_dry_meter() -> None:
    """Also where the act paid more than the award that reset it."""
    now = rules(seed="98.00")
    later = rules(seed="98.00", policy={"dry_meter": "restart"}, repay_rate="50")
    acts = [act(now, "A", 10, (1, "royal")), act(now, "B", 20, (3, "four"))]
    points = {10: point("500.00", "0"), 20: point("500.00", "0")}
    assert str(judged(holding("500.00"), acts, points, now, later).live) == "98.00"
    assert str(judged(holding("500.00"), acts, points, now).live) == "0.00"


def test_whom_an_override_did_not_pass_counts_from_where_it_counted() -> None:
    """An act without a part waits for nobody and was passed by nobody; a part lifts its row from its own mark."""
    lifting = rules(policy={"row": "never_less"})
    acts = [act(lifting, "X", 20, (1, "royal"), front=40), act(lifting, "N", 5, (3, "four"))]
    points = {5: point("20000.00", "0"), 20: point("30000.00", "0")}
    assert str(judged(holding("30000.00"), acts, points, lifting).live) == "7998.00"


def test_what_waits_for_a_reset_says_nothing_before_one() -> None:
    now = rules(seed="98.00")
    later = rules(seed="120.00", policy={"dry_meter": "restart"}, repay_rate="50")
    points = {10: point("100.00", "0"), 20: point("100.00", "0")}
    small = act(now, "A", 10, (1, "straight_flush"))
    drained = judged(holding("100.00"), [small, act(now, "B", 20, (3, "four"))], points, now, later)
    assert str(drained.live) == "0.00"
    reset = judged(holding("100.00"), [small, act(now, "B", 20, (3, "royal"))], points, now, later)
    assert str(reset.live) == "118.00"


def test_an_act_without_a_part_lowers_nobodys_basis() -> None:
    lifting = rules(policy={"row": "never_less"})
    acts = [act(lifting, "N", 5, (1, "four")), act(lifting, "M", 8, (3, "four"))]
    points = {5: point("20000.00", "0"), 8: point("20000.00", "0")}
    assert str(judged(holding("30000.00"), acts, points, lifting).live) == "26000.00"


def test_a_reset_releases_not_a_unit_of_a_reserve_that_came_in_since() -> None:
    now = rules(seed="98.00")
    seen = judged(holding("100.00", "5.00"), [act(now, "A", 10, (1, "royal"))], {10: point("100.00", "0")}, now)
    assert str(seen.live) == "96.00"


@pytest.mark.parametrize(("then", "live"), [("5.00", "98.00"), ("7.00", "96.00"), ("9.00", "96.00")])
def test_a_reset_returns_what_has_overflowed_since(then: str, live: str) -> None:
    now = rules(seed="98.00")
    stands = holding("100.00")._replace(overflow=units("7.00"), outside=holding("100.00").outside - units("7.00"))
    seen = judged(stands, [act(now, "A", 10, (1, "royal"))], {10: point("100.00", "0", then)}, now)
    assert str(seen.live) == live


def test_frozen_at_approval_no_overflow_has_come_since() -> None:
    now = rules(seed="98.00", policy={"freeze": "approval"})
    stands = holding("100.00")._replace(overflow=units("7.00"), outside=holding("100.00").outside - units("7.00"))
    assert str(judged(stands, [act(now, "A", 10, (1, "royal"))], {}, now).live) == "96.00"


@pytest.mark.parametrize(("seq", "live"), [(9, "90.00"), (10, "90.00"), (11, "95.00")])
def test_what_moved_at_the_frozen_entry_itself_is_in_its_balances(seq: int, live: str) -> None:
    now = rules(seed="98.00")
    before = Ranked(seq, PaidAct(3), -units("50.00"), 0)
    pot = OpenPot(
        holding("100.00"), [act(now, "A", 10, (1, "straight_flush"))], {10: point("100.00", "0")}, [before], now
    )
    assert str(judge(pot).live) == live
