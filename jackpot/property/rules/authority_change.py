"""Other authority: which settings there are, what is stricter, and from when on a signed setting counts.

A house's settings are plain values by name. What two people signed since the first values is a list of steps, one per
setting: a stricter value counts from the moment of the second signature, any other from the next gaming day on.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final, assert_never

from jackpot.money import ZERO, Money, NotAnAmount
from jackpot.property.rules.witness import WITNESS_WORDS
from jackpot.reading import read_amount, read_whole

LEVELS: Final = {1: "dealer", 2: "supervisor", 3: "executive"}
MOST_WAGERS: Final = 1_000_000
NEVER: Final = "never"
PLACE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,19}(/[a-z0-9_]{1,40})?")
MOST_PLACES: Final = 50
Values = Mapping[str, Any]


class AuthorityRefused(ValueError):
    """A value that a setting cannot take; the message is a sentence."""


class SettingKind(enum.Enum):
    AMOUNT = enum.auto()
    AMOUNT_OR_NEVER = enum.auto()
    LEVEL = enum.auto()
    WAGERS = enum.auto()
    COUNT_OR_NEVER = enum.auto()
    AMOUNTS_BY_PLACE = enum.auto()
    SWITCH = enum.auto()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a house. `strict_when` says which value of a switch is the stricter one."""

    label: str
    meaning: str
    kind: SettingKind
    strict_when: bool = False


SETTINGS: Final[Mapping[str, Setting]] = {
    "executive_threshold": Setting(
        "Executive threshold", "From this sum of an act up an executive’s card approves.", SettingKind.AMOUNT
    ),
    "dual_threshold": Setting(
        "Dual threshold", "From this sum of an act up two people approve; never: one is enough.",
        SettingKind.AMOUNT_OR_NEVER
    ),
    "both_need_level": Setting(
        "Both of the level", "Of two people both have the level that the sum needs; no: one of them is enough.",
        SettingKind.SWITCH, strict_when=True,
    ),
    "pin_from_level": Setting("PIN level", "Cards of this level and above need their PIN.", SettingKind.LEVEL),
    "cards_required": Setting(
        "Cards of the hand required", "No: hits are approved without a look at the hand.", SettingKind.SWITCH,
        strict_when=True
    ),
    "cards_from_multiple": Setting(
        "Card threshold", "Fixed awards of so many wagers, and every part of a meter, need the cards themselves.",
        SettingKind.WAGERS,
    ),
    "marker_may_verify": Setting("Marker may approve", "Whoever marked a hit may approve it too.", SettingKind.SWITCH),
    "verifier_may_pay": Setting("Approver may pay", "Whoever approved a win may pay it too.", SettingKind.SWITCH),
    "old_rounds_need_two": Setting(
        "Older rounds take two people", "A round of an earlier gaming day is voided or counted again by two people.",
        SettingKind.SWITCH, strict_when=True,
    ),
    "unseen_sum": Setting(
        "Day’s sum without cards", "So much one person signs at one table and gaming day without the cards of the "
        "hand; never: no cap.", SettingKind.AMOUNT_OR_NEVER
    ),
    "unseen_count": Setting(
        "Day’s hits without cards", "So many hits one person signs at one table and gaming day without the cards of "
        "the hand; never: no cap.", SettingKind.COUNT_OR_NEVER
    ),
    "kept_alone": Setting(
        "Day’s kept-back rounds of one person", "So many kept-back rounds one person accepts a gaming day, over all "
        "tables; more takes a second person. Never: only the count of each table.", SettingKind.COUNT_OR_NEVER
    ),
    "cheque_from": Setting(
        "Paid by cheque", "A slip of this sum and more is not paid in cash; never: the window chooses. The rule of the "
        "day of payment counts.", SettingKind.AMOUNT_OR_NEVER
    ),
    "own_executive": Setting(
        "Executive threshold of a jackpot or row", "From this sum of one jackpot, or of one of its rows, up an "
        "executive’s card approves, whatever the act comes to: GRAND 2000.00; MINI/royal 500.00.",
        SettingKind.AMOUNTS_BY_PLACE
    ),
    "own_dual": Setting(
        "Dual threshold of a jackpot or row", "The same, from which two people approve.", SettingKind.AMOUNTS_BY_PLACE
    ),
    **{
        f"{part}_witness": Setting(
            f"Stands by: {words}", f"From this sum of an act up {words} has stood by before a window pays; never: "
            "nobody waits for it.", SettingKind.AMOUNT_OR_NEVER
        ) for part, words in WITNESS_WORDS.items()
    },
}  # fmt: skip
LEVEL: Final = "level"  # the setting of a card


@dataclass(frozen=True, slots=True)
class Differs:
    """One setting that differs, and whether that takes authority away."""

    setting: str
    label: str
    before: Any
    after: Any
    stricter: bool

    @property
    def was(self) -> str:
        return spoken(self.setting, self.before)

    @property
    def becomes(self) -> str:
        return spoken(self.setting, self.after)

    def __str__(self) -> str:
        return f"{self.label.lower()} {self.was} → {self.becomes}"


@dataclass(frozen=True, slots=True)
class Step:
    """One signed setting: from a gaming day on, or, where `day` is empty, from a moment on."""

    change: int
    setting: str
    value: Any
    at: datetime
    day: date | None = None

    @staticmethod
    def of(plain: Mapping[str, Any]) -> Step:
        day = date.fromisoformat(plain["day"]) if plain["day"] else None
        at = datetime.fromisoformat(plain["at"])
        return Step(plain["change"], plain["setting"], plain["value"], at, day)

    def plain(self) -> dict[str, Any]:
        return {
            "change": self.change, "setting": self.setting, "value": self.value, "at": self.at.isoformat(),
            "day": self.day.isoformat() if self.day else None,
        }  # fmt: skip

    def counts(self, moment: datetime, day: date) -> bool:
        return moment >= self.at if self.day is None else day >= self.day


@dataclass(frozen=True, slots=True)
class Signed:
    """What a second signature makes of a house's steps; `replaced` waited and never will count."""

    steps: list[Step]
    new: list[Step]
    replaced: list[Step]


def in_force(first: Values, steps: Iterable[Step], moment: datetime, day: date) -> dict[str, Any]:
    """The settings of a moment and its gaming day: the first values, then every step that counts by then."""
    values = dict(first)
    values.update({step.setting: step.value for step in steps if step.counts(moment, day)})
    return values


def waiting(steps: Iterable[Step], moment: datetime, day: date) -> list[Step]:
    return [step for step in steps if not step.counts(moment, day)]


def sign(steps: Sequence[Step], differing: Iterable[Differs], *, change: int, moment: datetime, day: date) -> Signed:
    """Each setting on its own: stricter at once, else at the next gaming day. It takes the place of what waits."""
    new = [
        Step(change, each.setting, each.after, moment, None if each.stricter else day + timedelta(days=1))
        for each in differing
    ]
    touched = {step.setting for step in new}
    replaced = [step for step in waiting(steps, moment, day) if step.setting in touched]
    return Signed([step for step in steps if step not in replaced] + new, new, replaced)


def read(setting: str, given: Any) -> Any:
    """A value as it is kept: amounts as text, levels and wagers as whole numbers, switches as truths."""
    known = SETTINGS.get(setting)
    if known is None:
        raise AuthorityRefused(f"“{setting}” is no setting. Known: {', '.join(SETTINGS)}.")
    match known.kind:
        case SettingKind.AMOUNT:
            return _amount(known.label, given)
        case SettingKind.AMOUNT_OR_NEVER:
            return None if given in (None, "", NEVER) else _amount(known.label, given)
        case SettingKind.LEVEL:
            return _level(known.label, given)
        case SettingKind.WAGERS:
            return _whole(known.label, given, MOST_WAGERS)
        case SettingKind.COUNT_OR_NEVER:
            return None if given in (None, "", NEVER) else _whole(known.label, given, MOST_WAGERS)
        case SettingKind.AMOUNTS_BY_PLACE:
            return _by_place(known.label, given)
        case SettingKind.SWITCH:
            return _truth(known.label, given)
        case _:
            assert_never(known.kind)


def differences(before: Values, after: Values) -> list[Differs]:
    """Every setting that differs, in the order of the page."""
    return [
        Differs(name, each.label, before[name], after[name], is_stricter(name, before[name], after[name]))
        for name, each in SETTINGS.items()
        if name in after and before[name] != after[name]
    ]


def card_differs(before: int, after: int) -> Differs:
    return Differs(LEVEL, "Level of the card", before, after, after < before)


def is_stricter(setting: str, before: Any, after: Any) -> bool:
    """True where the new value lets fewer people, cards or sums through."""
    known = SETTINGS[setting]
    match known.kind:
        case SettingKind.AMOUNT | SettingKind.AMOUNT_OR_NEVER:
            # A sum where there was none asks for more, whatever it is; none where there was one asks for less.
            return before is None or (after is not None and Money.of(after) < Money.of(before))
        case SettingKind.LEVEL | SettingKind.WAGERS:
            return bool(after < before)
        case SettingKind.COUNT_OR_NEVER:
            return before is None or (after is not None and bool(after < before))
        case SettingKind.AMOUNTS_BY_PLACE:
            # What was there still is, from no higher sum on; what is new only asks for more.
            return all(place in after and Money.of(after[place]) <= Money.of(sum_) for place, sum_ in before.items())
        case SettingKind.SWITCH:
            return bool(after) is known.strict_when
        case _:
            assert_never(known.kind)


def spoken(setting: str, value: Any) -> str:
    """A value as people read it."""
    if setting == LEVEL:
        return LEVELS[value]
    kind = SETTINGS[setting].kind
    match kind:
        case SettingKind.AMOUNT | SettingKind.AMOUNT_OR_NEVER:
            return NEVER if value is None else grouped(Money.of(value))
        case SettingKind.LEVEL:
            return LEVELS.get(value, NEVER)
        case SettingKind.WAGERS:
            return f"{value:,} ×"
        case SettingKind.COUNT_OR_NEVER:
            return NEVER if value is None else f"{value:,}"
        case SettingKind.AMOUNTS_BY_PLACE:
            return "; ".join(f"{place} {grouped(Money.of(sum_))}" for place, sum_ in value.items()) or NEVER
        case SettingKind.SWITCH:
            return "yes" if value else "no"
        case _:
            assert_never(kind)


def grouped(amount: Money) -> str:
    """7,500.00, as it is read aloud."""
    return f"{Decimal(str(amount)):,}"


def _amount(label: str, given: Any) -> str:
    try:
        amount = read_amount(given, "amount")
    except NotAnAmount as why:
        raise AuthorityRefused(f"{label}: {why}") from None
    if amount <= ZERO:
        raise AuthorityRefused(f"{label}: an amount above 0 in whole cents, not {amount}.")
    if amount >= Money.of("1000000000"):
        raise AuthorityRefused(f"{label}: {grouped(amount)} is more than any meter will hold. Write a smaller sum.")
    return str(amount)


def _by_place(label: str, given: Any) -> dict[str, str]:
    """A table, a list of lines, or lines with a semicolon between them; each names a place and its sum."""
    if isinstance(given, Mapping):
        pairs = [(str(place), sum_) for place, sum_ in given.items()]
    else:
        lines = given.split(";") if isinstance(given, str) else given
        if given in (None, "", NEVER) or not isinstance(lines, Sequence):
            lines = []
        pairs = [(place, sum_) for place, _, sum_ in (str(line).strip().partition(" ") for line in lines) if place]
    found: dict[str, str] = {}
    for place, sum_ in pairs:
        if not PLACE.fullmatch(place):
            why = f"“{place[:60]}” is neither a jackpot nor a row of one. Write GRAND 2000.00, or GRAND/royal 500.00."
            raise AuthorityRefused(f"{label}: {why}")
        if place in found:
            raise AuthorityRefused(f"{label}: {place} stands there twice. Keep one of the two.")
        found[place] = _amount(f"{label}, {place}", sum_.strip() if isinstance(sum_, str) else sum_)
    if len(found) > MOST_PLACES:
        raise AuthorityRefused(f"{label}: at most {MOST_PLACES} jackpots and rows, not {len(found)}.")
    return dict(sorted(found.items()))


def _level(label: str, given: Any) -> int:
    known = {**{word: number for number, word in LEVELS.items()}, **{str(number): number for number in LEVELS}}
    number = known.get(str(given)) if isinstance(given, str | int) else None
    if number is None or isinstance(given, bool):
        raise AuthorityRefused(f"{label}: choose one of {', '.join(LEVELS.values())}.")
    return number


def _whole(label: str, given: Any, most: int) -> int:
    try:
        return read_whole(given, "number", 1, most)
    except NotAnAmount as why:
        raise AuthorityRefused(f"{label}: {why}") from None


def _truth(label: str, given: Any) -> bool:
    known = {True: True, False: False, "yes": True, "no": False}
    # As a key 1 is True to Python: only truths and words are looked up.
    if isinstance(given, bool | str) and given in known:
        return known[given]
    raise AuthorityRefused(f"{label}: yes or no.")
