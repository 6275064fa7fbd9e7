"""A rule book as data: which value each switch of a house takes under it, and where that is written.

Its file names values, never code: whoever reads another rule book writes another file. What is asked and is no switch
stands beside them, either as what every house does here or as what the house must see to itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from jackpot.money import ZERO, Money, NotAnAmount
from jackpot.property.rules.authority_change import SETTINGS, AuthorityRefused, read
from jackpot.property.rules.notice import DECLARED, MEASURED
from jackpot.terms.rules.policy import Policy, PolicyRefused

NO_RULE_BOOK: Final = "NONE"
CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,19}")
LONGEST: Final = 600
MOST_GAMES: Final = 20
MOST_SHARE: Final = 10_000
# The whole numbers among them: the least and the most.
_BOUNDS: Final[Mapping[str, tuple[int, int]]] = {"most_games": (1, MOST_GAMES), "unreasonable_share": (0, MOST_SHARE)}
MOST_HOURS: Final = 24 * 366
# The facts of a property that rule books differ in, with their type and their words.
PROPERTY_SWITCHES: Final[Mapping[str, tuple[type, str]]] = MappingProxyType(
    {
        "limit_may_equal_meter": (bool, "A new limit may be the present meter itself"),
        "raise_limit_at_once": (bool, "A higher limit need not wait for a reset"),
        "surveillance": (list, "Surveillance ticks off"),
        "checklist_opens": (bool, "A table opens only with its checklist done"),
        "evidence_files": (bool, "No signature without a file of evidence"),
        "seed_recovery": (bool, "The house may take its seed back out of a meter"),
        "short_cover_suspends": (bool, "Jackpots suspend themselves while the bank holds too little"),
        "unapproved_closes": (bool, "A table closes when an approval of what it plays ends"),
        "terms_wait_for_notice": (bool, "Other terms count only when whoever must be told was told"),
        "approves_game": (bool, "A table opens only with the approval of its game"),
        "approves_agreement": (bool, "A table opens only with the agreement of its game’s owner"),
        "approves_pay_table": (bool, "A table opens only with the approval of its pay tables"),
        "approves_jackpot": (bool, "A table opens only with the approval of its jackpots"),
        "approves_schedule": (bool, "A table opens only with the approval of its collection schedule"),
        "most_games": (int, "Games that a player may wager on at a table"),
        "each_wager_a_game": (bool, "Ante, blind and play count as a game each"),
        "each_progressive_a_game": (bool, "Each progressive wager of a table counts as a game"),
        "end_waits_for_settling": (bool, "A hand that a player banks ends only when it is settled"),
        "limits_close": (bool, "A table that plays outside a limit sheet closes"),
        "bad_beat_takes_trips": (bool, "A bad beat wager takes a trips wager beside it"),
        "losers_play_first": (bool, "A losing hand gives play before ante and blind where a player banks"),
        "surveillance_first": (bool, "A hit is approved only with surveillance’s list ticked off"),
        "slips_need_two": (bool, "Books of hand-written slips take two people"),
        "unreasonable_share": (int, "An hour of a table rings from this per cent of what is expected"),
        "player_dealer_jackpots": (bool, "A table that a player banks may feed a jackpot"),
    }
)
TRUTHS: Final = tuple(key for key, (kind, _) in PROPERTY_SWITCHES.items() if kind is bool)
ON: Final = frozenset({"slips_need_two", "each_progressive_a_game"})  # unless somebody says otherwise
UNCLAIMED_KEYS: Final = ("notice_after", "lapse_after")
_GROUPS: Final = frozenset({"code", "name", "about", "property", "authority", "policy", "unclaimed", "notices", "says"})
_SWITCH_KEYS: Final = frozenset({"value", "source", "why"})


class RuleBookRefused(ValueError):
    """A file that is no rule book; nothing of it is taken. The message names file, key and cure."""


@dataclass(frozen=True, slots=True)
class RuleBookSwitch:
    """One switch as the rule book wants it, where that is written, and what it is about in our words."""

    group: str
    key: str
    value: Any
    source: str
    why: str


@dataclass(frozen=True, slots=True)
class RuleBookNotice:
    """Somebody who has to be told, within how many hours of the second signature."""

    about: str
    to: str
    owner: str
    within_hours: int
    source: str
    why: str
    from_amount: str | None = None


@dataclass(frozen=True, slots=True)
class RuleBookSentence:
    """What is asked and is no switch. `kept` says how every house does it here; empty: the house sees to it."""

    source: str
    why: str
    kept: str


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Everything one rule book says of a house."""

    code: str
    name: str
    about: str
    switches: tuple[RuleBookSwitch, ...]
    notices: tuple[RuleBookNotice, ...]
    sentences: tuple[RuleBookSentence, ...]

    def values(self, group: str) -> dict[str, Any]:
        """The switches of a group (property, authority, policy, unclaimed) by their keys."""
        return {each.key: each.value for each in self.switches if each.group == group}


def read_rule_book(text: str, file: str) -> RuleBook:
    """Strict: an unknown key, a value that a switch does not have, a switch without its source are refused."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        raise RuleBookRefused(f"{file} is not TOML: {why}.") from None
    reading = _Reading(file)
    reading.only(content, _GROUPS, "the rule book")
    code = reading.word(content, "code", "the rule book")
    if not CODE.fullmatch(code):
        raise RuleBookRefused(f"{file}: “{code[:40]}” is no code. Use up to 20 of A–Z, 0–9 and -, such as WA.")
    # In this order on every page, whatever order the file has.
    switches = tuple(switch for group in ("property", "authority", "policy", "unclaimed")
                     for switch in reading.switches(content, group))  # fmt: skip
    return RuleBook(
        code=code, name=reading.word(content, "name", code), about=reading.word(content, "about", code),
        switches=switches, notices=tuple(reading.notices(content)), sentences=tuple(reading.sentences(content)),
    )  # fmt: skip


class _Reading:
    """One file while it is read: every refusal begins with its name."""

    def __init__(self, file: str) -> None:
        self.file = file

    def refused(self, why: str) -> RuleBookRefused:
        return RuleBookRefused(f"{self.file}: {why}")

    def only(self, section: Mapping[str, Any], known: frozenset[str], what: str) -> None:
        unknown = sorted(set(section) - known)
        if unknown:
            raise self.refused(f"“{unknown[0][:40]}” is no key of {what}. Known: {', '.join(sorted(known))}.")

    def word(self, section: Mapping[str, Any], key: str, what: str) -> str:
        value = section.get(key)
        if not isinstance(value, str) or not value.strip() or len(value) > LONGEST:
            raise self.refused(f"{key} of {what} must be a text of 1 to {LONGEST} characters.")
        return value.strip()

    def switches(self, content: Mapping[str, Any], group: str) -> Iterator[RuleBookSwitch]:
        section = content.get(group, {})
        if not isinstance(section, dict):
            raise self.refused(f"{group} must be a section: [{group}].")
        for key, told in section.items():
            what = f"{group}.{key}"
            if not isinstance(told, dict):
                raise self.refused(f'{what} must say value, source and why: {{ value = …, source = "…", why = "…" }}.')
            self.only(told, _SWITCH_KEYS, what)
            value = self._value(group, key, told.get("value"))
            yield RuleBookSwitch(group, key, value, self.word(told, "source", what), self.word(told, "why", what))

    def _value(self, group: str, key: str, value: Any) -> Any:
        match group:
            case "property":
                return self._property_value(key, value)
            case "authority":
                return self._authority_value(key, value)
            case "policy":
                return self._policy_value(key, value)
            case _:
                return self._unclaimed_value(key, value)

    def _property_value(self, key: str, value: Any) -> Any:
        if key not in PROPERTY_SWITCHES:
            raise self.refused(f"“{key}” is no switch of a property. Known: {', '.join(PROPERTY_SWITCHES)}.")
        if PROPERTY_SWITCHES[key][0] is bool:
            if not isinstance(value, bool):
                raise self.refused(f"property.{key} must be true or false.")
            return value
        if PROPERTY_SWITCHES[key][0] is int:
            return self._whole(value, f"property.{key}", *_BOUNDS[key])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.refused(f"property.{key} must be a list of texts.")
        return tuple(value)

    def _authority_value(self, key: str, value: Any) -> Any:
        if key not in SETTINGS:
            raise self.refused(f"“{key}” is no setting of authority. Known: {', '.join(SETTINGS)}.")
        # Read as a change of authority is read: a rule book names only what a house could ask for.
        try:
            return read(key, value)
        except AuthorityRefused as why:
            raise self.refused(f"authority.{key}: {why}") from None

    def _policy_value(self, key: str, value: Any) -> str:
        # Read as terms are: a rule book names only what a jackpot could be given.
        try:
            Policy.of({key: value})
        except PolicyRefused as why:
            raise self.refused(f"policy.{key}: {why}") from None
        return str(value)

    def _unclaimed_value(self, key: str, value: Any) -> int:
        if key not in UNCLAIMED_KEYS:
            raise self.refused(f"“{key}” is no key of unclaimed. Known: {', '.join(UNCLAIMED_KEYS)}.")
        return self._whole(value, f"unclaimed.{key}", 1, 36_500)

    def _whole(self, value: Any, what: str, least: int, most: int) -> int:
        # To Python a truth is a whole number: `true` would pass for 1.
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.refused(f"{what} must be a whole number from {least} to {most}.")
        return value

    def _list(self, content: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
        rows = content.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.refused(f"{key} must be sections: [[{key}]].")
        return rows

    def notices(self, content: Mapping[str, Any]) -> Iterator[RuleBookNotice]:
        known = frozenset({"about", "to", "owner", "within_hours", "from_amount", "source", "why"})
        for row in self._list(content, "notices"):
            about = self.word(row, "about", "a notice")
            what = f"the notice of {about[:40]}"
            self.only(row, known, what)
            if about not in DECLARED:
                raise self.refused(f"“{about[:40]}” is nothing that is told. Known: {', '.join(sorted(DECLARED))}.")
            hours = self._whole(row.get("within_hours"), f"within_hours of {what}", 1, MOST_HOURS)
            to, owner, source, why = (self.word(row, key, what) for key in ("to", "owner", "source", "why"))
            yield RuleBookNotice(about, to, owner, hours, source, why, self._least(row, about, what))

    def _least(self, row: Mapping[str, Any], about: str, what: str) -> str | None:
        if "from_amount" not in row:
            return None
        if about not in MEASURED:
            raise self.refused(f"from_amount of {what}: only {', '.join(sorted(MEASURED))} have an amount.")
        try:
            least = Money.of(self.word(row, "from_amount", what))
        except NotAnAmount as wrong:
            raise self.refused(f"from_amount of {what}: {wrong}") from None
        if least <= ZERO:
            raise self.refused(f"from_amount of {what} must be above 0.")
        return str(least)

    def sentences(self, content: Mapping[str, Any]) -> Iterator[RuleBookSentence]:
        for row in self._list(content, "says"):
            self.only(row, frozenset({"source", "why", "kept"}), "a sentence of [[says]]")
            kept = self.word(row, "kept", "a sentence of [[says]]") if "kept" in row else ""
            source = self.word(row, "source", "a sentence of [[says]]")
            yield RuleBookSentence(source, self.word(row, "why", "a sentence of [[says]]"), kept)
