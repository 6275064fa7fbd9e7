"""The house's way of sending a letter: over the mail server that the installation names. Alarms and reports use it."""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Final
from urllib.parse import unquote, urlsplit

from django.conf import settings

from jackpot.timed_line import TimedLine, within

SECONDS: Final = 10.0  # for one word of the mail server
WHOLE: Final = 120.0  # for a letter: a server that tells a letter of its answer now and then is left
MAILBOX: Final = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


class _TimedSmtp(smtplib.SMTP):
    """Over a line that is cut when the time of the whole letter is over."""

    def __init__(self, line: TimedLine, host: str, port: int) -> None:
        self.line = line
        super().__init__(host, port, timeout=SECONDS)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        opened = self.line.opened((host, port))
        opened.settimeout(timeout)
        return opened


class _TimedTls(smtplib.SMTP_SSL):
    def __init__(self, line: TimedLine, host: str, port: int, trusting: ssl.SSLContext) -> None:
        self.line, self.host = line, host
        super().__init__(host, port, timeout=SECONDS, context=trusting)

    def _get_socket(self, host: str, port: int, timeout: float) -> ssl.SSLSocket:
        opened = self.line.opened((host, port))
        opened.settimeout(timeout)
        return self.context.wrap_socket(opened, server_hostname=self.host)


@dataclass(frozen=True, slots=True)
class LetterAnswer:
    """Whether the mail server took it, and the sentence that people read about it."""

    taken: bool
    why: str


def send_letter(letter: EmailMessage, mailbox: str) -> LetterAnswer:
    """To one mailbox, from the house's own sender; whatever came of it is an answer with a sentence."""
    if not settings.SMTP_URL:
        why = "No mail server is named: set FAIRMETER_SMTP, such as smtp://mail.casino.example:25."
        return LetterAnswer(False, why)
    letter["From"], letter["To"] = settings.MAIL_FROM, mailbox
    server = urlsplit(settings.SMTP_URL)
    place = f"{server.hostname}:{server.port or 25}"
    try:
        _posted(
            letter, server.scheme == "smtps", server.hostname or "", server.port or 25, server.username, server.password
        )
    except smtplib.SMTPRecipientsRefused:
        return LetterAnswer(False, f"{place} does not take letters for {mailbox}.")
    except smtplib.SMTPAuthenticationError:
        return LetterAnswer(False, f"{place} refuses the name and password of FAIRMETER_SMTP.")
    except smtplib.SMTPResponseException as answer:
        return LetterAnswer(False, f"{place} does not take the letter (it answered {answer.smtp_code}).")
    except (OSError, smtplib.SMTPException):
        return LetterAnswer(False, f"{place} cannot be reached, or broke off before it took the letter.")
    return LetterAnswer(True, f"{place} took the letter.")


def _opened(line: TimedLine, host: str, port: int, tls: ssl.SSLContext | None) -> smtplib.SMTP:
    return _TimedSmtp(line, host, port) if tls is None else _TimedTls(line, host, port, tls)


def _posted(letter: EmailMessage, tls: bool, host: str, port: int, name: str | None, password: str | None) -> None:
    """Encrypted from the start, or as soon as the server offers it."""
    trusting = ssl.create_default_context()
    with within(WHOLE) as line, _opened(line, host, port, trusting if tls else None) as server:
        server.ehlo()
        if not tls and server.has_extn("starttls"):
            server.starttls(context=trusting)
            server.ehlo()
        if name and password:
            server.login(unquote(name), unquote(password))
        server.send_message(letter)
