"""The recorder notices: what no act led to, what stands still, what falls, and what a payment contradicts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.recorder import MeterStood, Recording, Shown, Stood
from tests.oracle.sheet import units

Said = tuple[str, str]


def a_frame(at: float, amount: str, *verifying: Said, reason: str | None = None, version: int = 1) -> Shown:
    meter = {"code": "GRAND", "amount": amount, "version": version, "reason": reason}
    hits: list[dict[str, Any]] = [{"table": table, "amount": sum_} for table, sum_ in verifying]
    return Shown(at, {"meters": [meter], "verifying": hits, "fault": None})


def a_state(at: float, amount: str, *verifying: Said) -> Stood:
    hits = tuple(sorted((table, units(sum_)) for table, sum_ in verifying))
    return Stood(at, {"GRAND": MeterStood(units(amount), hits, bool(verifying))})


def a_recording(*states: Stood) -> Recording:
    recording = Recording()
    for state in states:
        recording.stood(state)
    return recording


ASKED = a_frame(2.5, "8000.42", ("T-1", "20000.00"), reason="verifying", version=2)
STATES = (a_state(1, "20000.00"), a_state(2, "8000.42", ("T-1", "20000.00")), a_state(3, "8000.42"))


def test_frames_in_their_order_are_believed() -> None:
    recording = a_recording(*STATES)
    heard = [a_frame(1.5, "20000.00"), ASKED, a_frame(3.5, "8000.42", reason="won", version=3)]
    assert [recording.hear(frame) for frame in heard] == ["", "", ""]
    assert recording.is_current


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (a_frame(2.5, "-5183.74", ("T-1", "20000.00"), reason="verifying", version=2), "no act"),
        (a_frame(2.5, "8000.42", ("T-1", "30009.52"), reason="verifying", version=2), "no act"),
        (a_frame(2.5, "8000.42", ("T-1", "20000.00"), ("T-1", "10.00"), reason="verifying", version=2), "no act"),
        (a_frame(2.5, "8000.42", ("T-1", "20000.00"), version=2), "no act"),  # it does not say why
        (a_frame(1.5, "8000.42", ("T-1", "20000.00"), reason="verifying", version=2), "no act"),  # not asked yet
        (a_frame(3.5, "8000.42", version=2), "GRAND falls on the sign without a reason"),
        (a_frame(3.5, "8000.42", version=1, reason="won"), "GRAND falls on the sign without a reason"),
    ],
)
def test_a_frame_that_no_act_led_to_is_named(frame: Shown, why: str) -> None:
    recording = a_recording(*STATES)
    assert recording.hear(a_frame(1.2, "20000.00")) == ""
    assert recording.hear(frame).startswith(why)


def test_a_wall_does_not_go_back() -> None:
    recording = a_recording(*STATES)
    assert recording.hear(ASKED) == ""
    assert recording.hear(a_frame(3.5, "20000.00", version=4)).startswith("no act led to")


def test_a_payment_is_held_against_what_hung_there() -> None:
    recording, after = a_recording(*STATES), a_frame(3.5, "8000.42", reason="won", version=3)
    assert recording.paid(ASKED, after, "T-1", [units("20000.00")], ["GRAND"]) == ""
    assert recording.tally["payments held against the wall"] == 1
    short = recording.paid(ASKED, after, "T-1", [units("7997.82")], ["GRAND"])
    assert short == "T-1 was told 20000.00 and was paid 7997.82"
    fallen = recording.paid(ASKED, a_frame(3.5, "8000.41"), "T-1", [units("20000.00")], ["GRAND"])
    assert fallen == "GRAND promised 8000.42 after all that it verified; paid, it is 8000.41"


def test_two_rounds_of_one_table_are_told_together() -> None:
    """A hit that was parked hangs there beside one of the next round."""
    both = a_frame(2.5, "8000.42", ("T-1", "20000.00"), ("T-1", "10.00"), reason="verifying")
    assert a_recording(*STATES).paid(both, both, "T-1", [units("10.00")], ["GRAND"]) == ""


def test_two_meters_of_a_frame_may_be_an_act_apart_and_neither_goes_back() -> None:
    first, then = (MeterStood(units("1.00")), MeterStood(units("2.00")))
    recording = a_recording(Stood(1, {"A": first, "B": first}), Stood(2, {"A": then, "B": then}))
    frames = [{"A": "1.00", "B": "1.00"}, {"A": "2.00", "B": "1.00"}, {"A": "2.00", "B": "2.00"}]
    for told in frames:
        assert not recording.is_current
        assert recording.hear(of_two(told)) == ""
    assert recording.is_current
    assert recording.hear(of_two(frames[1])).startswith("no act led to")


def of_two(amounts: dict[str, str]) -> Shown:
    meters = [{"code": code, "amount": amount, "version": 1, "reason": None} for code, amount in amounts.items()]
    return Shown(5, {"meters": meters, "verifying": [], "fault": None})
