"""The computation of a winner's difference (after a back-out, or underpaid), so that it can be done again by hand."""

from __future__ import annotations

from jackpot.property.models.property import Property
from jackpot.terms.rules.paytable import ForOne, PartOfMeter
from jackpot.web.templatetags.figures import money
from jackpot.wins.models import Win
from jackpot.wins.rules.award_record import AwardRecord, DifferenceRecord

Rows = list[tuple[str, str]]


def difference_rows(win: Win, house: Property) -> Rows:
    """Whose it is, why, and the two awards: as it was counted, and as it must have been."""
    record, terms = win.record, win.version
    of = record.difference
    assert of is not None, "the page of a difference says whose it is"
    was, would_be, owed = (money(amount, house) for amount in (of.was, of.would_be, of.owed))
    because, must, filled = _why(of)
    return [
        ("Difference of", f"slip {of.slip}"),
        ("Because", because),
        ("Pay table", f"{terms.value.pay_table.code}, terms {terms.number} ({terms.digest[:12]})"),
        ("Basis then", f"{money(of.basis_was, house)}, the meter cut to the cent"),
        ("Basis now", f"{money(of.basis, house)}, {must}"),
        ("Pays", _part(record, of)),
        ("Due now", would_be),
        ("Told before", was),
        ("Difference", f"{would_be} − {was} = {owed}"),
        ("Wager", wager_words(record, house)),
        ("Paid from", f"the meter, which {filled}" if record.source == "meter" else "the house"),
    ]


def _why(of: DifferenceRecord) -> tuple[str, str, str]:
    """What it follows from, what the basis now is, and what filled the meter that may pay it."""
    if of.found:
        why = f"too little was paid; found by: {of.found} (decided in underpayment {of.request})"
        return why, "what the meter must have been", "an adjustment gave it since"
    gone = f"slip {of.backed_out_slip}" if of.backed_out_slip else "a win"
    why = f"{gone} was backed out (back-out {of.back_out}, decided in difference {of.request})"
    return why, f"without {gone}", "the back-out filled again"


def wager_words(record: AwardRecord, house: Property) -> str:
    """The chip that won, by the name of its wager where the table took several."""
    name = f"{record.wager_name}, " if record.wager_name else ""
    return f"{name}{money(record.wager, house)}, not returned"


def of_the_meter(part: PartOfMeter) -> str:
    """A part as it is read aloud: “5 % of the meter”, “1/3 of the meter”."""
    spoken = str(part)
    return spoken if spoken.endswith("meter") else f"{spoken} of the meter"


def _part(record: AwardRecord, of: DifferenceRecord) -> str:
    if isinstance(record.pays, ForOne):
        return f"{record.pays}, never less than a row below of the basis"
    whole = of_the_meter(record.pays)
    return whole if of.sharers == 1 else f"{whole}, in {of.sharers} equal shares"
