"""The meters of a jackpot's rows, as its page shows them."""

from __future__ import annotations

from typing import Any

from django import template

from jackpot.books.models.jackpot import Jackpot
from jackpot.wins.queries.row_meters import LAST, row_meters_of

register = template.Library()


@register.inclusion_tag("jackpot/wins/row_meters.html")
def row_meters(jackpot: Jackpot) -> dict[str, Any]:
    rows = row_meters_of([jackpot])[jackpot.pk]
    return {"rows": rows, "house": jackpot.premises, "jackpot": jackpot, "newest": LAST}
