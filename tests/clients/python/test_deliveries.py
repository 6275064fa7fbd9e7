"""What a program makes of a webhook's delivery: the product signs, the client judges."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from accounting.webhooks.rules import signing
from fairmeter_client import NotSigned, read_delivery
from fairmeter_client.webhooks import SIGNATURE_HEADER

SECRET, NOW = "fmw_a-secret", 1763500000
EVENT = {"number": 44, "about": "books", "act": "award", "subject": "GRAND", "at": "2026-11-18T21:04:11Z", "facts": {}}
BODY = json.dumps(
    {"house": "EMERALD", "webhook": 3, "after": 41, "up_to": 57, "events": [EVENT, {**EVENT, "number": 57}]}
).encode()
SIGNED = signing.signature(SECRET, NOW, BODY)


def test_what_the_product_signs_is_read() -> None:
    delivery = read_delivery(BODY, SIGNED, SECRET, now=NOW + 299)
    assert (delivery.house, delivery.webhook, delivery.after, delivery.up_to) == ("EMERALD", 3, 41, 57)
    assert [event.number for event in delivery.events] == [44, 57]
    assert [event.number for event in delivery.news(44)] == [57], "a delivery that comes twice tells nothing new"
    assert delivery.events[0].at == datetime(2026, 11, 18, 21, 4, 11, tzinfo=UTC)
    assert signing.SIGNATURE_HEADER == SIGNATURE_HEADER
    joined = f"{SIGNED},v2=something-else"
    assert read_delivery(BODY, joined, SECRET, now=NOW).up_to == 57, "other parts may join"


@pytest.mark.parametrize(
    ("body", "signature", "secret", "now", "why"),
    [
        (BODY + b" ", SIGNED, SECRET, NOW, "changed on its way"),
        (BODY, SIGNED, "fmw_other", NOW, "not made with this secret"),
        (BODY, SIGNED.replace(str(NOW), str(NOW + 1)), SECRET, NOW, "changed on its way"),
        (BODY, SIGNED.upper(), SECRET, NOW, "has no time"),
        (BODY, f"t={NOW},v1=ä", SECRET, NOW, "changed on its way"),
        (BODY, f"t={NOW}", SECRET, NOW, "changed on its way"),
        (BODY, f"t=-5,{SIGNED.partition(',')[2]}", SECRET, NOW, "has no time"),
        (BODY, SIGNED, SECRET, NOW + 301, "too long ago"),
        (BODY, SIGNED, SECRET, NOW - 301, "clocks disagree"),
        (BODY, "", SECRET, NOW, "is missing"),
        (BODY, None, SECRET, NOW, "is missing"),
    ],
)
def test_everything_else_is_refused(body: bytes, signature: str | None, secret: str, now: int, why: str) -> None:
    with pytest.raises(NotSigned, match=why):
        read_delivery(body, signature, secret, now=now)
