"""How long a connection waits, by its use. Nothing here imports Django: the settings and the launcher read it too.

A machine that vanishes says no word, so a line is given up by the kernel after some eight seconds; a lock or a
statement is given up by the database, with an error that says so. A wait for a synchronous standby is ended by neither:
for that each door has a limit of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

USE: Final = "FAIRMETER_USE"  # set by who starts a process
SECONDS_TO_CONNECT: Final = 3

# A dead host is noticed while something is under way (user timeout) and while nothing is (keep-alive).
OVER_TCP: Final[Mapping[str, int]] = {
    "connect_timeout": SECONDS_TO_CONNECT,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 8_000,
}


class Deadlines(NamedTuple):
    """In milliseconds; 0 waits for ever."""

    statement: int = 0
    lock: int = 0
    idle_in_transaction: int = 0

    @property
    def settings(self) -> dict[str, int]:
        return {
            "statement_timeout": self.statement,
            "lock_timeout": self.lock,
            "idle_in_transaction_session_timeout": self.idle_in_transaction,
        }


BY_USE: Final[Mapping[str, Deadlines]] = {
    "web": Deadlines(statement=60_000, lock=5_000, idle_in_transaction=60_000),
    "worker": Deadlines(statement=600_000, lock=30_000, idle_in_transaction=600_000),
    "listen": Deadlines(statement=5_000, lock=2_000, idle_in_transaction=5_000),
    "command": Deadlines(),  # migrations, proofs and backups take as long as they take
}
BATCH: Final = Deadlines(statement=15_000, lock=1_000, idle_in_transaction=15_000)


def connection_options(given: Mapping[str, Any], use: str) -> dict[str, Any]:
    """What libpq is told besides; whatever the address itself says has the last word."""
    options = f"{limits_of(use)} {given.get('options', '')}".strip()  # of two the server obeys the later one
    return {**OVER_TCP, **given, **({"options": options} if options else {})}


def limits_of(use: str) -> str:
    """As the server reads them when a connection begins."""
    return " ".join(f"-c {name}={value}" for name, value in BY_USE[use].settings.items() if value)


def as_statements(limits: Deadlines) -> str:
    """For a connection that changes its use."""
    return "; ".join(f"SET {name} = {value}" for name, value in limits.settings.items())


def nearest_first(hosts: str, ports: str, good: tuple[str, str] | None) -> tuple[str, str]:
    """The hosts of an address with several, the one that answered last before all others: a dead one costs nothing."""
    names = hosts.split(",")
    numbers = ports.split(",") if "," in ports else [ports] * len(names)
    if len(names) < 2 or len(names) != len(numbers):
        return hosts, ports
    pairs = list(zip(names, numbers, strict=True))
    ordered = sorted(pairs, key=lambda pair: pair != good)
    return ",".join(name for name, _ in ordered), ",".join(number for _, number in ordered)
