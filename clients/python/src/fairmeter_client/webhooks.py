"""Deliveries of a webhook: whether the house signed them, when, and what they tell."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from fairmeter_client.errors import HouseError
from fairmeter_client.events import HouseEvent

SIGNATURE_HEADER: Final = "Fairmeter-Signature"
TOLERANCE: Final = 300  # seconds between the clocks of the house and ours, and the life of a delivery on its way


class NotSigned(HouseError):
    """Answer 401 or 400 and believe nothing of it: it does not come from the house, or it is old."""


@dataclass(frozen=True)
class Delivery:
    """What was sent. Keep `up_to` once the events are safe, then answer with 2xx."""

    house: str
    webhook: int
    after: int
    up_to: int
    events: Sequence[HouseEvent]

    def news(self, last: int) -> Iterator[HouseEvent]:
        """The events behind the last number that you keep: a delivery may come twice."""
        return (event for event in self.events if event.number > last)


def read_delivery(
    body: bytes, signature: str | None, secret: str, *, now: float | None = None, tolerance: float = TOLERANCE
) -> Delivery:
    """The delivery, if this signature (the value of Fairmeter-Signature) is the house's for these very bytes.

    Pass the body as it came, not what a framework made of it.
    """
    parts = [part.strip().partition("=")[::2] for part in (signature or "").split(",")]
    sent = next((value for name, value in parts if name == "t"), "")
    if not (sent.isascii() and sent.isdigit() and len(sent) < 15):
        raise NotSigned(f"The header {SIGNATURE_HEADER} is missing or has no time.")
    expected = hmac.new(secret.encode(), sent.encode() + b"." + body, hashlib.sha256).hexdigest()
    # While a secret gives way to another both sign: one of the parts is made with ours.
    if not any(hmac.compare_digest(expected.encode(), value.encode()) for name, value in parts if name == "v1"):
        raise NotSigned("The signature is not made with this secret, or the body was changed on its way.")
    if abs((time.time() if now is None else now) - int(sent)) > tolerance:
        raise NotSigned("The delivery was signed too long ago, or the clocks disagree. It may be told a second time.")
    told = json.loads(body)
    events = [HouseEvent.read(each) for each in told["events"]]
    return Delivery(told["house"], told["webhook"], told["after"], told["up_to"], events)
