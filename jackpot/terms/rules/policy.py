"""The switches on which rule books differ, as data. A switch stands here once something obeys it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "overflow": ("next_meter", "revenue"),
    "overflow_at_reset": ("since_frozen", "all"),
    "freeze": ("mark", "approval"),
    "order": ("counter_clockwise", "clockwise", "equal_shares"),
    "shortfall": ("reserve_then_house", "house"),
    "row": ("highest", "never_less"),
    "dry_meter": ("stay", "restart"),
    "rate_rise": ("told", "refused"),
}
LATER: Final = frozenset(
    {"row", "dry_meter", "rate_rise"}
)  # written only where they say something: older versions keep their digests


class PolicyRefused(ValueError):
    """A switch that does not exist, or a value it does not have."""


@dataclass(frozen=True, slots=True)
class Policy:
    """One value per switch; the default is the first choice."""

    overflow: str = "next_meter"
    overflow_at_reset: str = "since_frozen"
    freeze: str = "mark"
    order: str = "counter_clockwise"
    shortfall: str = "reserve_then_house"
    row: str = "highest"
    dry_meter: str = "stay"
    rate_rise: str = "told"

    def __post_init__(self) -> None:
        for switch in fields(self):
            value = getattr(self, switch.name)
            if value not in CHOICES[switch.name]:
                known = ", ".join(CHOICES[switch.name])
                raise PolicyRefused(f"The switch “{switch.name}” cannot be “{value}”. Choose one of: {known}.")

    def plain(self) -> dict[str, Any]:
        return {
            name: value for name, value in self.switches().items() if name not in LATER or value != CHOICES[name][0]
        }

    def switches(self) -> dict[str, str]:
        """Every switch with its value."""
        return {switch.name: getattr(self, switch.name) for switch in fields(self)}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Policy:
        unknown = sorted(set(plain) - set(CHOICES))
        if unknown:
            raise PolicyRefused(f"“{unknown[0]}” is not a switch. Known: {', '.join(sorted(CHOICES))}.")
        return cls(**{name: str(value) for name, value in plain.items()})
