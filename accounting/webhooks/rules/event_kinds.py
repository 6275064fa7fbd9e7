"""The kinds of events that a webhook may want: a whole topic, or single acts of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from accounting.days.rules.day_life import DayAct
from accounting.feed.rules.occurrence import UNTOLD, EventTopic
from jackpot.books.rules.entry_kind import EntryKind

ACTS: Final[Mapping[EventTopic, tuple[str, ...]]] = {
    EventTopic.BOOKS: tuple(kind.value for kind in EntryKind if kind.value not in UNTOLD),
    EventTopic.REQUESTS: ("asked", "signed", "refused", "withdrawn"),
    EventTopic.DAYS: tuple(act.value for act in DayAct),
}
KINDS: Final = (
    *(topic.value for topic in EventTopic),
    *(f"{topic.value}/{act}" for topic, acts in ACTS.items() for act in acts),
)


def kinds_refusal(kinds: Collection[str]) -> str:
    """A kind that the feed never tells of would wait for ever; it is named with those of its topic."""
    if not kinds:
        return f"Choose at least one kind of event, such as {', '.join(EventTopic)} or books/award."
    foreign = next((each for each in kinds if each not in KINDS), None)
    if foreign is None:
        return ""
    topic = foreign.partition("/")[0]
    known = [f"{topic}/{act}" for act in ACTS[EventTopic(topic)]] if topic in set(EventTopic) else [*EventTopic]
    return f"The feed tells of no “{foreign[:40]}”. It knows: {', '.join(known)}."


def in_turn(kinds: Iterable[str]) -> list[str]:
    """Each once and in the order of the list; an act beside its whole topic says nothing more."""
    wanted = set(kinds)
    return [each for each in KINDS if each in wanted and ("/" not in each or each.partition("/")[0] not in wanted)]


def wants(kinds: Collection[str], about: str, act: str) -> bool:
    """Whether an event is among these kinds."""
    return about in kinds or f"{about}/{act}" in kinds
