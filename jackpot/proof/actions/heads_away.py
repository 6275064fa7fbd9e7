"""Heads leave the machine: the newest head of every jackpot goes to each address that the house named.

Who holds this machine can rewrite the books, seal them anew and rewrite the file beside them; not what lies elsewhere.
"""

from __future__ import annotations

import base64
import http.client
import ssl
import subprocess
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import unquote, urlsplit

from django.conf import settings

from jackpot.errands.rules import Rhythm
from jackpot.proof.actions.heads import standing_heads
from jackpot.proof.queries.heads import heads_key
from jackpot.timed_line import within

AWAY: Final = Rhythm("send heads away", every=timedelta(minutes=5), alarm_after=timedelta(minutes=15))
PATIENCE: Final = 10.0  # seconds for one address
TAKEN: Final = range(200, 300)


class NotTaken(Exception):
    """An address did not take them; the errand is tried again and rings when it stays so."""


def send_heads_away() -> int:
    """To every address, also when one before it fails. Returns how many took them."""
    lines = "".join(f"{head.line(heads_key())}\n" for head in standing_heads()).encode("ascii")
    if not lines:
        return 0
    name = f"heads-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl"
    troubles = []
    for address in settings.HEADS_TO:
        try:
            _put(address, name, lines) if "://" in address else _hand_over(address, lines)
        except (OSError, http.client.HTTPException, subprocess.SubprocessError, NotTaken, ValueError) as trouble:
            troubles.append(f"{spoken(address)}: {trouble}")
    if troubles:
        raise NotTaken("; ".join(troubles))
    return len(settings.HEADS_TO)


def spoken(address: str) -> str:
    """Without the password that it may carry."""
    parts = urlsplit(address)
    return address if not parts.password else address.replace(f":{parts.password}@", ":…@")


def _put(address: str, name: str, lines: bytes) -> None:
    """A new object each time, so that a store which forbids changing one serves as well."""
    parts = urlsplit(address)
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise ValueError("it is neither http(s)://… nor the path of a program")
    headers = {"Content-Type": "application/jsonl", "Content-Length": str(len(lines))}
    if parts.username:
        named = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = f"Basic {base64.b64encode(named.encode()).decode()}"
    asked: http.client.HTTPConnection
    # This client follows no redirect: the heads go to the address that the house named, or nowhere.
    if parts.scheme == "https":
        asked = http.client.HTTPSConnection(
            parts.hostname, parts.port, timeout=PATIENCE, context=ssl.create_default_context()
        )
    else:
        asked = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    with within(PATIENCE) as line:
        line.carry(asked)
        try:
            asked.request(
                "PUT", f"{parts.path.rstrip('/')}/{name}{'?' if parts.query else ''}{parts.query}", lines, headers
            )
            answer = asked.getresponse()
        finally:
            asked.close()
    if answer.status not in TAKEN:
        raise NotTaken(f"it answered {answer.status}")


def _hand_over(program: str, lines: bytes) -> None:
    """A program of the house: it mails them, or puts them into a store that wants more than a PUT. No shell."""
    done = subprocess.run([program], input=lines, capture_output=True, timeout=PATIENCE * 3, check=False)
    if done.returncode:
        # Programs say in their last line why they ended.
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:120]
        raise NotTaken(f"it ended with {done.returncode}{f' ({last})' if last else ''}")
