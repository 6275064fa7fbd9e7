"""What can be asked of the progressive. Most questions start from a person: another house is not there for them."""

from __future__ import annotations

from django.db.models import QuerySet

from jackpot.authority.models import AuthorityChange
from jackpot.property.models.property import Property


def authority_changes(premises: Property) -> QuerySet[AuthorityChange]:
    """Every request for other authority in a house, with the people who decided it."""
    people_of = ("asked_by", "decided_by", "withdrawn_by", "whose__operator")
    return AuthorityChange.objects.filter(premises=premises).select_related("premises", *people_of)
