"""How long the equation of the largest jackpot's day takes: python -m proving.size_close prints it as JSON.

The day is not over, so what the roll would do is computed and nothing is kept: the stretch of the books, and the
equation from rounds, wagers, versions and win records. The snapshot's own row costs a millisecond more.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def close() -> dict[str, Any]:
    from django.utils import timezone

    from accounting.days.queries.equation import equation_between
    from accounting.days.queries.stretch import stretch_of
    from jackpot.books.models.jackpot import Jackpot

    grand = Jackpot.objects.select_related("premises").get(code="GRAND")
    began = time.perf_counter()
    stretch = stretch_of(grand, grand.premises.gaming_day(timezone.now()))
    equation = equation_between(grand, stretch)
    seconds = time.perf_counter() - began
    entries = stretch.upto - stretch.after
    return {"entries": entries, "seconds": round(seconds, 3), "agrees": equation.agrees}


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    sys.stdout.write(json.dumps(close()))
