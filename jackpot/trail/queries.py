"""What can be asked of the progressive. Most questions start from a person: another house is not there for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from jackpot.trail.models import Trail


def trail(asked: Mapping[str, Any]) -> QuerySet[Trail]:
    """Who did or tried what; a time bound takes the moment itself in (since) and leaves it out (until)."""
    columns = {word: word for word in ("actor", "act", "subject", "outcome")} | {"since": "at__gte", "until": "at__lt"}
    return Trail.objects.filter(**{column: asked[word] for word, column in columns.items() if asked.get(word)})
