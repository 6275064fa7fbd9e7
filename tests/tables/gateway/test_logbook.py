"""What strangers send to the door of devices stands in the trail as what it is, and never by the thousand."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.trail.models import Trail
from tables.gateway import logbook
from tests.builders import a_casino, a_person
from tests.controller import HttpController, secret_for
from tests.patience import until

FLOOD = 150


def told(count: int) -> bool:
    """So many refusals: by a line each, or in the count of those that have none."""
    lines = Trail.objects.filter(outcome="refused")
    counts = lines.filter(act="refusals_not_kept").values_list("details", flat=True)
    return lines.exclude(act="refusals_not_kept").count() + sum(each["count"] for each in counts) == count


def test_a_flood_of_strangers_fills_no_trail_and_hides_no_box(live: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logbook, "COUNTS_EVERY", 0.0)
    box = HttpController(live, (casino := a_casino()).controllers[0], secret_for(casino.controllers[0]))
    for number in range(FLOOD):  # another name and another table each time
        assert live.post(f"/api/v1/tables/T{number}/messages", b"{}", {"X-Device": f"BOX-{number}"}, 20)[0] == 401
    assert box.say(id=1, do="beat", strange=1)[0] == 400
    assert until(lambda: told(FLOOD + 1))
    assert Trail.objects.filter(outcome="refused").count() < FLOOD / 2
    assert Trail.objects.get(actor=box.device.code, outcome="refused").details["code"] == "not_a_message"


def test_a_box_that_is_refused_without_end_has_a_measure_of_its_own(live: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logbook, "COUNTS_EVERY", 0.0)
    casino = a_casino(tables=2)
    box, other = (HttpController(live, each, secret_for(each)) for each in casino.controllers)
    for _ in range(FLOOD):
        assert box.say(id=1, do="beat", strange=1)[0] == 400
    assert other.say(id=1, do="beat", strange=1)[0] == 400
    assert until(lambda: told(FLOOD + 1))
    assert Trail.objects.filter(actor=box.device.code, outcome="refused").count() < FLOOD / 2
    assert Trail.objects.filter(actor=other.device.code, outcome="refused").count() == 1
    count = Trail.objects.filter(act="refusals_not_kept").first()
    assert count is not None
    assert (count.object_kind, count.object_key) == ("device", box.device.code)


@pytest.mark.parametrize("name", ["Test Supervisor", "server", "UTH-01-C"])
def test_a_name_that_is_only_said_never_stands_for_who_acted(live: Any, name: str) -> None:
    casino = a_casino()
    a_person("supervisor")
    box = HttpController(live, casino.controller, secret_for(casino.controller))
    body = b'{"id":1,"do":"beat"}'
    for headers in ({"X-Device": name}, {**box.headers(body, signature="00" * 32), "X-Device": name}):
        assert live.post(box.path, body, headers, 20)[0] == 401
    assert until(lambda: told(2))
    lines = Trail.objects.filter(outcome="refused")
    assert {(line.actor, line.person_id, line.details["called"]) for line in lines} == {("unknown device", None, name)}
