"""The way from an empty house to its first round: what stands, what is missing and how it is cured."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SHOWN: Final = 4


class StepState(enum.StrEnum):
    DONE = "done"
    MISSING = "missing"
    LATER = "can wait"


@dataclass(frozen=True, slots=True)
class HouseStep:
    """One step: its words say what stands or what is missing and how to cure it."""

    code: str
    title: str
    state: StepState
    words: str


@dataclass(frozen=True, slots=True)
class HouseFacts:
    """What a house has, counted and named."""

    premises: str
    administrators: Sequence[str]
    unmanned: Sequence[str]
    shifts: str
    tax: str
    printers: Sequence[str]
    jackpots: Sequence[str]
    openings_waiting: int
    tables: Sequence[str]
    tables_feeding_none: Sequence[str]
    jackpots_unshown: Sequence[str]
    signs: Sequence[str]
    tables_without_device: Sequence[str]
    devices_waiting: Sequence[str]
    rounds: int


def steps_of(facts: HouseFacts) -> list[HouseStep]:
    """In the order in which a new house is set up."""
    return [
        HouseStep("property", "Property", StepState.DONE, facts.premises),
        _people(facts),
        _later("shifts", "Shifts", facts.shifts, "None yet: win pages name no shift. Say when each begins."),
        _later("tax", "Tax rule", facts.tax, "None yet: windows pay gross and withhold nothing."),
        _later("printers", "Printers", listed(facts.printers), "None yet: pages go to the folder prints/."),
        _jackpots(facts),
        _needed("tables", "Tables", listed(facts.tables), "None yet. Set up twelve at once: T-01…T-12."),
        _links(facts),
        _signs(facts),
        _devices(facts),
        _first_round(facts),
    ]


def listed(names: Sequence[str]) -> str:
    """The first few by name, the rest as a number."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more}" if names else ""


def _needed(code: str, title: str, stands: str, cure: str) -> HouseStep:
    return HouseStep(code, title, StepState.DONE if stands else StepState.MISSING, stands or cure)


def _later(code: str, title: str, stands: str, cure: str) -> HouseStep:
    return HouseStep(code, title, StepState.DONE if stands else StepState.LATER, stands or cure)


def _people(facts: HouseFacts) -> HouseStep:
    who = listed(facts.administrators)
    # With one, nobody could be hired any more: roles are given by one and signed by another.
    if len(facts.administrators) < 2:
        cure = f"Only {who or 'nobody'} gives roles, and that takes two. Name a second in a casino file: load_casino."
        return HouseStep("people", "People", StepState.MISSING, cure)
    if facts.unmanned:
        words = f"{who} give roles. Nobody yet {listed(facts.unmanned)}: hire them before the first guest."
        return HouseStep("people", "People", StepState.LATER, words)
    return HouseStep("people", "People", StepState.DONE, f"{who} give roles, and every role has somebody.")


def _jackpots(facts: HouseFacts) -> HouseStep:
    waits = f"{facts.openings_waiting} of setting up wait for a second person." if facts.openings_waiting else ""
    if facts.jackpots:
        return HouseStep(
            "jackpots", "Jackpots", StepState.DONE, " ".join(filter(None, (listed(facts.jackpots), waits)))
        )
    return HouseStep(
        "jackpots", "Jackpots", StepState.MISSING, waits or "None yet. Ask for the first; another signs it."
    )


def _links(facts: HouseFacts) -> HouseStep:
    title = "Links and wagers"
    if not facts.tables:
        return HouseStep("links", title, StepState.MISSING, "There is no table yet that could feed a jackpot.")
    if facts.tables_feeding_none:
        words = f"{listed(facts.tables_feeding_none)}: no jackpot is fed. Choose one for each, or for all at once."
        return HouseStep("links", title, StepState.MISSING, words)
    return HouseStep("links", title, StepState.DONE, "Every table feeds a jackpot.")


def _signs(facts: HouseFacts) -> HouseStep:
    if facts.jackpots and not facts.jackpots_unshown:
        return HouseStep("signs", "Signs", StepState.DONE, listed(facts.signs))
    missing = f"{listed(facts.jackpots_unshown)}: shown nowhere." if facts.jackpots_unshown else "None yet."
    return HouseStep("signs", "Signs", StepState.LATER, f"{missing} A screen on the wall is a sign.")


def _devices(facts: HouseFacts) -> HouseStep:
    if not facts.tables:
        return HouseStep("devices", "Devices", StepState.MISSING, "There is no table yet that a device could stand at.")
    if facts.tables_without_device:
        words = f"{listed(facts.tables_without_device)}: no controller. One press gives every table one."
        return HouseStep("devices", "Devices", StepState.MISSING, words)
    if facts.devices_waiting:
        words = f"{listed(facts.devices_waiting)}: not enrolled yet. Print their codes and type them in at the box."
        return HouseStep("devices", "Devices", StepState.MISSING, words)
    return HouseStep("devices", "Devices", StepState.DONE, "Every table has a controller that is enrolled.")


def _first_round(facts: HouseFacts) -> HouseStep:
    if facts.rounds:
        return HouseStep("round", "First round", StepState.DONE, "A round was counted: the house is live.")
    words = "No round was counted yet. Press START at a controller, or at the console of a table."
    return HouseStep("round", "First round", StepState.MISSING, words)
