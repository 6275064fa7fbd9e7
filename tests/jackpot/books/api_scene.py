"""A small house that has played: two tables on GRAND, a void, a recount, and people who may read it."""

from __future__ import annotations

from typing import Any

from django.test import Client

from tables.floor.models.device import Device, DeviceState
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tests.builders import Casino, a_casino, a_person

READS_ALL = ("see", "read_books", "read_trail")


def play(device: Device, round_number: int, seats: str, *, ends: bool = True) -> None:
    """One round as its controller would tell it."""
    assert device.table is not None
    Device.objects.filter(pk=device.pk).update(state=DeviceState.ACTIVE)
    asks: list[Any] = [CoinInRequest(round_number, seats)]
    asks += [EndRequest(round_number)] if ends else []
    for ask in asks:
        (outcome,) = post_messages([DeviceRequest(device.table.code, device.pk, 0, ask)])
        assert isinstance(outcome, PostedAnswer), outcome


def a_played_casino() -> Casino:
    """Entries of GRAND: 1 take-over, 2 coin-in (5 seats), 3 its void, 4 coin-in (3), 5 its contra, 6 counted again."""
    casino = a_casino(tables=2, meter="20000.00", reserve="617.25")
    first, second = casino.controllers
    play(first, 1, "12345")
    void_round(table_code="UTH-01", round_number=1, reason="Shuffler jam", by="supervisor")
    play(second, 1, "126", ends=False)
    recount_round(table_code="UTH-02", round_number=1, seats="12", spots="1100000", by="supervisor")
    return casino


def signed_in(*may: str, username: str = "reader", **of_the_person: Any) -> Client:
    """A browser in which somebody with these verbs is signed in."""
    client = Client()
    client.force_login(a_person(username, may=may or READS_ALL, **of_the_person))
    return client
