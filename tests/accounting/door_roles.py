"""Which roles come in together, by what they do; the doors name these sets."""

from __future__ import annotations

from typing import Final

ANYONE: Final = "anyone"
BOOKS: Final = frozenset({"supervisor", "executive", "accountant", "surveillance", "operator", "auditor", "regulator"})
TRAIL: Final = frozenset({"executive", "accountant", "surveillance", "auditor", "regulator", "administrator"})
PIT: Final = BOOKS | {"technician"}
RUNS: Final = frozenset({"supervisor", "executive", "operator"})
APPROVES: Final = frozenset({"supervisor", "executive"})
PEOPLE: Final = frozenset({"administrator"})
ASKS: Final = frozenset({"supervisor", "executive", "accountant", "operator"})
SLIPS: Final = BOOKS | {"cage"}
PRINTS: Final = APPROVES | {"cage", "accountant"}
SERVICE: Final = frozenset({"technician", "administrator"})
ASKS_TERMS: Final = frozenset({"executive", "accountant", "operator", "administrator"})  # and signs them
EVERYBODY: Final = frozenset(
    {
        "dealer", "supervisor", "executive", "accountant", "count-team", "cage", "technician", "surveillance",
        "operator", "auditor", "regulator", "administrator",
    }
)  # fmt: skip
STANDS_BY: Final = PRINTS | {"surveillance", "regulator"}
CLOSES: Final = frozenset({"accountant", "executive"})
OPEN: Final = EVERYBODY | {ANYONE}
