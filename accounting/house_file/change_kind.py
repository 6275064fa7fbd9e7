"""What a line of a casino file is about."""

from __future__ import annotations

import enum


class ChangeKind(enum.StrEnum):
    """What is new or differs; the value is how it is told before its name: "shifts from 2026-11-20"."""

    PROPERTY = "property"
    ROLE = "role"
    PERSON = "person"
    CARD = "card"
    JACKPOT = "jackpot"
    TABLE = "table"
    SIGN = "sign"
    DEVICE = "device"
    COMPONENT = "rule of"
    SHIFTS = "shifts from"
    TAX = "tax from"
    UNCLAIMED = "unclaimed slips from"
    NOTICE = "notice from"
    COLLECTION = "collection from"
    SCHEDULE = "schedule from"
    LIMITS = "limits from"
    PRINTER = "printer"
    SLIP_BOOK = "book"
    CUSTODY = "key or seal"
