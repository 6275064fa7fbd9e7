"""What rings, for the top of pages on which people stand."""

from __future__ import annotations

from typing import Any

from django import template

from accounting.alarms.models import HouseAlarm
from accounting.alarms.queries.lists import ringing

register = template.Library()


@register.simple_tag(takes_context=True)
def alarms_now(context: Any) -> list[HouseAlarm]:
    return list(ringing(context["request"].user)[:12])
