"""What waits for one person whose first page is no morning: for the window, the workshop, the count, the rights."""

from __future__ import annotations

from collections.abc import Sequence

from accounting.alarms.queries.lists import ringing
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.waiting import KINDS, WaitingKind, waiting_for
from accounting.reports.rules.asking import read_question
from jackpot.people.models import Operator
from jackpot.property.models.property import Property


def own_waits(person: Operator, house: Property, verbs: frozenset[str]) -> Sequence[WaitingKind] | None:
    """Each kind with its number and age; None for whom nothing ever waits."""
    if not any(theirs & verbs for _, theirs in KINDS.values()):
        return None
    waits = waiting_for(read_question(REPORTS["waiting"], {}, clock_of(house)), verbs)
    if not KINDS["Alarm"][1] & verbs:
        return waits
    rings = list(ringing(person).values_list("since", flat=True))  # the oldest first
    return [*([WaitingKind("Alarm", "/office/alarms/", len(rings), rings[0], None)] if rings else []), *waits]
