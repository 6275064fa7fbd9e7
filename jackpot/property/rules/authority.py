"""Who may approve what: the level and the number of people an act needs, by its sum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, TypeVar

from jackpot.money import UNIT, ZERO, Money
from jackpot.property.rules.witness import EXECUTIVE, SUPERVISOR, WitnessPart

FIVE_THOUSAND: Final = Money(5000 * UNIT)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The house's limits: from these sums up an executive, from these two people; PIN from this card level up."""

    executive: Money = FIVE_THOUSAND
    dual: Money | None = None
    pin_from_level: int = EXECUTIVE
    cards_from: int = 1000
    marker_may_verify: bool = False
    verifier_may_pay: bool = False
    cards_required: bool = True
    both_need_level: bool = False
    old_rounds_need_two: bool = True
    unseen_sum: Money | None = None  # of one person, table and gaming day, signed without the cards of the hand
    unseen_count: int | None = None
    kept_alone: int | None = 60  # kept-back rounds that one person accepts a gaming day, over all tables
    cheque_from: Money | None = None  # a slip of this sum is not paid in cash
    own_executive: Mapping[str, Money] = field(default_factory=dict)  # by GRAND, or GRAND/royal: a jackpot, its row
    own_dual: Mapping[str, Money] = field(default_factory=dict)
    witnesses: Mapping[WitnessPart, Money] = field(default_factory=dict)  # who stands by before a window pays

    def cheque_only(self, amount: Money | None) -> Money | None:
        """The sum from which on a slip of this amount is paid by cheque only; None: the window chooses."""
        # The whole slip counts, also where tax leaves less of it.
        if self.cheque_from is None or amount is None or amount < self.cheque_from:
            return None
        return self.cheque_from

    @property
    def caps_unseen(self) -> bool:
        """Whether the house has a cap at all."""
        return self.unseen_sum is not None or self.unseen_count is not None


class AwardPart(NamedTuple):
    """One award of an act, as the thresholds of its jackpot and of its row look at it."""

    jackpot: str
    row: str
    amount: Money


@dataclass(frozen=True, slots=True)
class Needed:
    """What one act needs. The sum is of all its awards, over all its jackpots."""

    level: int
    people: int = 1
    both: bool = False

    @property
    def least(self) -> int:
        """Below this level nobody's word counts. Of two people one has the level, or both by the house's switch."""
        return self.level if self.people == 1 or self.both else SUPERVISOR

    def by_key(self, level: int) -> bool:
        """Whether J-POT approves on a key alone: never what an executive or two people approve, whoever holds it."""
        return self.people == 1 and self.level < EXECUTIVE and level >= self.level

    def still(self, given: Collection[int]) -> int:
        """The least level of the next word after words of these levels; those below the least are no words."""
        words = [level for level in given if level >= self.least]
        last = len(words) >= self.people - 1
        # Only the last word has to bring the level: before it, anybody of the least may give theirs.
        return self.level if last and all(level < self.level for level in words) else self.least

    def met(self, given: Collection[int]) -> bool:
        """Whether words of these levels, each of another person, are enough."""
        words = [level for level in given if level >= self.least]
        return len(words) >= self.people and any(level >= self.level for level in words)


def thresholds_of(values: Mapping[str, Any]) -> Thresholds:
    """Plain values as the rules of an act take them."""
    dual, unseen = values["dual_threshold"], values["unseen_sum"]
    return Thresholds(
        executive=Money.of(values["executive_threshold"]),
        dual=None if dual is None else Money.of(dual),
        pin_from_level=values["pin_from_level"],
        cards_from=values["cards_from_multiple"],
        marker_may_verify=values["marker_may_verify"],
        verifier_may_pay=values["verifier_may_pay"],
        cards_required=values["cards_required"],
        both_need_level=values["both_need_level"],
        old_rounds_need_two=values["old_rounds_need_two"],
        unseen_sum=None if unseen is None else Money.of(unseen),
        unseen_count=values["unseen_count"],
        kept_alone=values["kept_alone"],
        cheque_from=None if values["cheque_from"] is None else Money.of(values["cheque_from"]),
        own_executive=_by_place(values["own_executive"]),
        own_dual=_by_place(values["own_dual"]),
        witnesses={
            part: Money.of(values[f"{part}_witness"]) for part in WitnessPart if values[f"{part}_witness"] is not None
        },
    )


def needed(total: Money, thresholds: Thresholds, parts: Iterable[AwardPart] = ()) -> Needed:
    """A higher card serves lower sums; the threshold itself already needs the higher level.

    A jackpot, or a row of one, may have a threshold of its own: it can ask for more than the sum of the act does, and
    never for less.
    """
    # Few houses have thresholds of jackpots or rows: without them no award is added up.
    sums = _sums(parts) if thresholds.own_executive or thresholds.own_dual else {}
    executive = total >= thresholds.executive or _reached(sums, thresholds.own_executive)
    two = (thresholds.dual is not None and total >= thresholds.dual) or _reached(sums, thresholds.own_dual)
    return Needed(EXECUTIVE if executive else SUPERVISOR, 2 if two else 1, thresholds.both_need_level)


def needed_to_take_back(*, of_this_day: bool, thresholds: Thresholds) -> Needed:
    """A void or a recount: a supervisor; a round of an earlier gaming day takes two people."""
    return Needed(SUPERVISOR, 2 if thresholds.old_rounds_need_two and not of_this_day else 1)


def judging(at_coin_in: Thresholds, at_the_swipe: Thresholds) -> Thresholds:
    """What a hit needs: the stricter threshold of its round's coin-in and of the swipe, each on its own.

    So authority that was given since does not reach back to the hit, and authority that was taken since is not used on
    it. How people act (PIN, who may be the same person) is the swipe's alone.
    """
    # The usual case: nobody signed anything between the two.
    if at_coin_in == at_the_swipe:
        return at_the_swipe
    return replace(
        at_the_swipe,
        executive=min(at_coin_in.executive, at_the_swipe.executive),
        dual=_lower(at_coin_in.dual, at_the_swipe.dual),
        cards_from=min(at_coin_in.cards_from, at_the_swipe.cards_from),
        cards_required=at_coin_in.cards_required or at_the_swipe.cards_required,
        both_need_level=at_coin_in.both_need_level or at_the_swipe.both_need_level,
        unseen_sum=_lower(at_coin_in.unseen_sum, at_the_swipe.unseen_sum),
        unseen_count=_lower(at_coin_in.unseen_count, at_the_swipe.unseen_count),
        own_executive=_lowest(at_coin_in.own_executive, at_the_swipe.own_executive),
        own_dual=_lowest(at_coin_in.own_dual, at_the_swipe.own_dual),
        witnesses=_lowest(at_coin_in.witnesses, at_the_swipe.witnesses),
    )


def beyond_the_cap(thresholds: Thresholds, total: Money, count: int) -> str:
    """Which cap so much signed without cards of the hand goes beyond, in words; or nothing."""
    if thresholds.unseen_sum is not None and total > thresholds.unseen_sum:
        return f"{thresholds.unseen_sum} a day"
    if thresholds.unseen_count is not None and count > thresholds.unseen_count:
        return f"{thresholds.unseen_count} hits a day"
    return ""


Limit = TypeVar("Limit", Money, int)
Key = TypeVar("Key", bound=str)


def _lower(one: Limit | None, other: Limit | None) -> Limit | None:
    """None is never, so any sum and any number is lower."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def _lowest(one: Mapping[Key, Money], other: Mapping[Key, Money]) -> dict[Key, Money]:
    """What either of two tables asks for, from the lower sum on."""
    return {key: min(table[key] for table in (one, other) if key in table) for key in {**one, **other}}


def _by_place(plain: Mapping[str, str]) -> dict[str, Money]:
    return {place: Money.of(amount) for place, amount in plain.items()}


def _sums(parts: Iterable[AwardPart]) -> Mapping[str, Money]:
    """What the act pays on each jackpot, and by each row of it."""
    sums: dict[str, Money] = defaultdict(lambda: ZERO)
    for part in parts:
        sums[part.jackpot] += part.amount
        sums[f"{part.jackpot}/{part.row}"] += part.amount
    return sums


def _reached(sums: Mapping[str, Money], thresholds: Mapping[str, Money]) -> bool:
    return any(place in sums and sums[place] >= since for place, since in thresholds.items())
