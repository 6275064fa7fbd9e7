"""Messages of alarms go out: mail, a POST to a program, or ntfy; tried again ever more rarely, for a day."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from typing import Final

from django.conf import settings

from accounting.alarms.models import AlarmMessage
from accounting.alarms.rules import GIVEN_UP_AFTER, web_address
from accounting.mail.letters import SECONDS, send_letter
from accounting.mail.outbox import Outbox
from accounting.webhooks.actions.wire import PostAnswer, post_events

LEASE: Final = timedelta(minutes=3)
Send = Callable[[AlarmMessage], PostAnswer]


def send_due(send: Send | None = None) -> int:
    """What is due, one after another; returns how many were taken."""
    rows = AlarmMessage.objects.select_related("address__premises", "alarm")
    # An alarm of yesterday wakes nobody to any good; what still rings stands on the pit board.
    return Outbox(rows, send or deliver, GIVEN_UP_AFTER, LEASE).send_due()


def deliver(message: AlarmMessage) -> PostAnswer:
    """Over the wire that the address names; whatever came of it is an answer with a sentence."""
    address = message.address.address
    if address.startswith("mailto:"):
        return _mailed(address.removeprefix("mailto:"), message)
    if address.startswith("ntfy"):
        # A header of HTTP has no other letters; the words themselves stand in the body.
        headers = {"Title": title_of(message).encode("ascii", "replace").decode(), "User-Agent": "Fairmeter"}
        headers["Priority"] = "urgent" if message.alarm is not None and message.alarm.is_loud else "default"
        return post_events(web_address(address), words_of(message).encode(), headers, seconds=SECONDS)
    headers = {"Content-Type": "application/json", "User-Agent": "Fairmeter", "Connection": "close"}
    return post_events(address, json.dumps(facts_of(message), ensure_ascii=False).encode(), headers, seconds=SECONDS)


def title_of(message: AlarmMessage) -> str:
    """What a telephone shows first: which house, what, and whether it is over."""
    house, alarm = message.address.premises.code, message.alarm
    if alarm is None:
        return f"{house}: a try of alarms"
    return f"{house}: {'over: ' if message.ended else ''}{alarm}"


def words_of(message: AlarmMessage) -> str:
    """The sentence of the alarm, since when, until when, and where to look."""
    alarm = message.alarm
    if alarm is None:
        return f"Alarms of {message.address.premises.name} are told here. Nothing is wrong: somebody tries the address."
    over = f" Over since {alarm.ended_at:%Y-%m-%d %H:%M} UTC." if message.ended and alarm.ended_at else ""
    where = f"\n{settings.PUBLIC_URL}/office/alarms/" if settings.PUBLIC_URL else ""
    return f"{alarm.words} Since {alarm.since:%Y-%m-%d %H:%M} UTC.{over}{where}"


def facts_of(message: AlarmMessage) -> dict[str, object]:
    """The same for a program: one object a message, with the number of the alarm."""
    alarm = message.alarm
    told: dict[str, object] = {"house": message.address.premises.code, "words": words_of(message)}
    if alarm is None:
        return told | {"kind": "try"}
    since, ended = alarm.since.isoformat(), alarm.ended_at.isoformat() if message.ended and alarm.ended_at else None
    facts = {"kind": alarm.kind, "subject": alarm.subject, "since": since, "ended": ended, "loud": alarm.is_loud}
    return told | {"alarm": alarm.pk} | facts


def _mailed(mailbox: str, message: AlarmMessage) -> PostAnswer:
    letter = EmailMessage()
    letter["Subject"] = title_of(message)
    letter.set_content(words_of(message))
    answer = send_letter(letter, mailbox)
    return PostAnswer(answer.taken, answer.why)
