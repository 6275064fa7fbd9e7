"""The chips that are counted apart: those of a table, and where it takes several wagers those of each."""

from __future__ import annotations


def pile_name(table_code: str, wager: str) -> str:
    """The first wager's chips are called by their table alone."""
    return f"{table_code} {wager}" if wager else table_code


def pile_of(name: str) -> tuple[str, str]:
    """The table and the further wager that a pile is called by; neither code has a space."""
    table_code, _, wager = name.partition(" ")
    return table_code, wager
