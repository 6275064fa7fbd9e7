"""Where a webhook leads: an address of the web, written so that it means the same to everybody who reads it."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from accounting.webhooks.rules.reach import is_nobodys, number_worn

LONGEST_ADDRESS: Final = 500


def address_refusal(address: str) -> str:
    """What is wrong with an address, with its cure; nothing where events may be sent to it."""
    if not 0 < len(address) <= LONGEST_ADDRESS or not address.isascii() or not address.isprintable() or " " in address:
        return (
            f"Write the address in 1 to {LONGEST_ADDRESS} plain characters without spaces, "
            "such as https://reports.example/fairmeter."
        )
    try:
        parts = urlsplit(address)
        # Asked for here, for a port that is none refuses only when it is read.
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return f"“{address[:60]}” is no address. Write one such as https://reports.example/fairmeter."
    if parts.scheme not in ("http", "https"):
        return "Events are sent to http or https only. Begin the address with https://."
    if not host or port == 0:
        return f"“{address[:60]}” names no host. Write one such as https://reports.example/fairmeter."
    if parts.username is not None or parts.password is not None:
        return "An address holds no name and no password: everybody who reads the list would see them."
    if parts.fragment:
        return "An address for programs has no “#”: what stands behind it is never sent. Leave it out."
    return _host_refusal(host)


def is_encrypted(address: str) -> bool:
    return urlsplit(address).scheme == "https"


def _host_refusal(host: str) -> str:
    try:
        number = number_worn(host)
    except ValueError:
        return ""
    if is_nobodys(number):
        return f"{host} is the address of no single program. Write the one that shall hear the events."
    return ""
