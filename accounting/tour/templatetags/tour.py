"""The tour on the first page of a demo."""

from __future__ import annotations

from typing import Any

from django import template

from accounting.tour.cast import tour_table
from accounting.tour.pages import tour_facts
from tables.floor.models.table import Profile

register = template.Library()


@register.simple_tag(takes_context=True)
def tour(context: Any) -> dict[str, Any] | None:
    """The tour that the address asks for, the card profile first; nothing where the demo has no tables for guests."""
    asked = context["request"].GET.get("tour", "")
    table = tour_table(asked) or tour_table(Profile.CARD) or tour_table(Profile.KEY)
    return tour_facts(table, context["request"]) if table else None
