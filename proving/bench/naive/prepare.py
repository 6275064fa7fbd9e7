"""Makes the peer's tables in its own database: python -m proving.bench.naive.prepare TABLES."""

from __future__ import annotations

import os
import sys
from decimal import Decimal

import django


def prepare(tables: int) -> None:
    from django.core.management import call_command

    call_command("migrate", run_syncdb=True, verbosity=0)
    from proving.bench.naive.models import NaiveMeter, NaiveTable

    meter = NaiveMeter.objects.create(amount=Decimal(10_000))
    NaiveTable.objects.bulk_create(NaiveTable(code=f"N-{number:02}", meter=meter) for number in range(1, tables + 1))


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "proving.bench.naive.settings"
    django.setup()
    prepare(int(sys.argv[1]))
