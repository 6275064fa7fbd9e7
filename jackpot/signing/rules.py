"""What a form of two people asks for, field by field: declared by a kind, shown by the one page that asks."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass


class FieldLook(enum.StrEnum):
    """How a field is filled in."""

    TEXT = "text"
    AMOUNT = "amount"
    CHOICE = "choice"
    TICKS = "ticks"
    DAY = "day"
    SECRET = "secret"  # a card as its reader types it: never shown again, never part of an address
    CARRIED = "carried"  # what the page is about; nobody fills it in


@dataclass(frozen=True, slots=True)
class AskField:
    """One thing that a form asks for. `stands` is what counts now, where that is known: the page marks what differs."""

    name: str
    label: str = ""
    look: FieldLook = FieldLook.TEXT
    value: str = ""
    options: Sequence[tuple[str, str]] = ()
    ticked: Sequence[str] = ()
    stands: str | None = None
    unit: str = ""
    meaning: str = ""
    placeholder: str = ""
    required: bool = True
    longest: int = 200

    @property
    def differs(self) -> bool:
        return self.stands is not None and self.value != self.stands


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields that belong together, under one heading or none."""

    legend: str
    fields: Sequence[AskField]
