"""The computation of a later winner's difference after a back-out, so that it can be done again by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.web.templatetags.figures import money
from jackpot.wins.models import Win

Rows = list[tuple[str, str]]


def difference_rows(win: Win, house: Property) -> Rows:
    """Whose it is, why, and the two awards: as it was counted, and without what was backed out."""
    told: Mapping[str, Any] = win.paper["difference"]
    figures = {word: money(Money.of(told[word]), house) for word in ("basis_was", "basis", "was", "would_be", "owed")}
    gone = f"slip {told['backed_out_slip']}" if told["backed_out_slip"] else "a win"
    terms = win.version
    return [
        ("Difference of", f"slip {told['slip']}, win {told['win']}"),
        ("Because", f"{gone} was backed out (back-out {told['back_out']}, decided in difference {told['request']})"),
        ("Pay table", f"{terms.value.pay_table.code}, terms {terms.number} ({terms.digest[:12]})"),
        ("Basis then", f"{figures['basis_was']}, the meter cut to the cent"),
        ("Basis now", f"{figures['basis']}, without {gone}"),
        ("Pays", _part(told)),
        ("Due now", figures["would_be"]),
        ("Told before", figures["was"]),
        ("Difference", f"{figures['would_be']} − {figures['was']} = {figures['owed']}"),
        ("Wager", f"{money(Money.of(win.paper['wager']), house)}, not returned"),
        ("Paid from", "the meter, which the back-out filled again" if win.paper["source"] == "meter" else "the house"),
    ]


def _part(told: Mapping[str, Any]) -> str:
    part = str(told["part"])
    whole = part if part.endswith("meter") else f"{part} of the meter"
    return whole if told["sharers"] == 1 else f"{whole}, in {told['sharers']} equal shares"
