"""Lines of the log: one object a line where a program reads them, and never a secret, whoever put it in."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any, Final

_NAMED: Final = re.compile(
    r"""(?ix) (["']? \b(?: password|wished|again|pin|pins|first-pin|second-pin|card|swipe|badge|secret|token|code|totp
        |cookie|set-cookie|authorization|sessionid|csrftoken|csrfmiddlewaretoken|x-csrftoken|signature )["']?
        \s* [=:] \s* ) (?: b?"[^"]*" | b?'[^']*' | [^\s,;&}\])]+ (?: \s+ [A-Za-z0-9._~+/=-]{16,} )? )"""
)
_CARD: Final = re.compile(r"(?<![\d.])\d{8,15}(\d{4})(?![\d.])")
_TRACK: Final = re.compile(r"%B\d{6,19}\^[^?]*\??|;\d{6,19}=\d*\??")
_BEARER: Final = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}")
_URL_PASSWORD: Final = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://[^\s:/@]+):[^\s@]+@")


def unsaid(text: str) -> str:
    """The same without what opens or pays: named secrets, cards and their tracks, bearers, passwords of addresses."""
    # Tracks before cards: with the number cut out of it first, the rest of a track would be known no more and stay.
    text = _TRACK.sub("••••", text)
    text = _BEARER.sub(r"\1 ••••", text)
    text = _URL_PASSWORD.sub(r"\1:••••@", text)
    text = _NAMED.sub(r"\1••••", text)
    return _CARD.sub(r"••••\1", text)


class Unsaid(logging.Filter):
    """Stands before every handler: message and traceback are cleaned before anybody formats them."""

    def filter(self, record: logging.LogRecord) -> bool:
        # Put together here, as a handler behind us would put the arguments in once more.
        record.msg, record.args = unsaid(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            # A handler takes the text that it finds written: so it is made here, clean, before anybody else makes it.
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = unsaid(record.exc_text)
        return True


class Line(logging.Formatter):
    """For people: moment, level, who says it, what."""

    def __init__(self) -> None:
        super().__init__(
            "%(asctime)s %(levelname)s %(name)s [%(request_id)s]: %(message)s", defaults={"request_id": "-"}
        )


class JsonLine(logging.Formatter):
    """For programs: one object a line, moments in UTC."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
            "process": record.process,
            "request": getattr(record, "request_id", "-"),
        }
        if record.exc_text:
            told["trace"] = record.exc_text
        return json.dumps(told, ensure_ascii=False)
