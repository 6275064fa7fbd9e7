"""This game's procedures, irregularities and glossary, as its pack prints them."""

from pathlib import Path

from tables.games.procedure import ProcedureBook, load_glossary, load_procedures

PACKS = Path(__file__).parent / "packs"


def procedures() -> ProcedureBook:
    return load_procedures(PACKS / "procedure.toml")


def glossary() -> tuple[tuple[str, str, str], ...]:
    return load_glossary(PACKS / "glossary.toml")
