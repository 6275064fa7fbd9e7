from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime, timedelta

import pytest

from accounting.feed.rules.occurrence import UNTOLD
from accounting.webhooks.rules.address import address_refusal, is_encrypted
from accounting.webhooks.rules.delivery_life import LONGEST_PAUSE, is_alarming, next_try, webhook_state
from accounting.webhooks.rules.event_kinds import KINDS, in_turn, kinds_refusal, wants
from accounting.webhooks.rules.signing import new_secret, signature

NOON = datetime(2026, 11, 19, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("address", "refused"),
    [
        ("https://reports.example/fairmeter", ""),
        ("http://192.168.4.20:8080/events?house=EMERALD", ""),
        ("http://[fd00::17]:9000/", ""),
        ("", "Write the address"),
        ("https://reports.example/a b", "without spaces"),
        ("https://réports.example/", "plain characters"),
        ("https://reports.example/\nHost: other", "plain characters"),
        ("https://reports.example/" + "x" * 500, "1 to 500"),
        ("ftp://reports.example/", "http or https"),
        ("reports.example/events", "http or https"),
        ("https:///events", "names no host"),
        ("https://reports.example:0/", "names no host"),
        ("https://reports.example:77777/", "is no address"),
        ("https://[reports/", "is no address"),
        ("https://user:word@reports.example/", "no name and no password"),
        ("https://reports.example/#part", "“#”"),
        ("http://169.254.169.254/latest", "no single program"),
        ("http://0.0.0.0:80/", "no single program"),
        ("http://[ff02::1]/", "no single program"),
        ("http://[::ffff:a9fe:a9fe]/", "no single program"),
        ("http://[64:ff9b::a9fe:a9fe]/", "no single program"),
    ],
)
def test_an_address_is_one_that_events_can_be_sent_to(address: str, refused: str) -> None:
    why = address_refusal(address)
    assert refused in why
    assert bool(why) is bool(refused)


def test_only_https_is_encrypted() -> None:
    assert [is_encrypted(each) for each in ("https://a.example/", "http://a.example/")] == [True, False]


def test_a_webhook_hears_whole_topics_or_single_acts() -> None:
    assert wants(["books"], "books", "award")
    assert wants(["books/award", "days"], "books", "award")
    assert not wants(["books/award", "days"], "books", "mark")
    assert not wants(["days"], "requests", "signed")
    assert in_turn(["days", "books/pay", "books/award", "days/close", "books/award"]) == [
        "days", "books/award", "books/pay",
    ]  # fmt: skip


def test_what_the_feed_never_tells_cannot_be_wanted() -> None:
    for untold in UNTOLD:
        assert f"books/{untold}" not in KINDS
        assert "books/award" in kinds_refusal([f"books/{untold}"])
    assert "books, requests, days" in kinds_refusal(["wins"])
    assert "requests/signed" in kinds_refusal(["books", "requests/paid"])
    assert "at least one" in kinds_refusal([])
    assert kinds_refusal(KINDS) == ""


def test_a_signature_covers_the_time_and_every_byte() -> None:
    """Computed here as the documents say it, by whoever receives."""
    body = '{"house":"EMERALD","why":"à"}'.encode()
    expected = hmac.new(b"fmw_secret", b"1763500000." + body, hashlib.sha256).hexdigest()
    assert signature("fmw_secret", 1763500000, body) == f"t=1763500000,v1={expected}"
    others = {signature("fmw_secret", 1763500001, body), signature("fmw_secret", 1763500000, body + b" ")}
    assert expected not in "".join(others | {signature("fmw_Secret", 1763500000, body)})
    one, other = new_secret(), new_secret()
    assert one != other
    assert len(one) == 47


def test_pauses_grow_to_an_hour_and_no_further() -> None:
    pauses = [next_try(NOON, tries) - NOON for tries in (1, 2, 3, 11, 12, 5_000)]
    assert pauses == [timedelta(seconds=each) for each in (2, 4, 8, 2048)] + [LONGEST_PAUSE, LONGEST_PAUSE]


def test_people_are_told_after_half_an_hour() -> None:
    assert not is_alarming(None, NOON)
    assert not is_alarming(NOON, NOON + timedelta(minutes=29, seconds=59))
    assert is_alarming(NOON, NOON + timedelta(minutes=30))


@pytest.mark.parametrize(
    ("failing", "paused", "retired", "state"),
    [
        (False, False, False, "works"), (True, False, False, "fails"), (True, True, False, "paused"),
        (False, True, False, "paused"), (True, True, True, "retired"), (False, False, True, "retired"),
    ],
)  # fmt: skip
def test_the_last_word_about_it_counts(failing: bool, paused: bool, retired: bool, state: str) -> None:
    assert webhook_state(failing=failing, paused=paused, retired=retired) == state
