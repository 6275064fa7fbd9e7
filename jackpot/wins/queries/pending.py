"""What can be asked of the progressive. Most questions start from a person: another house is not there for them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Min, TextField, Value
from django.db.models.functions import Concat

from jackpot.property.queries import of_house
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import OPEN

PIT_VERBS: Final = ("run_tables", "approve", "verify", "watch", "read_books")


@dataclass(frozen=True, slots=True)
class Pending:
    """Rounds with a hit that somebody must still settle, and since when the oldest waits."""

    rounds: int
    since: datetime | None

    @property
    def seen(self) -> str:
        return f"{self.rounds}-{int(self.since.timestamp()) if self.since else 0}"


def pending_wins(person: Any) -> Pending:
    """The small index of open wins answers."""
    rows = of_house(Win.objects.filter(state__in=OPEN).order_by(), person, "jackpot__premises")
    counted = rows.aggregate(rounds=Count(Concat("table_code", Value("/"), "round_number", output_field=TextField()),
                                       distinct=True), since=Min("marked_at"))  # fmt: skip
    return Pending(counted["rounds"], counted["since"])
