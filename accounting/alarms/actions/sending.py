"""Messages of alarms go out: mail, a POST to a program, or ntfy; tried again ever more rarely, for a day."""

from __future__ import annotations

import json
import smtplib
import ssl
import time
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from typing import Final
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounting.alarms.models import AlarmMessage
from accounting.alarms.queries.lists import due_messages
from accounting.alarms.rules import GIVEN_UP_AFTER, web_address
from accounting.webhooks.actions.wire import PostAnswer, post_events
from accounting.webhooks.rules.delivery_life import next_try

SECONDS: Final = 10.0
LEASE: Final = timedelta(minutes=3)  # so long a telling may take before somebody else tries: every word of SMTP waits
SPELL: Final = 20.0  # after which a worker looks up; what is left is due again at once
Send = Callable[[AlarmMessage], PostAnswer]


def send_due(send: Send | None = None) -> int:
    """One message after another, each by one worker: no two send the same. Returns how many were taken."""
    taken, until = 0, time.monotonic() + SPELL
    while time.monotonic() < until and (message := _claimed()) is not None:
        # Behind the commit: a mail server that drips holds no row and no transaction.
        answer = (send or deliver)(message)
        _note(message, answer)
        taken += answer.taken
    return taken


@transaction.atomic
def _claimed() -> AlarmMessage | None:
    """Taken for a while; whoever dies with it leaves it to be told again, which is better than never."""
    now = timezone.now()
    rows = due_messages(now).select_for_update(skip_locked=True, of=("self",))
    message = rows.select_related("address__premises", "alarm").order_by("id").first()
    if message is not None:
        # Counted and not only timed: who comes back after the lease is told apart from who has it then.
        message.tries += 1
        message.due_at = now + LEASE
        message.save(update_fields=["tries", "due_at"])
    return message


@transaction.atomic
def _note(message: AlarmMessage, answer: PostAnswer) -> None:
    """What came of it; of a try that somebody else has taken over, only that it was taken after all."""
    held = AlarmMessage.objects.select_for_update().get(pk=message.pk)
    now = timezone.now()
    if answer.taken:
        held.sent_at, held.last_answer = held.sent_at or now, answer.why[:200]
    elif held.tries == message.tries:
        held.last_answer = answer.why[:200]
        # An alarm of yesterday wakes nobody to any good; what still rings stands on the pit board.
        if now - held.written_at > GIVEN_UP_AFTER:
            held.given_up_at = held.given_up_at or now
        else:
            held.due_at = next_try(now, held.tries)
    held.save(update_fields=["last_answer", "sent_at", "given_up_at", "due_at"])


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
    if not settings.SMTP_URL:
        return PostAnswer(False, "No mail server is named: set FAIRMETER_SMTP, such as smtp://mail.casino.example:25.")
    letter = EmailMessage()
    letter["Subject"], letter["From"], letter["To"] = title_of(message), settings.MAIL_FROM, mailbox
    letter.set_content(words_of(message))
    server = urlsplit(settings.SMTP_URL)
    place = f"{server.hostname}:{server.port or 25}"
    try:
        _posted(
            letter, server.scheme == "smtps", server.hostname or "", server.port or 25, server.username, server.password
        )
    except smtplib.SMTPRecipientsRefused:
        return PostAnswer(False, f"{place} does not take letters for {mailbox}.")
    except smtplib.SMTPAuthenticationError:
        return PostAnswer(False, f"{place} refuses the name and password of FAIRMETER_SMTP.")
    except (OSError, smtplib.SMTPException):
        return PostAnswer(False, f"{place} cannot be reached, or broke off before it took the letter.")
    return PostAnswer(True, f"{place} took the letter.")


def _posted(letter: EmailMessage, tls: bool, host: str, port: int, name: str | None, password: str | None) -> None:
    """Encrypted from the start, or as soon as the server offers it."""
    trusting = ssl.create_default_context()
    made = (
        smtplib.SMTP_SSL(host, port, timeout=SECONDS, context=trusting)
        if tls
        else smtplib.SMTP(host, port, timeout=SECONDS)
    )
    with made as server:
        server.ehlo()
        if not tls and server.has_extn("starttls"):
            server.starttls(context=trusting)
            server.ehlo()
        if name and password:
            server.login(unquote(name), unquote(password))
        server.send_message(letter)
