from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.db import OperationalError
from django.test import Client

from accounting.monitoring import api, queries
from accounting.monitoring.rules import FigureFamily
from tests.jackpot.books.api_scene import a_played_casino, signed_in
from tests.scenes_wins import WinFloor

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
NAMES = re.compile(r"\bfairmeter_[a-z_]+\b")


def told() -> list[str]:
    answer = Client().get("/api/v1/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return answer.content.decode().splitlines()


@pytest.mark.django_db
def test_a_scraper_on_this_machine_reads_meters_rounds_and_devices() -> None:
    a_played_casino()
    lines = told()
    assert 'fairmeter_meter{jackpot="GRAND"} 20001.40' in lines
    assert 'fairmeter_entries_total{jackpot="GRAND"} 6' in lines
    assert 'fairmeter_rounds_total{table="UTH-01"} 1' in lines
    assert 'fairmeter_devices_active{kind="controller"} 2' in lines
    assert "# TYPE fairmeter_meter gauge" in lines
    assert "fairmeter_database_up 1" in lines
    assert 'fairmeter_open_hits{state="asked"} 0' in lines
    free = next(line for line in lines if line.startswith("fairmeter_disk_free_bytes"))
    assert int(free.split()[1]) > 0


@pytest.mark.django_db
def test_a_large_floor_goes_out_packed_to_whoever_unpacks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    large = [f'fairmeter_rounds_total{{table="UTH-{number:04}"}} {number * 37}' for number in range(2_000)]
    monkeypatch.setattr(api, "figures", lambda: iter(large))
    plain = Client().get("/api/v1/metrics")
    packed = Client(headers={"Accept-Encoding": "gzip"}).get("/api/v1/metrics")
    assert (packed.headers["Content-Encoding"], "Accept-Encoding" in packed.headers["Vary"]) == ("gzip", True)
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) * 5 < len(plain.content)
    assert packed.headers["Content-Type"].startswith("text/plain; version=0.0.4")


@pytest.mark.django_db
def test_an_open_hit_is_counted_with_its_age() -> None:
    heard: list[list[str]] = [told()]
    WinFloor().won({2: "royal"}, meanwhile=lambda: heard.append(told()))
    heard.append(told())
    counted = ['fairmeter_open_hits{state="marked"} 1' in lines for lines in heard]
    aged = [any(line.startswith("fairmeter_open_hit_age_seconds ") for line in lines) for lines in heard]
    assert (counted, aged) == ([False, True, False], [False, True, False])


@pytest.mark.django_db
def test_every_family_is_told_with_its_kind_and_every_statement_runs() -> None:
    a_played_casino()
    lines = told()
    for family in queries.FAMILIES:
        assert f"# TYPE {family.name} {family.kind}" in lines
    assert len({family.name for family in queries.FAMILIES}) == len(queries.FAMILIES)


@pytest.mark.parametrize(
    "from_where", [{"REMOTE_ADDR": "10.0.0.9"}, {"HTTP_X_FORWARDED_FOR": "10.0.0.9"}, {"REMOTE_ADDR": ""}]
)
@pytest.mark.django_db
def test_from_elsewhere_metrics_need_a_person(from_where: dict[str, str]) -> None:
    a_played_casino()
    assert Client().get("/api/v1/metrics", **from_where).status_code == 401
    assert signed_in("see").get("/api/v1/metrics", **from_where).status_code == 200


def test_without_a_database_the_scraper_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def cursor(self) -> None:
            raise OperationalError("no server")

        def close(self) -> None:
            pass

    monkeypatch.setattr(queries, "connection", Away())
    lines = told()
    assert "fairmeter_database_up 0" in lines
    assert any(line.startswith("fairmeter_disk_free_bytes") for line in lines)
    assert not any(line.startswith("fairmeter_meter{") for line in lines)


def test_words_of_labels_cannot_break_a_line() -> None:
    family = FigureFamily("fairmeter_test", "gauge", "Of the test.", ("named",))
    assert list(family.text([('a "b"\\c\nd', 1)]))[2] == r'fairmeter_test{named="a \"b\"\\c\nd"} 1'


def test_alert_rules_and_the_dashboard_name_only_what_is_told() -> None:
    """And every family that can go wrong has a rule or a panel."""
    told = {family.name for family in queries.FAMILIES}
    rules = (DEPLOY / "prometheus" / "alerts.yml").read_text()
    board = (DEPLOY / "grafana" / "fairmeter.json").read_text()
    assert set(NAMES.findall(rules)) <= told
    assert set(NAMES.findall(board)) <= told
    assert told == set(NAMES.findall(rules)) | set(NAMES.findall(board)), "a figure that nobody looks at"


def test_every_rule_says_what_is_wrong_and_what_to_do() -> None:
    groups: dict[str, Any] = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    rules = [rule for group in groups["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["expr"], rule["alert"]
        assert rule["labels"]["severity"] in ("call", "look"), rule["alert"]
        assert rule["annotations"]["summary"].endswith("."), rule["alert"]
        assert rule["annotations"]["cure"].endswith("."), rule["alert"]


def test_panels_of_the_dashboard_do_not_overlap() -> None:
    board = json.loads((DEPLOY / "grafana" / "fairmeter.json").read_text())
    taken: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert at["x"] + at["w"] <= 24, panel["title"]
        assert not cells & taken, panel["title"]
        taken |= cells
        assert panel["targets"], panel["title"]
