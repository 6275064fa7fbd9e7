"""A table that is altered between two rounds: its box hears of other wagers at once, and plays them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tables.gateway.actions.device import floor_now
from tables.gateway.actions.greeting import table_facts
from tables.setup.actions.floor import alter_table
from tests.controller import SocketController
from tests.tables.gateway.test_gateway import secret_for
from tests.tables.wagers_scene import MEGA, TwoWagers, described


def wagers_heard(box: SocketController) -> dict[str, Any]:
    """The next push of other wagers, by its own words."""
    while not any(push["do"] == "wagers" for push in box.pushed):
        box.pushed.append(box.hear())
    found = next(push for push in box.pushed if push["do"] == "wagers")
    box.pushed.clear()
    return {word: told for word, told in found.items() if word not in ("do", "id")}


def test_a_box_hears_of_altered_wagers_on_its_open_line_and_plays_them(live: Any) -> None:
    scene = TwoWagers()
    table, grand, mini = scene.casino.table, scene.grand, scene.mini
    device = scene.casino.controller
    device.state = "waiting"
    device.save()
    box = SocketController(live, device, secret_for(device))
    assert [each["wager"] for each in box.greeting["further"]] == ["MEGA"]
    facts = described(name=table.name, profile=table.profile, seats=table.seats, wager_name="Progressive")

    alter_table(table=table, facts=replace(facts, further=()), jackpots=[grand, mini], by="tests")
    assert wagers_heard(box) == {"wager": "1.00"}
    refused = box.say(do="coin_in", round=1, seats=[1], further={"MEGA": [2]})
    assert refused["code"] == "wager"

    altered = replace(facts, further=(replace(MEGA, name="Mega Royal Two"),))
    alter_table(table=table, facts=altered, jackpots=[grand, mini], by="tests")
    told = [{"wager": "MEGA", "name": "Mega Royal Two", "chip": "5.00", "jackpots": ["MEGA"]}]
    assert wagers_heard(box) == {"wager": "1.00", "wager_name": "Progressive", "further": told}
    counted = box.say(do="coin_in", round=1, seats=[1], further={"MEGA": [2]})
    assert counted["coin_in"]["further"] == {"MEGA": {"seats": [2], "total": "5.00"}}
    assert not any(push["do"] == "wagers" for push in box.pushed), "told once"
    box.close()


def test_the_look_at_the_floor_tells_the_wagers_as_hello_does(db: None) -> None:
    table = TwoWagers().casino.table
    now, greeted = floor_now(), table_facts(table)
    assert now.wagers_at("UTH-01") == {word: greeted[word] for word in ("wager", "wager_name", "further")}
    assert now.wagers_at("NOBODY") is None
