"""What a player must know of a jackpot, in sentences made from its terms; so the card cannot say what does not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, assert_never

from jackpot.money import Money, Rounding
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine
from jackpot.terms.rules.terms import Terms, percent

Spoken = Callable[[Money], str]

FREEZE: Final = {
    "mark": "What a part of the meter is worth is fixed at the moment at which the dealer marks the hand.",
    "approval": "What a part of the meter is worth is fixed at the moment at which the hand is approved.",
}
ORDER: Final = {
    "counter_clockwise": "Winners of one round are paid from the dealer’s right, counter-clockwise; each part is taken "
    "of what is left.",
    "clockwise": "Winners of one round are paid from the dealer’s left, clockwise; each part is taken of what is left.",
    "equal_shares": "Several winners of the top award share it equally; other parts are taken of what is left.",
}
ROW: Final = {"highest": "", "never_less": "; it is never paid less than any line below it would pay"}
OVERFLOW: Final = {"next_meter": "goes to the next meter", "revenue": "is kept by the house"}
ROUNDING: Final = {
    Rounding.HALF_UP: "rounded to the nearest {unit}, a half upwards",
    Rounding.DOWN: "cut to the {unit}",
}


def pay_row(line: PayLine, wager: Money, spoken: Spoken) -> tuple[str, str, str, str]:
    """One line: the hand, what it pays, from where, and what the other seats receive."""
    match line.award:
        case ForOne(times):
            pays = f"{spoken(wager * times)} ({line.award})"
        case PartOfMeter():
            pays = f"{str(line.award).removesuffix(' of the meter')} of the meter"
        case _:
            assert_never(line.award)
    source = "the meter" if line.source == "meter" else "the house"
    return line.name, pays, source, spoken(line.envy) if line.envy else ""


def sentences(terms: Terms, spoken: Spoken, hand_words: Mapping[str, str]) -> list[str]:
    """The rules of this jackpot in the order in which a player meets them; the game says which cards make a hand."""
    return [
        f"The progressive wager is {spoken(terms.wager)}. It is bet before the first card and is not returned.",
        *_hands(terms.pay_table.lines, hand_words),
        f"Of each wager {percent(terms.rate)} raises the meter" + _reserve(terms),
        f"A seat wins the highest line that its hand fulfils, and no other{ROW[terms.policy.row]}.",
        f"A part of the meter is {ROUNDING[terms.rounding].format(unit=_unit(terms))}. {FREEZE[terms.policy.freeze]}",
        ORDER[terms.policy.order],
        f"After an award of the whole meter the next one starts at {spoken(terms.seed)} and what was set aside.",
        _limit(terms, spoken),
        *_envy(terms.pay_table.lines),
        *_aggregate(terms, spoken),
        *_dry(terms, spoken),
        "What is due is paid in full, also where the meter has less. A malfunction voids all hands of the round.",
    ]


def _hands(lines: Sequence[PayLine], words: Mapping[str, str]) -> list[str]:
    said = [f"{line.name} {words[line.code]}." for line in lines if line.code in words]
    return [" ".join([*said, words["other"]])] if said else []


def _unit(terms: Terms) -> str:
    return "cent" if terms.digits == 2 else "smallest coin"


def _reserve(terms: Terms) -> str:
    if not terms.reserve_rate:
        return "."
    return f" and {percent(terms.reserve_rate)} is set aside for the next meter."


def _limit(terms: Terms, spoken: Spoken) -> str:
    if terms.limit is None:
        return "The meter has no limit."
    return f"The meter stops at {spoken(terms.limit)}; what comes above it {OVERFLOW[terms.policy.overflow]}."


def _aggregate(terms: Terms, spoken: Spoken) -> list[str]:
    if terms.aggregate is None:
        return []
    most = spoken(terms.aggregate)
    together = f"Fixed awards of one round at this table come to at most {most}"
    return [f"{together}; above it they are shared in proportion. A part of the meter is never cut."]


def _dry(terms: Terms, spoken: Spoken) -> list[str]:
    if terms.repay_rate is None:
        return []
    again = f"A meter that an award empties begins again at {spoken(terms.seed)}, which the house advances"
    return [f"{again}; {percent(terms.repay_rate)} of what later wagers add repays it."]


def _envy(lines: Sequence[PayLine]) -> list[str]:
    if not any(line.envy for line in lines):
        return []
    return ["Each other seat with a progressive wager in that round receives what “others” says."]
