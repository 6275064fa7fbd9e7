"""Approvals that a rule book asks for before play: what they are of, how one is read, and what still lacks one."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from jackpot.property.rules.typed_days import NotADay, read_day
from jackpot.refusals import NotAllowedNow, NotUnderstood

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_/ .-]{0,59}")


class ApprovedThing(enum.StrEnum):
    """What may need an approval before a table opens with it."""

    GAME = "game"
    AGREEMENT = "agreement"
    PAY_TABLE = "pay_table"
    JACKPOT = "jackpot"
    SCHEDULE = "schedule"


THING_WORDS: Final[Mapping[ApprovedThing, str]] = {
    ApprovedThing.GAME: "the game",
    ApprovedThing.AGREEMENT: "the agreement with the owner of",
    ApprovedThing.PAY_TABLE: "the pay table",
    ApprovedThing.JACKPOT: "the jackpot",
    ApprovedThing.SCHEDULE: "the collection schedule",
}


class ApprovalSays(enum.StrEnum):
    GIVEN = "given"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class NeededApproval:
    """One thing that a table opens with, by the name that the house knows it by."""

    thing: ApprovedThing
    name: str

    def __str__(self) -> str:
        return f"{THING_WORDS[self.thing]} {self.name}"


@dataclass(frozen=True, slots=True)
class KnownApproval:
    """What two people entered; the newest word on a thing counts."""

    about: NeededApproval
    word: ApprovalSays
    begins: date
    until: date | None = None

    def stands(self, day: date) -> bool:
        # The first and the last day both count.
        return self.word is ApprovalSays.GIVEN and self.begins <= day and (self.until is None or day <= self.until)


def lacking(needed: Iterable[NeededApproval], known: Iterable[KnownApproval], day: date) -> list[NeededApproval]:
    """What has no approval that stands on this day. `known` is in the order in which it was signed.

    A later word counts from its own first day on: until then the word before it does.
    """
    newest: dict[NeededApproval, KnownApproval] = {}
    for each in known:
        # By its beginning alone: a word that has ended still takes the place of the one before it.
        if each.begins <= day:
            newest[each.about] = each
    return [each for each in needed if each not in newest or not newest[each].stands(day)]


def refuse_lacking(what: str, missing: Iterable[NeededApproval], day: date) -> None:
    """`what` does not open, or does not come into force: names everything that lacks its approval, with the cure."""
    # Two jackpots of a table may lack the same game: it is named once.
    names = list(dict.fromkeys(str(each) for each in missing))
    if names:
        have = "has" if len(names) == 1 else "have"
        why = f"{what}: {' and '.join(names)} {have} no approval that counts on {day}."
        raise NotAllowedNow(f"{why} Two people enter it under Requests, with its document.", "approval")


def read_approval(typed: Mapping[str, Any], today: date, *, month_first: bool) -> dict[str, str]:
    """As it is kept: what, name, whose approval, its reference, from when and until when; or what is missing."""
    thing, word = str(typed.get("thing", "")), str(typed.get("word", ""))
    if thing not in set(ApprovedThing) or word not in set(ApprovalSays):
        raise NotUnderstood("Choose what is approved, and whether it is given or withdrawn.", "thing")
    name = str(typed.get("name", "")).strip()
    if not NAME.fullmatch(name):
        raise NotUnderstood("Name it as the house does: uth, uth-progressive-01, GRAND, 001/3.", "name")
    kept = {"thing": thing, "name": name, "word": word}
    for key, what in (("by", "who gives it"), ("reference", "its reference, such as GL-2026-114")):
        kept[key] = str(typed.get(key, "")).strip()
        if not 1 <= len(kept[key]) <= 120:
            raise NotUnderstood(f"Write {what}, in 1 to 120 characters.", key)
    kept["begins"] = _day(typed, "begins", today, month_first=month_first)
    kept["until"] = _day(typed, "until", today, month_first=month_first) if typed.get("until") else ""
    if kept["until"] and kept["until"] < kept["begins"]:
        raise NotUnderstood(f"It ends on {kept['until']}, before it begins on {kept['begins']}.", "until")
    return kept


def refuse_withdrawing_nothing(word: KnownApproval, known: Iterable[KnownApproval]) -> None:
    """A withdrawal under another name would leave the approval standing, and nobody would hear of it."""
    if word.word is not ApprovalSays.WITHDRAWN:
        return
    thing = word.about.thing
    # Of the same kind alone: a game and a jackpot may bear one name.
    given = {each.about.name for each in known if each.about.thing is thing and each.word is ApprovalSays.GIVEN}
    if word.about.name not in given:
        names = f"those of {', '.join(sorted(given))}" if given else "none of that kind"
        raise NotUnderstood(f"There is no approval of {word.about} to withdraw. The house has {names}.", "name")


def known_of(kept: Mapping[str, str]) -> KnownApproval:
    until = date.fromisoformat(kept["until"]) if kept["until"] else None
    about = NeededApproval(ApprovedThing(kept["thing"]), kept["name"])
    return KnownApproval(about, ApprovalSays(kept["word"]), date.fromisoformat(kept["begins"]), until)


def _day(typed: Mapping[str, Any], key: str, today: date, *, month_first: bool) -> str:
    try:
        return read_day(str(typed.get(key, "")), today, month_first=month_first).isoformat()
    except NotADay as why:
        raise NotUnderstood(f"The day on which it {'begins' if key == 'begins' else 'ends'}: {why}", key) from None
