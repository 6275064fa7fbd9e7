"""Whole numbers and shares as par sheets show them."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def spaced_whole(number: int | str) -> str:
    """ "28,094,757,600"."""
    return f"{int(number):,}"


@register.filter
def as_percent(share: float) -> str:
    return f"{share:.4%}"[:-1].replace("-", "−")
