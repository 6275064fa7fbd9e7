"""What a preview says of presets and of switches that move money: in figures of the terms at hand."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from jackpot.laboratory.preset_findings import preset_findings
from jackpot.money import UNIT, Money
from jackpot.terms.rules.next_row import below_of, pays
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine
from jackpot.terms.rules.terms import Terms, percent

Finding = dict[str, str]


def switch_findings(terms: Terms) -> list[Finding]:
    """Nothing while the switches stand at their defaults and no preset is missed."""
    lifted = [sentence for line in terms.pay_table for sentence in _lifted(line, terms)]
    dry = [_finding("dry_meter", why) for why in _dry(terms)]
    return [*preset_findings(terms), *(_finding("never_less", why) for why in lifted), *dry]


def _finding(code: str, why: str) -> Finding:
    return {"code": code, "weight": "advice", "why": why}


def _lifted(line: PayLine, terms: Terms) -> Iterator[str]:
    """Below or above which meter a row is lifted, and by which of the rows below it."""
    if terms.policy.row != "never_less":
        return
    fixed = [row for row in below_of(line, terms) if isinstance(row.award, ForOne)]
    best = max(fixed, key=lambda row: pays(row, terms.seed, terms), default=None)
    match line.award:
        case PartOfMeter(part) if best is not None:
            yield _part_lifted(line, part, best, terms)
        case ForOne() if best is not None and pays(best, terms.seed, terms) > pays(line, terms.seed, terms):
            own, more = (_amount(pays(row, terms.seed, terms)) for row in (line, best))
            yield f"{line.name} pays {more} like {best.name}, not {own}, at every meter."
    yield from _above(line, terms)


def _part_lifted(line: PayLine, part: Fraction, best: PayLine, terms: Terms) -> str:
    worth = pays(best, terms.seed, terms)
    meter = Money(ceil(worth.units / part / UNIT * 100) * UNIT // 100)
    why = f"{line.name} pays {_amount(worth)} like {best.name} while the meter is below {_amount(meter)}."
    own = pays(line, terms.seed, terms)
    return f"{why} At the seed {line.award} would be {_amount(own)}." if own < worth else why


def _above(line: PayLine, terms: Terms) -> Iterator[str]:
    """A fixed row above a part: the meter lifts it once it is high enough. Not where an aggregate holds it."""
    parts = [(row.award.part, row) for row in below_of(line, terms) if isinstance(row.award, PartOfMeter)]
    if isinstance(line.award, PartOfMeter) or terms.aggregate is not None or not parts:
        return
    part, row = max(parts, key=lambda pair: pair[0])
    own = pays(line, terms.seed, terms)
    meter = Money(int(own.units / part / UNIT * 100) * UNIT // 100)
    if terms.limit is None or meter < terms.limit:
        source = "the tray" if line.source == "tray" else "the meter"
        yield f"{line.name} pays {row.award} like {row.name}, from {source}, once the meter is above {_amount(meter)}."


def _dry(terms: Terms) -> Iterator[str]:
    if terms.repay_rate is None:
        return
    part = (
        f"{_amount(terms.repay_part)} of the {_amount(terms.meter_part)} that a chip adds ({percent(terms.repay_rate)})"
    )
    chips = -(-terms.seed.units // terms.repay_part.units)
    yield (
        f"A meter that an award leaves dry begins anew at {_amount(terms.seed)}, which the house advances. {part} goes "
        f"back to the house until it is repaid: {chips:,} chips for one advance."
    )
    if terms.repay_part == terms.meter_part:
        yield "Until an advance is repaid the meter does not grow: all that a chip adds goes to the house."


def _amount(amount: Money) -> str:
    """As people read it, every decimal that is there: 21,000.00, 0.1733."""
    whole, _, decimals = str(amount).partition(".")
    return f"{int(whole):,}.{decimals}"
