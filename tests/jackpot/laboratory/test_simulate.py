"""The meter played forward."""

from statistics import fmean

import pytest

from jackpot.laboratory.growth import top_hit
from jackpot.laboratory.simulate import Path, Play, fan, play
from tests.jackpot.laboratory.scene import SMALL, SMALL_TABLE, setting

RICH = setting(table=SMALL_TABLE, seed="1000", rate="0.60", reserve="0.10")


def lives(how: Play, paths: int = 600, limit: str | None = None) -> list[Path]:
    one = setting(table=SMALL_TABLE, seed="1000", rate="0.60", reserve="0.10", limit=limit)
    return play(one, SMALL, how, paths=paths, seed=21)


def test_the_mean_meter_at_the_top_hit_is_that_of_the_formula() -> None:
    awards = [path.top_hits[0][1] for path in lives(Play(1, 100_000, until_top_hit=True), 2_000)]
    exact = top_hit(RICH, SMALL, coin_ins_a_day=1).mean_meter
    assert fmean(awards) == pytest.approx(exact.numerator / exact.denominator, rel=0.01)


def test_a_top_hit_resets_to_the_seed_and_the_reserve() -> None:
    path = next(path for path in lives(Play(1, 2_000)) if len(path.top_hits) == 1 and path.dry_at is None)
    since = path.rounds - path.top_hits[0][0]
    assert path.reserve == pytest.approx(0.1 * since)


def test_checkpoints_see_the_meter_on_its_way() -> None:
    seen = [path.seen for path in lives(Play(1, 400, checkpoints=(0, 100, 400))) if path.dry_at is None]
    assert all(len(meters) == 3 and meters[0] == 1000 for meters in seen)


def test_the_last_checkpoint_is_where_the_path_ends() -> None:
    for path in lives(Play(2, 300, checkpoints=(300,)), 100):
        assert path.seen == [pytest.approx(path.meter)]


def test_a_path_may_go_on_after_it_ran_dry() -> None:
    poor = setting(table=SMALL_TABLE, seed="20", rate="0.30")
    paths = play(poor, SMALL, Play(3, 200, until_dry=False, checkpoints=range(201)), paths=200, seed=2)
    assert any(path.dry_at for path in paths)
    assert all(len(path.seen) == 201 and min(path.seen) >= 0 for path in paths)


def test_the_fan_shows_the_quantiles_at_every_checkpoint() -> None:
    paths = lives(Play(1, 400, until_dry=False, checkpoints=(0, 200, 400)))
    rows = fan(paths, (0, 200, 400), (0.1, 0.5, 0.9))
    assert rows[0] == [1000, 1000, 1000]
    assert all(row == sorted(row) for row in rows)
    assert rows[2][1] > rows[1][1] > 1000


def test_no_meter_rises_above_its_limit() -> None:
    paths = lives(Play(5, 400, checkpoints=range(0, 401, 20)), 100, limit="1050")
    assert max(max(path.seen) for path in paths) <= 1050


def test_progress_is_told() -> None:
    heard: list[float] = []
    play(RICH, SMALL, Play(1, 10), paths=4, seed=1, progress=heard.append)
    assert heard == [0.25, 0.5, 0.75, 1.0]
