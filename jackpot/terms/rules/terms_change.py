"""What differs between two sets of terms, in the words of people, and which changes may count at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from jackpot.money import Money
from jackpot.terms.rules.paytable import PayLine, PayTable
from jackpot.terms.rules.terms import Terms, TermsRefused

NAMES: Final = {
    "wager": "Wager",
    "seed": "Seed",
    "rate": "Rate to the meter",
    "reserve_rate": "Rate to the reserve",
    "limit": "Limit",
    "rounding": "Rounding of awards",
    "digits": "Digits of the currency",
    "aggregate": "Aggregate of fixed awards",
    "preset_rate": "Preset of the par sheet",
    "preset_seed": "Preset seed of the pay table",
    "par_sheet": "Approved par sheet",
    "repay_rate": "Repays a house advance",
}
RATES: Final = ("rate", "reserve_rate", "preset_rate", "repay_rate")
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Difference:
    """One term that differs: its key, what people call it, and how it reads before and after."""

    term: str
    name: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.name.lower()} {self.before} → {self.after}"


def differences(before: Terms, after: Terms) -> list[Difference]:
    """Every term that differs, in the order of the page; a pay table line by line."""
    one, other = before.plain(), after.plain()
    simple = [
        Difference(term, name, _spoken(term, one.get(term)), _spoken(term, other.get(term)))
        for term, name in NAMES.items()
        if one.get(term) != other.get(term)
    ]
    was, is_now = before.policy.switches(), after.policy.switches()
    switches = [
        Difference(f"policy.{switch}", f"Switch “{switch.replace('_', ' ')}”", _words(value), _words(is_now[switch]))
        for switch, value in was.items()
        if value != is_now[switch]
    ]
    return [*simple, *_pay_tables(before.pay_table, after.pay_table), *switches]


def only_raises_limit(before: Terms, after: Terms) -> bool:
    """A higher limit, or none any more, and nothing else: where policy allows, it may count at once."""
    if [each.term for each in differences(before, after)] != ["limit"] or before.limit is None:
        return False
    return after.limit is None or after.limit > before.limit


def changed(terms: Terms, changes: dict[str, Any]) -> Terms:
    """The same terms but for these; switches not named stay as they are."""
    plain = terms.plain()
    policy = changes.get("policy", {})
    if not isinstance(policy, dict):
        raise TermsRefused("The policy is a list of switches, each with its value.")
    return Terms.of({**plain, **changes, "policy": {**plain["policy"], **policy}})


def refuse_low_limit(terms: Terms, meter: Money, *, may_equal: bool) -> None:
    """A limit below what the signs promise today could never be explained to whoever looks at them."""
    if terms.limit is None or terms.limit > meter or (may_equal and terms.limit == meter):
        return
    stands = "below" if terms.limit < meter else "not above"
    raise TermsRefused(f"The limit {terms.limit} is {stands} the present meter {meter.shown()}. Raise the limit.")


def _pay_tables(before: PayTable, after: PayTable) -> Iterator[Difference]:
    if before.code != after.code:
        yield Difference("pay_table", "Pay table", before.code, after.code)
    one, other = ({line.code: line for line in table} for table in (before, after))
    for code in dict.fromkeys([*one, *other]):
        was, is_now = one.get(code), other.get(code)
        if was != is_now:
            name = (is_now or was or one[code]).name
            yield Difference(f"pay_table.{code}", name, _line(was), _line(is_now))
    if list(one) != list(other) and set(one) == set(other):
        yield Difference("pay_table.order", "Rank of the pay lines", ", ".join(one), ", ".join(other))


def _line(line: PayLine | None) -> str:
    if line is None:
        return NONE
    envy = f", envy {line.envy}" if line.envy else ""
    return f"{line.award} from the {line.source}{envy}"


def _spoken(term: str, value: object) -> str:
    if value is None:
        return NONE
    return f"{value} %" if term in RATES else _words(str(value))


def _words(value: object) -> str:
    return str(value).replace("_", " ")
