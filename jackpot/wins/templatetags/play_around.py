"""What became of the play when the whole meter was won, as the jackpot's page shows it."""

from __future__ import annotations

from typing import Any, Final

from django import template
from django.utils import timezone

from jackpot.books.models.jackpot import Jackpot
from jackpot.wins.queries.play_around import play_around
from jackpot.wins.rules.play_around import DAYS_AROUND

register = template.Library()
SHOWN: Final = 3


@register.inclusion_tag("jackpot/wins/play_around.html")
def play_around_hits(jackpot: Jackpot) -> dict[str, Any]:
    """The newest hits; the report holds all."""
    hits = play_around(jackpot, now=timezone.now(), newest=SHOWN)
    return {"hits": hits, "house": jackpot.premises, "jackpot": jackpot, "days": DAYS_AROUND}
