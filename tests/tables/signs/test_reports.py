from __future__ import annotations

import pytest

from jackpot.money import Money
from jackpot.trail.models import Trail
from tables.signs import reports
from tables.signs.reports import NotAReport, SignReport
from tests.tables.signs.scene import Floor


def test_a_report_is_read_with_and_without_a_code() -> None:
    assert SignReport.of('{"shown": "20001.40", "version": 7}') == SignReport(Money.of("20001.40"), 7)
    assert SignReport.of('{"shown": "1.00", "version": 7, "code": "MINI"}').code == "MINI"


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "{", '{"shown": 1, "version": 7}', '{"shown": "1.00"}', '{"shown": "x", "version": 7}',
        '{"shown": "1.00", "version": true}', '{"shown": "1.00", "version": -1}', '{"shown":"1.00","version":1e99}',
        '{"shown": "1.00", "version": 7, "code": 5}', '{"shown": "1.00", "version": 7, "x": "' + "x" * 1100 + '"}',
    ],
)  # fmt: skip
def test_anything_else_is_not_a_report(text: str) -> None:
    with pytest.raises(NotAReport, match="A sign says"):
        SignReport.of(text)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("shown", "version", "why"),
    [
        ("20003.50", 2, None),
        ("20001.17", 2, None),
        ("20000.00", 1, None),
        ("20003.51", 2, "It shows 20003.51, the books had 20003.50 at entry 2."),
        ("20000.01", 1, "It shows 20000.01, the books had 20000.00 at entry 1."),
        ("20003.50", 9, "It names entry 9, which the books do not have."),
    ],
)
def test_a_sign_disagrees_when_it_shows_more_than_its_entry_had(shown: str, version: int, why: str | None) -> None:
    floor = Floor()
    floor.coin_in()
    assert reports.disagreement(floor.jackpot.id, SignReport(Money.of(shown), version)) == why


@pytest.mark.django_db
def test_a_sign_that_stays_behind_for_long_disagrees(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = Floor()
    floor.coin_in()
    monkeypatch.setattr(reports, "MAY_LAG", -1)
    why = reports.disagreement(floor.jackpot.id, SignReport(Money.of("20000.00"), 1))
    assert why is not None
    assert why.startswith("It still stands at entry 1")


@pytest.mark.django_db
def test_the_trail_hears_of_a_disagreement_once_and_of_agreement_never() -> None:
    floor = Floor()
    good, bad = SignReport(Money.of("20000.00"), 1), SignReport(Money.of("20000.01"), 1)
    begun = reports.check("WALL-1", "SIGN-1", floor.jackpot.id, "GRAND", good, already=False)
    begun = reports.check("WALL-1", "SIGN-1", floor.jackpot.id, "GRAND", bad, begun)
    begun = reports.check("WALL-1", "SIGN-1", floor.jackpot.id, "GRAND", bad, begun)
    line = Trail.objects.get(act="sign_report")
    assert begun
    assert (line.actor, line.subject, line.outcome) == ("SIGN-1", "WALL-1", "disagrees")
    assert line.details == {"jackpot": "GRAND", "shown": "20000.01", "version": 1}
