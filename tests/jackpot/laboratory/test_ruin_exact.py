"""What the analysis tells of a single bettor, beside a count of every meter step by step (decision 0165)."""

from __future__ import annotations

import pytest

from jackpot.laboratory.answer import answer
from jackpot.laboratory.ruin import LEAST_TOLD, one_bettor_runs_dry
from jackpot.money import Money
from tests.jackpot.laboratory.scene import KNOWN, setting
from tests.jackpot.laboratory.test_answer import ASKED

# Rate, seed, and the chance by value iteration over meters a tenth of a dollar or less apart, until it stands still.
COUNTED = [
    ("0", 50, 0.99972241), ("0", 10_000, 0.97007639), ("0.3", 300, 0.99725097), ("0.3", 10_000, 0.92856161),
    ("0.4", 100, 0.9975246), ("0.4", 10_000, 0.86768613), ("0.6", 300, 0.24642101), ("0.6", 3_000, 0.0068996533),
    ("0.7", 50, 0.45143532), ("0.7", 1_000, 0.017377), ("0.7", 3_000, 0.0017054933), ("0.8", 50, 0.34830588),
    ("0.8", 100, 0.22011423), ("0.8", 300, 0.052175908), ("0.8", 1_000, 0.010965319), ("0.8", 3_000, 0.00075247609),
    ("0.9", 100, 0.16546235), ("0.9", 1_000, 0.0080669482), ("1", 50, 0.23660188), ("1", 1_000, 0.0063873298),
]  # fmt: skip


@pytest.mark.parametrize(("rate", "seed", "chance"), COUNTED)
def test_what_is_told_is_right_to_two_per_cent_at_every_rate(rate: str, seed: int, chance: float) -> None:
    one = setting(rate=rate, seed=str(seed))
    found = one_bettor_runs_dry(one, KNOWN, start=one.seed)
    assert chance > LEAST_TOLD
    assert found == pytest.approx(chance, rel=0.01)


@pytest.mark.parametrize(("rate", "seed"), [("0.9", "5000"), ("1", "3000"), ("0.8", "5000")])
def test_what_may_be_off_by_more_is_not_told(rate: str, seed: str) -> None:
    """0.0000105, 0.000268 and 0.0000206 by that count; the two grids say 0.0000120, 0.000274 and 0.0000209."""
    told = answer(setting(rate=rate, seed=seed), KNOWN, ASKED)
    assert (told["one_bettor_runs_dry"], told["one_bettor_runs_dry_under"]) == (None, LEAST_TOLD)
    assert any("less likely than 0.0005" in said for said in told["leaves_out"])
    assert Money.of(seed) == setting(seed=seed).seed
