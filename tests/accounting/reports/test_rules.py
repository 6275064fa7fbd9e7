"""Charts, rotas and differences: values in, a value out."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.reports.rules.chart import TOP, bar_chart
from accounting.reports.rules.differing import differing_fields
from accounting.reports.rules.schedule import Rota, due_after

AMOUNTS = st.integers(min_value=0, max_value=10**11).map(lambda cents: Decimal(cents).scaleb(-2))


@given(st.lists(AMOUNTS, min_size=2, max_size=20))
def test_every_bar_stands_under_the_highest_line_of_its_axis(values: list[Decimal]) -> None:
    chart = bar_chart([str(place) for place in range(len(values))], values)
    if max(values) == 0:
        assert chart is None
        return
    assert chart is not None
    assert chart.lines[-1].value >= max(values)
    assert 2 <= len(chart.lines) <= 8
    assert all(bar.y >= TOP and bar.y + bar.height == chart.foot for bar in chart.bars)
    assert all(bar.width > 0 for bar in chart.bars)


def test_nothing_to_compare_is_no_chart() -> None:
    assert bar_chart(["a"], [Decimal(1)]) is None
    assert bar_chart(["a", "b"], [Decimal(1), Decimal(-1)]) is None


@pytest.mark.parametrize(
    ("rota", "due"),
    [(Rota.NEVER, None), (Rota.DAILY, date(2026, 11, 19)), (Rota.WEEKLY, date(2026, 11, 23)),
     (Rota.MONTHLY, date(2026, 12, 1))],
)  # fmt: skip
def test_a_rota_names_its_next_gaming_day(rota: Rota, due: date | None) -> None:
    assert due_after(rota, date(2026, 11, 18)) == due


def test_only_what_differs_is_told_field_by_field() -> None:
    before = {"rate": "70", "limit": None, "lines": [{"code": "royal", "part": "1"}, {"code": "four", "for_one": 100}]}
    after = {
        "rate": "70",
        "limit": "25000.00",
        "lines": [{"code": "royal", "part": "1"}, {"code": "four", "for_one": 90}],
    }
    assert list(differing_fields(before, after)) == [
        ("limit", "–", "25000.00"), ("lines · four · for one", "100", "90"),
    ]  # fmt: skip
