"""The terms of a jackpot: everything a version fixes, as one value. Reading them refuses what cannot be meant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

from jackpot.canonical import canonical, digest_of
from jackpot.money import LARGEST, MILLION, ZERO, Money, NotAnAmount, Rounding, millionths_of
from jackpot.reading import read_whole
from jackpot.terms.rules.paytable import ForOne, PayTable
from jackpot.terms.rules.policy import Policy

KEYS: Final = frozenset(
    {
        *("wager", "seed", "rate", "reserve_rate", "limit", "rounding", "digits", "pay_table", "policy", "aggregate"),
        *("preset_rate", "preset_seed", "par_sheet", "repay_rate"),
    }
)


LONGEST_REFERENCE: Final = 80
LONGEST_CODE: Final = 40  # of a line: so much of it has space in the row of a win
FULL_TABLE: Final = 9  # seats


class TermsRefused(ValueError):
    """Terms that contradict themselves; the message names the term and the cure."""


# Without slots: its parts and its text are kept with it once they were worked out.
@dataclass(frozen=True)
class Terms:
    """Immutable terms. Rates are millionths of the wager (700,000 is 70 %)."""

    wager: Money
    seed: Money
    rate: int
    reserve_rate: int
    pay_table: PayTable
    limit: Money | None = None
    rounding: Rounding = Rounding.HALF_UP
    digits: int = 2
    policy: Policy = field(default_factory=Policy)
    aggregate: Money | None = None  # what the fixed awards of one table and round may come to together
    preset_rate: int | None = None  # what the pay table's par sheet presets; none until an operator enters it
    preset_seed: Money | None = None  # the same, of the seed
    par_sheet: str = ""  # the reference under which a rate above the preset was approved
    repay_rate: int | None = None  # of what a chip adds to the meter: this repays a house advance, if one is owed

    def __post_init__(self) -> None:
        self._check_amounts()
        self._check_rates()
        self._check_preset()
        self._check_repayment()

    def _check_amounts(self) -> None:
        # As currencies have them: yen none, dollars two, dinars three.
        if self.digits not in (0, 2, 3):
            raise TermsRefused(f"A currency has 0, 2 or 3 digits, not {self.digits}.")
        # Whole hundredths in every currency: times a rate in millionths they are whole units, so no coin-in rounds.
        if self.wager <= ZERO or not self.wager.is_whole():
            raise TermsRefused(f"The wager is {self.wager}; it must be whole cents above zero.")
        if self.seed <= ZERO or not self.seed.is_whole(self.digits):
            raise TermsRefused(f"The seed is {self.seed}; it must be above zero and payable to the cent.")
        # From such a seed the meter could never rise, and whatever comes would overflow.
        if self.limit is not None and self.limit <= self.seed:
            raise TermsRefused(f"The limit {self.limit} is not above the seed {self.seed}. Raise the limit.")
        if self.aggregate is not None and (self.aggregate <= ZERO or not self.aggregate.is_whole(self.digits)):
            raise TermsRefused(f"The aggregate is {self.aggregate}; it must be above zero and payable to the cent.")

        self._check_awards()

    def _check_awards(self) -> None:
        """What a row pays can be paid: to the cent, and at a full table in sums that the books hold."""
        for line in self.pay_table.lines:
            fixed = Money(self.wager.units * line.award.times) if isinstance(line.award, ForOne) else ZERO
            envy = line.envy or ZERO
            if not (fixed.is_whole(self.digits) and envy.is_whole(self.digits)):
                raise TermsRefused(f"Line {line.name} pays parts of a cent. Change its envy, its number or the wager.")
            # At worst every seat hits it, and each of them pays its envy to all others.
            if (fixed.units + envy.units * FULL_TABLE) * FULL_TABLE >= LARGEST:
                raise TermsRefused(
                    f"Line {line.name} pays more at a full table than the books can hold. Lower its number for one or "
                    "its envy."
                )

    def _check_rates(self) -> None:
        if self.rate < 0 or self.reserve_rate < 0:
            raise TermsRefused("A rate cannot be below 0 %.")
        if self.rate + self.reserve_rate > MILLION:
            raise TermsRefused(
                f"Rate {percent(self.rate)} and reserve rate {percent(self.reserve_rate)} are more than 100 % together."
            )

    def _check_preset(self) -> None:
        """A meter that pays only parts of itself is what a par sheet fixes the rate for."""
        if self.preset_seed is not None and self.preset_seed <= ZERO:
            raise TermsRefused(f"The preset seed is {self.preset_seed}; it must be above zero. Leave it out for none.")
        if len(self.par_sheet) > LONGEST_REFERENCE:
            raise TermsRefused(f"The reference of the par sheet is longer than {LONGEST_REFERENCE} letters.")
        if self.preset_rate is None or self.rate <= self.preset_rate or self.par_sheet:
            return
        if not self.pay_table.fixed_from_meter:
            raise TermsRefused(
                f"The meter pays only parts of itself, and the rate of {percent(self.rate)} is above the "
                f"{percent(self.preset_rate)} that the par sheet presets. Lower it, or name the approved par sheet."
            )

    def _check_repayment(self) -> None:
        """A dry meter that restarts names what repays the advance, and in amounts that the books hold exactly."""
        if (self.policy.dry_meter == "restart") != (self.repay_rate is not None):
            raise TermsRefused(
                "A dry meter that begins anew needs the part of a chip that repays the house advance (“repay_rate”); "
                "one that stays dry has none. Change one of the two."
            )
        if self.repay_rate is None:
            return
        if not 0 < self.repay_rate <= MILLION:
            raise TermsRefused(f"“repay_rate” is {percent(self.repay_rate)}; it must be above 0 % and up to 100 %.")
        if self.meter_part.units * self.repay_rate % MILLION:
            raise TermsRefused(
                f"{percent(self.repay_rate)} of {self.meter_part} a chip has more than eight decimals, and a coin-in "
                "never rounds. Choose a “repay_rate” in whole percent."
            )

    @cached_property
    def meter_part(self) -> Money:
        """What one chip adds to the meter."""
        return self.wager.at_rate(self.rate)

    @cached_property
    def reserve_part(self) -> Money:
        """What one chip adds to the reserve."""
        return self.wager.at_rate(self.reserve_rate)

    @cached_property
    def contribution(self) -> Money:
        """What one chip adds to meter and reserve together."""
        return self.meter_part + self.reserve_part

    @cached_property
    def repay_part(self) -> Money:
        """What of one chip repays a house advance, while one is owed."""
        return Money(self.meter_part.units * (self.repay_rate or 0) // MILLION)

    def plain(self) -> dict[str, Any]:
        return {
            "wager": str(self.wager),
            "seed": str(self.seed),
            "rate": percent_text(self.rate),
            "reserve_rate": percent_text(self.reserve_rate),
            "limit": None if self.limit is None else str(self.limit),
            "rounding": self.rounding.value,
            "digits": self.digits,
            "pay_table": self.pay_table.plain(),
            "policy": self.policy.plain(),
            # Left out where there are none: versions written before there were such terms keep their digests.
            **({} if self.aggregate is None else {"aggregate": str(self.aggregate)}),
            **({} if self.preset_rate is None else {"preset_rate": percent_text(self.preset_rate)}),
            **({} if self.preset_seed is None else {"preset_seed": str(self.preset_seed)}),
            **({} if not self.par_sheet else {"par_sheet": self.par_sheet}),
            **({} if self.repay_rate is None else {"repay_rate": percent_text(self.repay_rate)}),
        }

    @cached_property
    def text(self) -> str:
        """What is stored and sealed: a version is this text, its digest is the text's."""
        return canonical(self.plain())

    @cached_property
    def digest(self) -> str:
        return digest_of(self.text)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Terms:
        """Reads terms from a file or a stored version; an unknown or missing term is named."""
        unknown = sorted(set(plain) - KEYS)
        if unknown:
            raise TermsRefused(f"“{unknown[0]}” is not a term of a jackpot. Known: {', '.join(sorted(KEYS))}.")
        missing = sorted({"wager", "seed", "rate", "pay_table"} - set(plain))
        if missing:
            raise TermsRefused(f"The term “{missing[0]}” is missing.")
        try:
            return _terms_of(plain)
        except NotAnAmount as problem:
            raise TermsRefused(str(problem)) from None


@lru_cache(maxsize=1024)
def terms_of_text(text: str) -> Terms:
    """The value of a stored version; the same text is always the same value, so it is read once."""
    return Terms.of(json.loads(text))


def _terms_of(plain: Mapping[str, Any]) -> Terms:
    limit, aggregate, preset = plain.get("limit"), plain.get("aggregate"), plain.get("preset_rate")
    repay, preset_seed = plain.get("repay_rate"), plain.get("preset_seed")
    return Terms(
        wager=Money.of(plain["wager"]),
        seed=Money.of(plain["seed"]),
        rate=millionths_of(plain["rate"]),
        reserve_rate=millionths_of(plain.get("reserve_rate", "0")),
        pay_table=PayTable.from_plain(plain["pay_table"]),
        limit=None if limit is None else Money.of(limit),
        rounding=_rounding_of(str(plain.get("rounding", "half_up"))),
        digits=read_whole(plain.get("digits", 2), "number of the currency’s digits", 0, 9),
        policy=Policy.of(plain.get("policy", {})),
        aggregate=None if aggregate is None else Money.of(aggregate),
        preset_rate=None if preset is None else millionths_of(preset),
        preset_seed=None if preset_seed is None else Money.of(preset_seed),
        par_sheet=str(plain.get("par_sheet") or ""),
        repay_rate=None if repay is None else millionths_of(repay),
    )


def _rounding_of(text: str) -> Rounding:
    try:
        return Rounding(text)
    except ValueError:
        raise TermsRefused(f"Rounding “{text}” is unknown. Use half_up or down.") from None


def percent_text(millionths: int) -> str:
    """70, 17.33: a rate as people write it, without the sign."""
    whole, rest = divmod(millionths, 10_000)
    decimals = f"{rest:04d}".rstrip("0")
    return f"{whole}.{decimals}" if decimals else str(whole)


def percent(millionths: int) -> str:
    return f"{percent_text(millionths)} %"


def refuse_long_codes(terms: Terms) -> None:
    """Asked where terms are made: a hand whose code has no space in a win's row could never be marked."""
    for line in terms.pay_table:
        if len(line.code) > LONGEST_CODE:
            raise TermsRefused(f"The code of line {line.name} is longer than {LONGEST_CODE} letters. Shorten it.")
