"""The product's own proof over a house's books, in a program of its own: python -m proving.proof TIMES."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def _prove_here(times: int) -> dict[str, Any]:
    from jackpot.proof.queries import prove as prove_books
    from tables.rounds.queries.prove import prove as prove_house

    verdict = prove_house()
    runs = []
    for _ in range(times):
        began, cpu = time.perf_counter(), time.process_time()
        books = prove_books()
        runs.append({"seconds": time.perf_counter() - began, "cpu_seconds": time.process_time() - cpu})
    return {
        "findings": [str(finding) for finding in verdict.findings.listed],
        "entries": sum(proven.entries for proven in (books if times else verdict).jackpots),
        "runs": runs,
    }


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    sys.stdout.write(json.dumps(_prove_here(int(sys.argv[1]))))
