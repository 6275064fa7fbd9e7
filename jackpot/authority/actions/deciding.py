"""Other authority as a kind of request: what a second signature makes of a house or a card, and what can still fall."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar

from jackpot.authority.actions.asking import let_settings_go, sign_settings
from jackpot.authority.actions.level import let_level_go, sign_level
from jackpot.authority.actions.requests import VERBS, check_person, lock_house
from jackpot.authority.models import AUTHORITY, AuthorityChange
from jackpot.books import events
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.signing.actions.approver import SecondPerson
from jackpot.signing.actions.deciding import decided, note
from jackpot.signing.actions.kinds import ComparedValue, RequestKind


@dataclass(frozen=True, slots=True)
class LockedHouse:
    """A house in which no swipe is under way, with the time and the gaming day of its books."""

    premises: Property
    moment: datetime
    day: date


class ChangeAuthority(RequestKind[AuthorityChange]):
    """What takes authority away counts from the second signature on, the rest from the next gaming day."""

    code, name, model = AUTHORITY, "Authority", AuthorityChange
    may_ask: ClassVar[frozenset[str]] = frozenset(VERBS)
    may_sign: ClassVar[frozenset[str]] = frozenset(VERBS)
    follows = ("whose__operator",)

    @contextmanager
    def lock(self, row: AuthorityChange) -> Iterator[LockedHouse]:
        # The jackpots of the house too: a swipe under way ends by the old authority, the next one begins by the other.
        yield LockedHouse(*lock_house(row.premises))

    def sign(self, scene: LockedHouse, row: AuthorityChange, approver: SecondPerson, *, seen: bool) -> None:  # noqa: ARG002  each kind takes what it needs
        house, moment, day = scene.premises, scene.moment, scene.day
        # A change is of one card or of the settings, never of both: each locks and waits in rows of its own.
        steps = sign_level(row, moment, day) if row.whose_id else sign_settings(house, row, moment, day)
        decided(row, approver, moment)
        row.steps = [step.plain() for step in steps]
        row.save()
        counts = {step.setting: str(step.day or "at once") for step in steps}
        note(self, row, approver.operator, "approve", counts=counts, changes=[str(each) for each in row.differs])

    def let_go(self, scene: LockedHouse, row: AuthorityChange) -> None:
        """What waits only gives authority, so one person is enough to let it fall. What counts already stays."""
        house, moment, day = scene.premises, scene.moment, scene.day
        gone = let_level_go(row, day) if row.whose_id else let_settings_go(house, row, moment, day)
        if not gone:
            why_not = f"All of change {row.number} counts already. Ask for another change."
            raise NotAllowedNow(why_not, "in_force")
        row.fallen = {**row.fallen, **dict.fromkeys(gone)}

    def check_person(self, row: AuthorityChange, who: Operator) -> None:
        check_person(who, row.premises)

    def check_signer(self, row: AuthorityChange, approver: SecondPerson) -> None:
        # Behind the check that asker and signer differ: the owner of the card gains by it, whoever of the two asked.
        if row.whose is not None and row.whose.operator_id == approver.operator.pk:
            raise NotAllowed("Nobody raises a card of their own. Another person signs this.", "own_card")

    def compared(self, row: AuthorityChange) -> list[ComparedValue]:
        return [ComparedValue(each.label, each.was, each.becomes) for each in row.differs]

    def subject(self, row: AuthorityChange) -> str:
        return f"card {row.whose.last_four}" if row.whose else row.premises.code

    def plain(self, row: AuthorityChange) -> dict[str, Any]:
        return {"change": row.number, **({"fallen": sorted(row.fallen)} if row.fallen else {})}

    def announce(self, row: AuthorityChange) -> None:
        events.notify(f"authority {row.premises.code}")
