"""Other authority as the page of requests shows it: each setting with the day from which it counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.urls import reverse
from django.utils import timezone

from accounting.desk.pages.authority_shown import counting
from accounting.desk.pages.look import Link, RequestEffect, RequestFact, RequestLook, ShownValue, StateWords
from jackpot.authority.models import AuthorityChange
from jackpot.property.rules.authority_change import Differs
from jackpot.requests.rules.life import RequestState


class AuthorityLook(RequestLook):
    """Of the house's settings, or of one card's level."""

    def called(self, row: AuthorityChange) -> str:
        return f"Change {row.number}"

    def title(self, row: AuthorityChange) -> str:
        return f"Change {row.number} of {_whose(row)}"

    def lead(self, row: AuthorityChange) -> str:
        return f"“{row.reason}”"

    def above(self, row: AuthorityChange) -> Sequence[Link]:  # noqa: ARG002  each kind takes what it needs
        return [(reverse("authority"), "Authority")]

    def phrase(self, row: AuthorityChange) -> str:
        changes = ", ".join(f"{each.name.lower()} {each.before} → {each.after} {each.when}" for each in _values(row))
        return f"{_whose(row)}: {changes}" if row.whose else changes

    def state(self, row: AuthorityChange) -> StateWords:
        if row.state == RequestState.SIGNED and not self.waits(row):
            return "lowered by one person" if row.alone else "signed", "ok", "✓"
        return super().state(row)

    def facts(self, row: AuthorityChange) -> Sequence[RequestFact]:
        return [RequestFact("Signed by", "nobody else: a level is lowered by one person")] if row.alone else ()

    def effect_title(self, row: AuthorityChange) -> str:  # noqa: ARG002  each kind takes what it needs
        return "What changes, and from when"

    def effect(self, row: AuthorityChange) -> RequestEffect:
        return RequestEffect(_values(row))

    def notes(self, row: AuthorityChange) -> Sequence[str]:
        """What waits already, and would fall with the second signature."""
        return [
            f"{each.label} {each.then}, which waits for {each.waits.day:%d %b %Y}, will fall."
            for each in (counting(row.premises) if row.is_open else ())
            if each.name in row.after and each.waits is not None
        ]

    def barred(self, row: AuthorityChange, person: Any) -> str:
        own = row.whose is not None and row.whose.operator_id == person.pk
        return "This is your own card. Nobody raises a card of their own: another person signs this." if own else ""

    def waits(self, row: AuthorityChange) -> bool:
        return row.state == RequestState.SIGNED and any(each.sign == "◔" for each in _values(row))

    def signed(self, row: AuthorityChange, by: str) -> str:  # noqa: ARG002  each kind takes what it needs
        days = sorted({step.day for step in row.signed_steps if step.day})
        # One request may hold both: what lowers authority counts at once, what raises it from the next gaming day.
        later = f"from {days[0]:%d %b %Y}, the next gaming day" if days else ""
        at_once = "at once" if any(step.day is None for step in row.signed_steps) else ""
        return f"{self.called(row)} is signed. It counts {' and '.join(filter(None, (at_once, later)))}."


def _whose(row: AuthorityChange) -> str:
    return f"card •••• {row.whose.last_four} of {row.whose.operator}" if row.whose else "the house"


def _values(row: AuthorityChange) -> list[ShownValue]:
    today = row.premises.gaming_day(timezone.now())
    return [ShownValue(each.label, each.was, each.becomes, *_when(row, each, today)) for each in row.differs]


def _when(change: AuthorityChange, differs: Differs, today: date) -> StateWords:
    """From when on it counts, with its look and its sign."""
    step = next((each for each in change.signed_steps if each.setting == differs.setting), None)
    if step is None:
        when = "at once, when it is signed" if differs.stricter else "from the gaming day after the second signature"
        look = ("", "○") if change.state == RequestState.PREVIEWED else ("muted", "■")
        return when if change.state == RequestState.PREVIEWED else "never counted", *look
    # Signed and yet never in force: a later change took its place before its day came.
    if differs.setting in change.fallen:
        later = change.fallen[differs.setting]
        why = f"change {later} took its place" if later else "withdrawn before its day"
        return f"never counted: {why}", "muted", "■"
    if step.day is None:
        return "at once", "ok", "✓"
    waits = step.day > today
    return f"from {step.day:%d %b %Y}", "late" if waits else "ok", "◔" if waits else "✓"
