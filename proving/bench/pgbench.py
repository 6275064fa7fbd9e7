"""What PostgreSQL alone can do: pgbench's hot row, and its batches of fifty by one client."""

from __future__ import annotations

import os
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from launcher.cluster import clean_environment, wheel_binaries
from launcher.passwords import pass_file
from proving.bench.cpu import Used
from proving.bench.figures import Window
from proving.house import NotCarriedOut, ProvingHouse

SCRIPTS: Final = Path(__file__).parent / "pgbench"
DATABASE: Final = "limits"


@dataclass(frozen=True, slots=True)
class Limit:
    """One script: how many events a transaction holds, and by how many clients at once."""

    script: str
    events: int
    clients: int


HOT_ROW: Final = Limit("hot_row.sql", events=1, clients=4)
BATCH: Final = Limit("batch.sql", events=50, clients=1)


def prepare(house: ProvingHouse) -> None:
    house.make_database(DATABASE)
    with house.connect(DATABASE) as connection:
        connection.execute((SCRIPTS / "tables.sql").read_bytes())


def measure(house: ProvingHouse, limit: Limit, warm_up: float, window: float) -> Window:
    """pgbench takes whole seconds and cannot warm up: a run before the one that counts does (none in a smoke)."""
    if round(warm_up) > 0:
        _run(house, limit, round(warm_up))
    seconds = max(1, round(window))
    first = house.usage()
    rate = _run(house, limit, seconds)
    used = Used.between(first, house.usage())
    return Window(
        round(rate * seconds * limit.events), seconds,
        database_cpu=used.servers["database"], client_cpu=used.ourselves, foreign=used.foreign_cores(),
    )  # fmt: skip


def _run(house: ProvingHouse, limit: Limit, seconds: int) -> float:
    # Round numbers are new in every run: the time in milliseconds is their head.
    base = time.time_ns() // 1_000_000 % 10**8 * 10**10
    done = subprocess.run(
        [
            wheel_binaries().program("pgbench"), "-n", "-M", "prepared", "-c", str(limit.clients), "-j", "2",
            "-T", str(seconds), "-D", f"base={base}", "-D", "n=0", "-f", str(SCRIPTS / limit.script),
            "-h", str(house.server.sockets), "-p", "5432", "-U", "postgres", DATABASE,
        ],
        env=clean_environment(os.environ) | {"PGPASSFILE": str(pass_file(house.places, "postgres"))},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return rate_in(done.stdout, done.stderr)


def rate_in(said: str, why: str = "") -> float:
    """Transactions a second. A run that was cut short prints none, and counts as a failure."""
    found = re.search(r"^tps = ([0-9.]+) \(without initial connection time\)", said, re.MULTILINE)
    if found is None or "aborted" in why:
        raise NotCarriedOut(f"pgbench gave no rate: {why.strip()[-500:]}")
    return float(found[1])
