"""What other authority would have meant for the last wins, in figures: the second person signs what was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jackpot.money import Money
from jackpot.property.rules.authority import AwardPart, Needed, Thresholds, needed
from jackpot.property.rules.authority_change import LEVELS, Differs
from jackpot.property.rules.witness import (
    EXECUTIVE,
    LEVEL_OF,
    SUPERVISOR,
    WITNESS_WORDS,
    WitnessPart,
    witnesses_needed,
)

LAST_WINS: Final = 25
WARNING: Final = "warning"
ADVICE: Final = "advice"


@dataclass(frozen=True, slots=True)
class WinSeen:
    """One of the last wins: the sum of its act, what the hand needed, and who did what."""

    total: Money
    times: int | None  # of the wager, where the award is fixed
    levels: tuple[int, ...]  # of the cards that approved it
    marker_approved: bool
    approver_paid: bool
    parts: tuple[AwardPart, ...] = ()


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """The cards that work now: how many people have one of a level or above, and which of a level have no PIN; with who
    else could stand by, and the jackpots that are there."""

    people_from: Mapping[int, int]
    without_pin: Mapping[int, int]
    speak: frozenset[WitnessPart] = frozenset()
    jackpots: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Found:
    """One sentence of a preview. A warning is something the signers should want."""

    weight: str
    why: str

    def plain(self) -> dict[str, str]:
        return {"weight": self.weight, "why": self.why}


def preview(
    differing: Sequence[Differs], before: Thresholds, after: Thresholds, wins: Sequence[WinSeen], cards: CardsSeen
) -> list[Found]:
    """A sentence for every setting that differs, and what would leave nobody to approve."""
    found = [Found(ADVICE, f"{_from_to(each)}: {_counted(each, before, after, wins)}") for each in differing]
    return found + _warnings(differing, before, after, cards)


def card_preview(
    differs: Differs, whose: str, house: Thresholds, wins: Sequence[WinSeen], *, has_pin: bool
) -> list[Found]:
    """What another level lets a card do, counted over the last wins."""
    before, after = (sum(_serves(level, win, house) for win in wins) for level in (differs.before, differs.after))
    told = f"{_of(wins)} {whose} could have approved {before} before, {after} then" if wins else _NO_WIN
    found = [Found(ADVICE, f"{_from_to(differs)}: {told}.")]
    if differs.after >= house.pin_from_level and not has_pin:
        why = f"This card has no PIN, and a card of level {LEVELS[differs.after]} needs one here: set one first."
        found.append(Found(WARNING, why))
    return found


Count = Callable[[WinSeen, Thresholds, Thresholds], bool]
_NO_WIN: Final = "no win is there yet to compare with"


def _from_to(each: Differs) -> str:
    return f"{each.label} from {each.was} to {each.becomes}"


def _of(wins: Sequence[WinSeen]) -> str:
    return f"of the last {len(wins)} wins" if len(wins) != 1 else "of the one win so far"


def _counted(each: Differs, before: Thresholds, after: Thresholds, wins: Sequence[WinSeen]) -> str:
    if each.setting in _CAPS:
        return "of one person, table and gaming day; past days are not counted again."
    if each.setting == "kept_alone":
        return "of one person and gaming day; what was accepted before is not counted again."
    if each.setting == "cheque_from":
        return "of payments at the window; no approval depends on it."
    # What has no line in the table judges no win: such a setting is told without figures rather than with a false
    # “none”.
    if each.setting not in _WORDS:
        return "of voids and recounts; no win depends on it."
    if not wins:
        return f"{_NO_WIN}."
    count, words = _WORDS[each.setting]
    meets = sum(count(win, before, after) for win in wins)
    return f"{_of(wins)} {meets or 'none'} {words[each.stricter]}."


def _level(win: WinSeen, before: Thresholds, after: Thresholds) -> bool:
    return _needed(win, before).level != _needed(win, after).level


def _people(win: WinSeen, before: Thresholds, after: Thresholds) -> bool:
    return _needed(win, before).people != _needed(win, after).people


def _both(win: WinSeen, before: Thresholds, after: Thresholds) -> bool:
    # Under either authority: the same pairs are counted, whichever way the setting goes.
    return any(_needed(win, house).people > 1 and min(win.levels, default=0) < _needed(win, house).level
               for house in (before, after))  # fmt: skip


def _pin(win: WinSeen, before: Thresholds, after: Thresholds) -> bool:
    return any((level >= before.pin_from_level) != (level >= after.pin_from_level) for level in win.levels)


def _cards(win: WinSeen, before: Thresholds, after: Thresholds) -> bool:
    return _needs_cards(win, before) != _needs_cards(win, after)


def _needs_cards(win: WinSeen, house: Thresholds) -> bool:
    return house.cards_required and (win.times is None or win.times >= house.cards_from)


def _needed(win: WinSeen, house: Thresholds) -> Needed:
    return needed(win.total, house, win.parts)


def _witness(part: WitnessPart) -> Count:
    def asked(win: WinSeen, before: Thresholds, after: Thresholds) -> bool:
        was, becomes = (
            {each.part for each in witnesses_needed(win.total, house.witnesses)} for house in (before, after)
        )
        return (part in was) != (part in becomes)

    return asked


_CAPS: Final = frozenset({"unseen_sum", "unseen_count"})
_WORDS: Final[Mapping[str, tuple[Count, tuple[str, str]]]] = {
    "executive_threshold": (_level, ("would have needed a supervisor only", "more would have needed an executive")),
    "dual_threshold": (_people, ("would have needed one person only", "more would have needed two people")),
    "both_need_level": (
        _both,
        (
            "were signed by two people of whom one was below the level",
            "were signed by two people of whom one was below the level, and would have needed another",
        ),
    ),
    "pin_from_level": (_pin, ("would have been approved without a PIN", "more would have needed a PIN")),
    "cards_required": (
        lambda *houses: houses[1].cards_required != houses[2].cards_required,
        ("would have been approved without a look at the hand", "would have needed the hand shown or seen"),
    ),
    "cards_from_multiple": (_cards, ("would have needed “cards seen” only", "more would have needed the cards")),
    "marker_may_verify": (
        lambda win, *_: win.marker_approved,
        (
            "were approved by whoever marked them; another person need not stand by any more",
            "were approved by whoever marked them, and would have needed another person",
        ),
    ),
    "verifier_may_pay": (
        lambda win, *_: win.approver_paid,
        (
            "were paid by whoever approved them; another person need not stand by any more",
            "were paid by whoever approved them, and would have needed another person",
        ),
    ),
    "own_executive": (_level, ("would have needed a supervisor only", "more would have needed an executive")),
    "own_dual": (_people, ("would have needed one person only", "more would have needed two people")),
    **{
        f"{part}_witness": (
            _witness(part),
            (f"would have been paid without {words} standing by", f"more would have waited for {words} to stand by"),
        )
        for part, words in WITNESS_WORDS.items()
    },
}


def _serves(level: int, win: WinSeen, house: Thresholds) -> bool:
    return level >= _needed(win, house).level


def _warnings(differing: Sequence[Differs], before: Thresholds, after: Thresholds, cards: CardsSeen) -> list[Found]:
    named = {each.setting: each for each in differing}
    found = []
    if "executive_threshold" in named and not cards.people_from.get(EXECUTIVE):
        found.append(f"Nobody has an executive card that works: from {named['executive_threshold'].becomes} up no win "
                     "could be approved.")  # fmt: skip
    if after.dual is not None and "dual_threshold" in named:
        need = needed(after.dual, after)
        # Whoever is above counts for the level below too, so two questions do: of the sum's own level, and of both
        # people.
        for level, people in ((need.level, 1 if need.level > need.least else 2), (need.least, 2)):
            have = cards.people_from.get(level, 0)
            if have < people:
                sum_ = named["dual_threshold"].becomes
                found.append(f"{_count(have, level)}: from {sum_} up two different people could not be found.")
                break
    # Only cards that this change touches: what had no PIN under the old rule either is no finding of this change.
    bare = sum(
        count for level, count in cards.without_pin.items() if after.pin_from_level <= level < before.pin_from_level
    )
    if bare:
        found.append(f"{bare} {'card has' if bare == 1 else 'cards have'} no PIN and could approve nothing until one "
                     "is set.")  # fmt: skip
    if "marker_may_verify" in named and not named["marker_may_verify"].stricter:
        found.append("One person alone could then mark a hit and approve it.")
    if "cards_required" in named and not named["cards_required"].stricter:
        found.append("Hits could then be approved though nobody looked at the cards.")
    return [Found(WARNING, why) for why in [*found, *_nobody_stands_by(named, cards), *_no_such_jackpot(named, cards)]]


def _nobody_stands_by(named: Mapping[str, Differs], cards: CardsSeen) -> Iterator[str]:
    """Whoever has no role that speaks for surveillance or the regulator would never come to a slip."""
    for part in WitnessPart:
        differs = named.get(f"{part}_witness")
        if differs is None or differs.after is None:
            continue
        alone = part in LEVEL_OF and cards.people_from.get(LEVEL_OF[part], 0) == 0
        if alone or (part not in LEVEL_OF and part not in cards.speak):
            nobody = f"Nobody here could stand by as {WITNESS_WORDS[part]}"
            yield f"{nobody}: from {differs.becomes} up no slip could be paid."


def _no_such_jackpot(named: Mapping[str, Differs], cards: CardsSeen) -> Iterator[str]:
    places = [place for key in ("own_executive", "own_dual") if key in named for place in named[key].after]
    # A warning, not a refusal: an own threshold may be signed before its jackpot is opened.
    for code in sorted({place.partition("/")[0] for place in places} - cards.jackpots):
        yield f"There is no jackpot {code} here: its threshold waits for one of that name."


def _count(people: int, level: int) -> str:
    kind = "an executive" if level > SUPERVISOR else "a supervisor"
    have = {0: "Nobody has", 1: "Only one person has"}[people]
    return f"{have} {kind} card that works"
