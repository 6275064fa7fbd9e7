"""The printed collection schedules and limits."""

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from tables.games.fees import NoFee, total_action
from tables.games.limits import BetRefused
from tables.games.packs import PackRefused
from tables.games.uth.collection import rule_set, rule_sets


def test_there_are_twenty_four_and_three_options() -> None:
    assert {code: sorted(found.schedules) for code, found in rule_sets().items()} == {
        "001": list(range(1, 25)),
        "003": [1, 2, 3],
    }


@pytest.mark.parametrize(
    ("code", "option", "action", "fee"),
    [
        ("001", 1, 49, 2),
        ("001", 1, 50, 4),
        ("001", 1, 199, 8),
        ("001", 1, 200, 12),
        ("001", 3, 199, 6),
        ("001", 10, 399, 4),
        ("001", 10, 400, 7),
        ("001", 11, 74, 1),
        ("001", 17, 800, 15),
        ("001", 19, 799, 12),
        ("001", 20, 999, 5),
        ("001", 24, 4000, 70),
        ("003", 1, 50, 1),
        ("003", 1, 51, 2),
        ("003", 2, 800, 15),
        ("003", 3, 1601, 30),
    ],
)
def test_the_fee_at_the_edge_of_a_bracket(code: str, option: int, action: int, fee: int) -> None:
    assert rule_set(code).schedule(option).fee(action) == fee


@pytest.mark.parametrize("code", ["001", "003"])
def test_fees_never_fall_as_the_action_grows(code: str) -> None:
    for schedule in rule_set(code).schedules.values():
        fees = [bracket.fee for bracket in schedule.brackets]
        assert fees == sorted(fees), schedule.option


def test_three_players_with_all_bets_pay_by_what_lay_before_the_deal() -> None:
    found = rule_set("001")
    seats = [{"ante": 10, "blind": 10, "trips": 5, "bad_beat": 5, "play": 40}] * 3
    action = total_action([{name: Fraction(amount) for name, amount in seat.items()} for seat in seats], found.counted)
    assert (action, found.schedule(1).fee(action)) == (90, 4)


def test_an_option_that_is_not_printed_is_refused() -> None:
    with pytest.raises(NoFee, match="Rule set 003 has the options 1 to 3, not 4"):
        rule_set("003").schedule(4)


def test_a_rule_set_that_is_not_printed_is_refused() -> None:
    with pytest.raises(NoFee, match="no collection rule set 002; there is 001, 003"):
        rule_set("002")


def test_the_posted_maximum_must_lie_in_the_printed_range() -> None:
    with pytest.raises(BetRefused, match=r"posted maximum of \$20,000 is outside \$100 to \$10,000 \(001:195\)"):
        rule_set("001").limits[1].refuse_posted(10, 20_000, date(2026, 1, 1))


def test_a_spot_has_its_own_limit_by_option() -> None:
    with pytest.raises(BetRefused, match=r"posted maximum of \$500 is outside \$5 to \$300 \(003:420\)"):
        rule_set("003").limits[1].refuse_posted(5, 500, date(2026, 1, 1))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("number = 1\n", "", "it lacks 'number'"),
        ("[[50, 1], [5, 2]]", "[[50, 1], [5, 2]]", "brackets that rise"),
    ],
)
def test_a_wrong_schedule_is_refused_whole(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    pack = tmp_path / "collection.toml"
    pack.write_text(
        '[[set]]\ncode = "X"\ntitle = "X"\nsource = "x"\nseats = 6\ncounted = ["ante"]\nlimits_source = "x"\n'
        "from = 2026-01-01\n[[set.option]]\nnumber = 1\nbrackets = [[50, 1], [5, 2]]\n".replace(old, new),
        encoding="utf-8",
    )
    with pytest.raises(PackRefused, match=sentence):
        rule_sets(pack)
