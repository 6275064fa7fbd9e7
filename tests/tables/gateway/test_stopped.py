"""Held, closed or below its version: a table finishes what runs and begins nothing, at the device's own door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tables.floor.actions.state import set_table_state
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Profile, TableState
from tables.setup.actions.components import ComponentRule, set_version_rule
from tests.builders import CARD_PIN, a_version_rule
from tests.controller import SocketController
from tests.hands import with_cards
from tests.patience import until
from tests.tables.gateway.test_refusals import DEALER, EXECUTIVE, PIN, SUPERVISOR, Box, in_state, stands

Stop = Callable[[Box], None]


def below_version(box: Box) -> None:
    a_version_rule(box.casino.premises)
    box.casino.controller.version = "6.9"
    box.told("hello", device=box.casino.controller.code, version="6.9", profile="card")


STOPS: dict[str, tuple[Stop, str]] = {
    "held": (in_state(TableState.HELD), "UTH-01 is held: dead spot. A supervisor releases it on the pit page."),
    "closed": (in_state(TableState.CLOSED), "UTH-01 is closed. A supervisor opens it on the pit page."),
    "version": (below_version, ("UTH-01-C runs “6.9”, but every table controller here must run at least 6.10. "
                               "A technician updates it.")),
}  # fmt: skip
BEGINNINGS: dict[str, dict[str, Any]] = {
    "coin_in": {"round": 2, "seats": [1]},
    "dealer": {"badge": DEALER, "in": True},
    "key": {"key": "17", "position": "JPH"},
}
AFTERWARDS: dict[str, dict[str, Any]] = {
    "mark": {"round": 1, "seat": 2, "hand": "full_house"},
    "confirm": {"round": 1},
    "card": {"round": 1, "card": SUPERVISOR, "pin": CARD_PIN},
    "reject": {"round": 1, "reason": "a pair"},
    "j_pot": {},
    "park": {"round": 1, "card": EXECUTIVE, "pin": PIN, "reason": "x"},
    "recount": {"round": 1, "seats": [1], "card": SUPERVISOR, "pin": CARD_PIN},
    "end": {"round": 2},
}


def stopped(indoors: Any, stop: str, profile: str = Profile.CARD) -> Box:
    """Round 1 is over, and the table is stopped."""
    box = Box(indoors, profile)
    box.runs()
    box.told("end", round=1)
    STOPS[stop][0](box)
    return box


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("verb", BEGINNINGS)
def test_nothing_new_begins_and_the_sentence_says_why_and_who_helps(indoors: Any, stop: str, verb: str) -> None:
    box = stopped(indoors, stop, Profile.KEY)
    before = stands()
    answer = box.say(verb, **BEGINNINGS[verb])
    assert (answer["ok"], answer["code"], answer["why"]) == (False, stop, STOPS[stop][1])
    assert stands() == before
    assert not TableDuty.objects.exists()


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("verb", AFTERWARDS)
def test_what_needs_a_running_round_finds_none(indoors: Any, stop: str, verb: str) -> None:
    box = stopped(indoors, stop, Profile.KEY if verb == "j_pot" else Profile.CARD)
    before = stands()
    answer = box.say(verb, **AFTERWARDS[verb])
    assert (answer["ok"], bool(answer["why"])) == (False, True)
    assert stands() == before


@pytest.mark.parametrize("stop", STOPS)
def test_card_profile_a_running_round_is_played_out_to_its_end(indoors: Any, stop: str) -> None:
    box = Box(indoors)
    box.runs()
    STOPS[stop][0](box)
    box.told("dealer", badge=DEALER, **{"in": True})
    box.marks(5)
    box.told("unmark", round=1, seat=5, hand="full_house")
    box.marks(2)
    box.told("confirm", round=1)
    box.told("reject", round=1, reason="look again")
    box.marks(2)
    box.told("confirm", round=1)
    assert box.told("card", round=1, card=SUPERVISOR, pin=CARD_PIN)["wins"][0]["amount"] == "10.00"
    assert box.told("end", round=1)["next_round"] == 2
    assert box.say("coin_in", round=2, seats=[1])["code"] == stop


@pytest.mark.parametrize("stop", STOPS)
def test_key_profile_a_running_round_is_played_out_to_its_end(indoors: Any, stop: str) -> None:
    box = Box(indoors, Profile.KEY)
    box.runs()
    STOPS[stop][0](box)
    box.marks(2, "full_house")
    box.told("key", key="17", position="JPH")
    assert box.told("j_pot")["wins"][0]["state"] == "logged"
    assert box.told("key", key="17", position="RUN")["wins"][0]["amount"] == "10.00"
    box.told("end", round=1)
    assert box.say("key", key="17", position="JPH")["code"] == stop


@pytest.mark.parametrize("stop", STOPS)
def test_a_key_that_stood_at_jph_comes_back_to_run_and_a_round_may_be_undone(indoors: Any, stop: str) -> None:
    box = Box(indoors, Profile.KEY)
    box.runs()
    box.told("end", round=1)
    box.told("key", key="17", position="JPH")
    STOPS[stop][0](box)
    box.told("key", key="17", position="RUN")
    box.told("void", round=1, reason="shuffler malfunction", card=SUPERVISOR, pin=CARD_PIN)
    said_before = box.say("coin_in", round=1, seats=[2, 5])
    assert said_before["ok"] == (stop != "version"), (
        "a repeat hears its answer again; below version only hello is heard"
    )


@pytest.mark.parametrize("stop", STOPS)
def test_a_parked_hit_is_still_approved_at_the_table(indoors: Any, stop: str) -> None:
    box = Box(indoors)
    box.asks("four")
    box.told("park", round=1, card=EXECUTIVE, pin=PIN, reason="the player waits for a lawyer")
    STOPS[stop][0](box)
    with_cards("UTH-01", 1)
    assert box.told("card", round=1, card=EXECUTIVE, pin=PIN)["wins"][0]["amount"] == "6000.00"


@pytest.mark.parametrize("stop", STOPS)
def test_a_dealer_leaves_a_stopped_table(indoors: Any, stop: str) -> None:
    box = Box(indoors)
    box.told("dealer", badge=DEALER, **{"in": True})
    STOPS[stop][0](box)
    box.told("dealer", badge=DEALER, **{"in": False})
    assert not TableDuty.objects.filter(ended_at=None).exists()


def test_in_maintenance_keys_answer_and_nothing_is_counted(indoors: Any) -> None:
    box = Box(indoors, Profile.KEY)
    set_table_state(table=box.casino.table, state=TableState.MAINTENANCE, by="tests", why="new lamps")
    assert box.told("key", key="17", position="JPH")["position"] == "JPH"
    box.told("key", key="17", position="RUN")
    assert box.say("coin_in", round=1, seats=[1])["code"] == "maintenance"


@pytest.mark.parametrize(
    ("rule", "keeps_closed", "heard"),
    [
        ("minimum", True, "version"),
        ("minimum", False, "ok"),
        ("exact", True, "version"),
        ("exact", False, "ok"),
    ],
)
def test_a_table_below_its_version_is_kept_closed_or_only_flagged(
    indoors: Any, rule: str, keeps_closed: bool, heard: str
) -> None:
    box = Box(indoors)
    a_version_rule(box.casino.premises, rule=rule, keeps_closed=keeps_closed)
    box.told("hello", device=box.casino.controller.code, version="6.9", profile="card")
    assert box.say("coin_in", round=1, seats=[2]).get("code", "ok") == heard


def test_another_rule_counts_within_a_second_on_a_line_that_is_open(live: Any) -> None:
    box = Box(live)
    table = SocketController(live, box.casino.controller, box.box.secret, version="6.9")
    played = 0

    def refused() -> bool:
        nonlocal played
        answer = table.say(do="coin_in", round=played + 1, seats=[1])
        if answer["ok"]:
            played += 1
            table.say(do="end", round=played)
        return bool(answer.get("code") == "version")

    assert not refused()
    a_version_rule(box.casino.premises)
    until(refused, "the rule is heard on the open line")
    set_version_rule(premises=box.casino.premises, rule=ComponentRule("controller", rule="any"), by="tests")
    until(lambda: not refused(), "any version counts again")
    table.close()
