"""Secrets of devices: each is one generation more, and what is older ends now or at a date that was said."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from jackpot.refusals import NotAllowedNow, NotUnderstood, Refused
from jackpot.trail.models import Trail
from tables.floor.models.device import Device
from tables.setup.actions.enrol import (
    LONGEST_GRACE,
    block,
    end_earlier_secret,
    end_secrets,
    enrol,
    invite,
    rotate,
    secret_of,
    secrets_of,
    unblock,
)
from tests.builders import a_casino, a_property
from tests.controller import secret_for
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def device() -> Device:
    made = a_casino().controller
    secret_for(made)
    made.refresh_from_db()
    return made


def heard(device: Device) -> list[int]:
    """The generations that are heard now, newest first."""
    return [secret.generation for secret in secrets_of(Device.objects.get(pk=device.pk))]


def test_enrolment_and_rotation_count_generations_and_only_the_newest_is_heard(device: Device) -> None:
    seen = [heard(device)]
    rotate(device=device, by="tests")
    seen.append(heard(device))
    secret_for(device)
    assert [*seen, heard(device)] == [[1], [2], [3]]


def test_a_grace_spares_the_one_before_until_its_date_and_says_so(device: Device) -> None:
    first = secret_of(device)
    rotate(device=device, by="tests", grace=DAY, why="box in the drawer")
    device.refresh_from_db()
    assert [secret.generation for secret in secrets_of(device)] == [2, 1]
    assert secrets_of(device)[1].key == first
    assert device.earlier_until is not None
    line = Trail.objects.get(act="rotate_device")
    assert (line.why, line.details) == (
        "box in the drawer", {"generation": 2, "earlier_until": device.earlier_until.isoformat()},
    )  # fmt: skip
    Device.objects.update(earlier_until=timezone.now())
    assert heard(device) == [2]


def test_a_second_rotation_within_the_grace_ends_what_the_first_had_spared(device: Device) -> None:
    first = secret_of(device)
    for _ in range(2):
        rotate(device=device, by="tests", grace=DAY)
    device.refresh_from_db()
    assert heard(device) == [3, 2]
    assert first not in {secret.key for secret in secrets_of(device)}


def test_two_rotations_from_the_same_look_at_the_device_are_two_generations(device: Device) -> None:
    other = Device.objects.get(pk=device.pk)
    rotate(device=device, by="tests")
    second = rotate(device=other, by="tests", grace=DAY)
    assert heard(device) == [3, 2]
    assert secret_of(Device.objects.get(pk=device.pk)).hex() == second


@pytest.mark.parametrize("grace", [-timedelta(seconds=1), LONGEST_GRACE + timedelta(seconds=1)])
def test_a_grace_is_never_longer_than_a_week(device: Device, grace: timedelta) -> None:
    with pytest.raises(NotUnderstood, match="at most 7 days"):
        rotate(device=device, by="tests", grace=grace)
    assert heard(device) == [1]


def test_the_earlier_secret_ends_now_and_the_newest_goes_on(device: Device) -> None:
    rotate(device=device, by="tests", grace=DAY)
    end_earlier_secret(device=device, by="tests", why="seen in a drawer")
    assert heard(device) == [2]
    assert Trail.objects.get(act="end_earlier_secret").details == {"generation": 1}
    with pytest.raises(NotAllowedNow, match="no earlier one is heard"):
        end_earlier_secret(device=device, by="tests", why="again")


def test_all_secrets_end_now_with_the_code_that_would_bring_one_and_a_new_code_brings_the_device_back(
    device: Device,
) -> None:
    rotate(device=device, by="tests", grace=DAY)
    code = invite(device=device, by="tests")
    end_secrets(device=device, by="tests", why="stolen")
    assert (heard(device), device.state) == ([], "waiting")
    with pytest.raises(Refused, match="unknown, spent or too old"):
        enrol(code=code)
    assert enrol(code=invite(device=device, by="tests")).generation == 3
    assert heard(device) == [3]


@pytest.mark.parametrize("end", [end_earlier_secret, end_secrets])
def test_nothing_ends_without_a_reason(device: Device, end: Any) -> None:
    rotate(device=device, by="tests", grace=DAY)
    with pytest.raises(NotUnderstood, match="Say in a few words"):
        end(device=device, by="tests", why=" ")
    assert heard(device) == [2, 1]


def test_a_device_that_was_blocked_keeps_no_earlier_secret(device: Device) -> None:
    rotate(device=device, by="tests", grace=DAY)
    block(device=device, by="tests", why="stolen")
    unblock(device=device, by="tests", why="found")
    secret_for(device)
    assert heard(device) == [3]


def sent(client: Client, act: str, **words: Any) -> Any:
    return client.post(f"/api/v1/devices/UTH-01-C/{act}", words, content_type="application/json")


def test_over_the_api_a_rotation_ends_the_older_secret_unless_a_grace_is_asked(device: Device) -> None:
    client = signed_in("service", "see")
    told = sent(client, "rotate").json()
    assert (told["generation"], told["earlier_until"], heard(device)) == (2, None, [2])
    told = sent(client, "rotate", grace_hours=24).json()
    assert (told["generation"], heard(device)) == (3, [3, 2])
    shown = client.get("/api/v1/devices/UTH-01-C/").json()
    assert (shown["generation"], shown["earlier_until"]) == (3, told["earlier_until"])
    assert sent(client, "rotate", grace_hours=169).status_code == 400
    assert sent(client, "revoke", what="earlier", why="seen").json()["state"] == "active"
    assert sent(client, "revoke", what="earlier", why="seen").json()["code"] == "no_earlier"
    assert sent(client, "revoke", why="").status_code == 400
    assert sent(client, "revoke", why="stolen").json()["state"] == "waiting"
    assert heard(device) == []


def test_who_does_not_serve_devices_ends_none_of_their_secrets(device: Device) -> None:
    assert sent(signed_in("run_tables"), "revoke", why="curious").status_code == 403
    theirs = signed_in("service", username="other", premises=a_property("OTHER"))
    assert sent(theirs, "revoke", why="theirs").status_code == 404
    assert heard(device) == [1]


def test_the_page_names_the_secrets_that_are_heard_and_ends_them(device: Device) -> None:
    rotate(device=device, by="tests", grace=DAY)
    browser = signed_in("service", "see")
    page = browser.get("/devices/UTH-01-C/").content.decode()
    assert "Secret 2 is heard" in page
    assert "Secret 1 is heard too, until" in page
    address = "/devices/UTH-01-C/secrets/"
    assert "Say in a few words" in browser.post(address, {"what": "all", "why": ""}, follow=True).content.decode()
    page = browser.post(address, {"what": "earlier", "why": "seen"}, follow=True).content.decode()
    assert (heard(device), "No earlier one is" in page) == ([2], True)
    page = browser.post(address, {"what": "all", "why": "stolen"}, follow=True).content.decode()
    assert "No secret is heard; the last was secret 2." in page
    assert heard(device) == []
