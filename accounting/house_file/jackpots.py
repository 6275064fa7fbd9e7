"""A jackpot's section: its terms, its pay table, its policy and how its books begin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from accounting.house_file.parts import JackpotPart
from accounting.house_file.paytables import ChosenTable, read_pay_table
from accounting.house_file.sections import Section
from jackpot.books.actions.opening import Reading
from jackpot.money import ZERO, Money
from jackpot.terms.rules.policy import Policy, PolicyRefused
from jackpot.terms.rules.terms import Terms, TermsRefused

_AMOUNTS: Final = ("wager", "seed", "limit", "aggregate", "preset_seed")
_OPTIONAL: Final = ("limit", "aggregate", "preset_seed")
_NAMED: Final = ("aggregate", "limit", "repay_rate", "seed", "wager", "rate", "rounding", "digits")


def read_jackpot(section: Section, usual: Mapping[str, str] = MappingProxyType({})) -> JackpotPart:
    """Terms are read as strictly as a version would be; a switch that is left out is as the rule book has it."""
    code = section.code()
    section.called(f"jackpot {code}")
    name = section.text("name", longest=60)
    chosen = read_pay_table(section.section("pay_table", f"pay_table of {section.what}"))
    terms = _terms(section, chosen, usual)
    part = JackpotPart(section, code, name, terms, chosen.pack, _opening(section), _signatures(section))
    section.closed()
    return part


def _terms(section: Section, chosen: ChosenTable, usual: Mapping[str, str]) -> Terms:
    plain: dict[str, Any] = {} if chosen.pack is None else dict(chosen.pack.presets)
    # Behind the pack's own values, so that what the file says counts.
    plain |= {key: str(section.amount(key)) for key in _AMOUNTS if key not in _OPTIONAL or key in section}
    plain |= {"rate": section.percent("rate"), "reserve_rate": section.percent("reserve_rate", "0")}
    plain |= {key: section.percent(key) for key in ("preset_rate", "repay_rate") if key in section}
    plain |= {"rounding": section.text("rounding", "half_up"), "par_sheet": section.text("par_sheet", "")}
    digits = section.whole("digits", 0, 3, 2)
    policy = _policy(section, usual)
    try:
        return Terms.of({**plain, "digits": digits, "pay_table": chosen.lines.plain(), "policy": policy.plain()})
    except TermsRefused as why:
        raise section.refused(str(why), _key_in(str(why))) from None


def _policy(section: Section, usual: Mapping[str, str]) -> Policy:
    if "policy" not in section:
        return Policy.of(usual)
    switches = section.section("policy", f"policy of {section.what}")
    # One by one, so that a refusal names the line of its switch.
    for switch in switches.content():
        try:
            Policy.of({switch: switches.text(switch)})
        except PolicyRefused as why:
            raise switches.refused(str(why), switch) from None
    return Policy.of({**usual, **{switch: switches.text(switch) for switch in switches.content()}})


def _opening(section: Section) -> Reading | None:
    """None: the seed is posted from the house."""
    opening = section.choice("opening", ("seed", "take_over"), "take_over" if "take_over" in section else "seed")
    if opening == "seed":
        if "take_over" in section:
            raise section.refused(f"{section.what} opens with its seed and with a reading. Keep one.", "take_over")
        return None
    reading = section.section("take_over", f"take_over of {section.what}")
    read = Reading(
        meter=reading.amount("meter"),
        reserve=reading.amount("reserve", "0"),
        overflow=reading.amount("overflow", "0"),
        house_seed=reading.amount("house_seed", "0"),
        evidence=reading.text("evidence"),
    )
    for key in ("meter", "reserve", "overflow", "house_seed"):
        amount: Money = getattr(read, key)
        if amount < ZERO:
            raise reading.refused(f"{key} of {reading.what} is {amount}. No reading can be below zero.", key)
    reading.closed()
    return read


def _signatures(section: Section) -> tuple[str, str]:
    names = section.texts("signed_by")
    # An opening is the first word on a jackpot's money, and no such word is one person's.
    if len(names) != 2 or names[0] == names[1]:
        raise section.refused(f"signed_by of {section.what} must name two different people.", "signed_by")
    return names[0], names[1]


def _key_in(why: str) -> str:
    """The first term that a refusal speaks of."""
    # Terms refuse with a sentence and know no file; the term it names leads back to a line.
    words = re.findall(r"[a-z_]+", why.lower())
    return next((word for word in words if word in _NAMED), "")
