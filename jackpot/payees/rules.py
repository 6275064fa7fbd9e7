"""Who is paid a win that has to be reported: strict reading, everybody's share, and when a payee is written down.

Nothing here is kept: what a payee wrote is sealed before it reaches the database (`actions.py`).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from jackpot.money import DECIMALS, ZERO, Money, NotAnAmount, Rounding
from jackpot.property.rules.tax import SlipSum
from jackpot.reading import read_amount
from jackpot.refusals import NotUnderstood

MOST_PAYEES: Final = 8
LONGEST_NAME: Final = 120
LONGEST_ADDRESS: Final = 300
_PLAIN: Final = re.compile(r"[^A-Z0-9]")
_NUMBER: Final = re.compile(r"[A-Z0-9]{4,30}")


class PayeeNumber(enum.StrEnum):
    """What a number identifies its person by."""

    SSN = "ssn"
    EIN = "ein"
    ITIN = "itin"
    PASSPORT = "passport"
    OTHER = "other"


NUMBER_WORDS: Final[Mapping[PayeeNumber, str]] = {
    PayeeNumber.SSN: "Social security number",
    PayeeNumber.EIN: "Employer number",
    PayeeNumber.ITIN: "Individual taxpayer number",
    PayeeNumber.PASSPORT: "Passport",
    PayeeNumber.OTHER: "Other document",
}
_NINE_DIGITS: Final = frozenset({PayeeNumber.SSN, PayeeNumber.EIN, PayeeNumber.ITIN})


@dataclass(frozen=True, slots=True)
class PayeeFacts:
    """One person who is paid, as their documents say. `gross` is empty where one person gets all of the slip."""

    name: str
    address: str
    kind: PayeeNumber
    number: str
    gross: Money | None = None

    def plain(self) -> dict[str, str]:
        """What is sealed of it."""
        return {"name": self.name, "address": self.address, "kind": self.kind, "number": self.number}


@dataclass(frozen=True, slots=True)
class PayeeShare:
    """What one of them gets of a slip."""

    gross: Money
    withheld: Money

    @property
    def net(self) -> Money:
        return self.gross - self.withheld


def read_payees(given: Sequence[Mapping[str, Any]], digits: int = 2) -> list[PayeeFacts]:
    """As typed or sent: every field of every person, or a sentence that names what is missing. An empty row is none."""
    # A form sends rows that nobody filled in, each with its document chosen: that alone names nobody.
    rows = [row for row in given if any(str(value or "").strip() for name, value in row.items() if name != "document")]
    if len(rows) > MOST_PAYEES:
        raise NotUnderstood(f"At most {MOST_PAYEES} people share one slip, not {len(rows)}.", "payees")
    return [_read(row, place, several=len(rows) > 1, digits=digits) for place, row in enumerate(rows, start=1)]


def _read(row: Mapping[str, Any], place: int, *, several: bool, digits: int) -> PayeeFacts:
    who = f"Payee {place}"
    name = _text(row, "name", f"{who}: write the name as the document has it", LONGEST_NAME)
    address = _text(row, "address", f"{who}: write the address", LONGEST_ADDRESS)
    kind = str(row.get("document") or PayeeNumber.SSN)
    if kind not in set(PayeeNumber):
        raise NotUnderstood(f"{who}: choose what the number is: {', '.join(PayeeNumber)}.", "document")
    # Dashes and spaces are how people write it: the same number must come out the same, as people are added up by it.
    number = _PLAIN.sub("", str(row.get("document_number") or "").upper())
    if not _NUMBER.fullmatch(number):
        raise NotUnderstood(f"{who}: write the number of the document, 4 to 30 letters and digits.", "document_number")
    if kind in _NINE_DIGITS and not re.fullmatch(r"\d{9}", number):
        raise NotUnderstood(f"{who}: a {NUMBER_WORDS[PayeeNumber(kind)].lower()} has nine digits.", "document_number")
    # One payee gets what the slip comes to: a sum typed beside it could only disagree.
    if not several:
        return PayeeFacts(name, address, PayeeNumber(kind), number)
    try:
        gross = read_amount(row.get("amount") or "", f"share of payee {place}", digits=digits)
    except NotAnAmount as why:
        raise NotUnderstood(f"{who}: {why}", "amount") from None
    return PayeeFacts(name, address, PayeeNumber(kind), number, gross)


def _text(row: Mapping[str, Any], key: str, why: str, longest: int) -> str:
    value = str(row.get(key) or "").strip()
    if not value or len(value) > longest or not all(each.isprintable() or each == "\n" for each in value):
        raise NotUnderstood(f"{why}, in at most {longest} characters.", key)
    return value


def shares_of(pays: SlipSum, payees: Sequence[PayeeFacts], digits: int = 2) -> list[PayeeShare]:
    """Everybody's part of the gross, and the same part of what is withheld, to the cent."""
    if len(payees) == 1:
        return [PayeeShare(pays.gross, pays.withheld)]
    told = [payee.gross or ZERO for payee in payees]
    total = sum(told, ZERO)
    if total != pays.gross:
        raise NotUnderstood(f"The shares come to {total}, the slip to {pays.gross}. They must be the same.", "amount")
    if any(share <= ZERO for share in told):
        raise NotUnderstood("Everybody who is named gets a share above 0.", "amount")
    # A half cent cannot be handed over, and rounding it here would pay another sum than the slip's.
    if any(share.shown(digits) != share for share in told):
        raise NotUnderstood("A share is a sum that can be paid: nothing finer than the house's coins.", "amount")
    held = _withheld_of(told, pays, digits)
    return [PayeeShare(gross, withheld) for gross, withheld in zip(told, held, strict=True)]


def _withheld_of(told: Sequence[Money], pays: SlipSum, digits: int) -> list[Money]:
    """By the largest remainder: a cent that rounding leaves over goes where most was cut, so nobody owes more tax than
    they get; of equal cuts to whom was named first."""
    parts = [Fraction(share.units, pays.gross.units) for share in told]
    # All cut down first: what is left over is then whole cents, fewer than there are people.
    held = [pays.withheld.share(part, Rounding.DOWN, digits) for part in parts]
    # Exact fractions: with rounded ones two equal cuts could change places, and a cent go to another person.
    most_cut = sorted(range(len(told)), key=lambda at: held[at].units - pays.withheld.units * parts[at])
    cent, over = 10 ** (DECIMALS - digits), (pays.withheld - sum(held, ZERO)).units
    for at in most_cut[: over // cent]:
        held[at] += Money(cent)
    return held


def form_for(pays: SlipSum, count: int) -> str:
    """Which form a payment goes on, by the rule of its day; nothing where none is named or it is not reported."""
    if pays.due is None or not pays.reported:
        return ""
    return pays.due.rule.shared_form if count > 1 and pays.due.rule.shared_form else pays.due.rule.form


def why_payees(pays: SlipSum, *, in_cash: bool) -> str:
    """Why somebody has to be written down before this is paid; nothing where nobody need be."""
    if pays.due is None:
        return ""
    rule = pays.due.rule
    if pays.reported and rule.form:
        return f"it is reported on form {rule.form}"
    # The net: what is withheld never goes over the window.
    if in_cash and rule.currency_above is not None and pays.net > rule.currency_above:
        return f"more than {rule.currency_above} goes over the window in cash"
    return ""
