"""What is asked for about a person, as it is kept with the request and told in a sentence."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, assert_never


class StaffAct(enum.StrEnum):
    HIRE = "hire"
    GIVE_ROLES = "give_roles"
    ISSUE_CARD = "issue_card"
    NEW_PASSWORD = "new_password"
    NEW_PIN = "new_pin"


@dataclass(frozen=True, slots=True)
class StaffWish:
    """One wish about one person. Of a card's number only its keyed hash and last four are in it."""

    act: StaffAct
    username: str
    name: str = ""
    roles: tuple[str, ...] = ()
    number_hash: str = ""
    last_four: str = ""
    level: str = ""
    expires_on: str = ""
    card: int = 0

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> StaffWish:
        return cls(**{**plain, "act": StaffAct(plain["act"]), "roles": tuple(plain.get("roles", ()))})

    def plain(self) -> dict[str, Any]:
        """Only what was said, for the request's payload."""
        said = {name: value for name, value in asdict(self).items() if value}
        return {**said, "act": self.act.value, **({"roles": list(self.roles)} if self.roles else {})}

    @property
    def gives_code(self) -> bool:
        """Once two people signed, one of them is shown a code for the person."""
        return self.act in (StaffAct.NEW_PASSWORD, StaffAct.NEW_PIN)

    def sentence(self) -> str:
        match self.act:
            case StaffAct.HIRE:
                return f"hire {self.name} ({self.username}) as {', '.join(self.roles)}"
            case StaffAct.GIVE_ROLES:
                return f"give {self.username} the roles {', '.join(self.roles)}"
            case StaffAct.ISSUE_CARD:
                return f"issue {self.username} card •••• {self.last_four}, {self.level}"
            case StaffAct.NEW_PASSWORD:
                return f"a one-time code for {self.username} to choose a password"
            case StaffAct.NEW_PIN:
                return f"a one-time code for {self.username} to choose the PIN of card •••• {self.last_four}"
            case _:
                assert_never(self.act)

    def compared(self) -> list[tuple[str, str, str]]:
        """Name, before, after: what it would change, for the page of the request."""
        match self.act:
            case StaffAct.HIRE:
                return [("Person", "not here", f"{self.name} ({self.username})"), ("Roles", "", ", ".join(self.roles))]
            case StaffAct.GIVE_ROLES:
                return [("Person", "", self.username), ("Roles given", "", ", ".join(self.roles))]
            case StaffAct.ISSUE_CARD:
                card = f"•••• {self.last_four}" + (f", until {self.expires_on}" if self.expires_on else "")
                level = "dealer at once" + (
                    "" if self.level == "dealer" else f", {self.level} from the next gaming day"
                )
                return [("Person", "", self.username), ("Card", "", card), ("Level", "", level)]
            case StaffAct.NEW_PASSWORD | StaffAct.NEW_PIN:
                what = "password" if self.act is StaffAct.NEW_PASSWORD else f"PIN of card •••• {self.last_four}"
                return [("Person", "", self.username), ("One-time code for", "", what)]
            case _:
                assert_never(self.act)
