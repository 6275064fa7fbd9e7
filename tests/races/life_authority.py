"""Who may approve what, changed by two people while hits are open: less at once, more not before tomorrow."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from jackpot.authority.actions import asking, level
from jackpot.authority.models import AuthorityChange
from jackpot.property.models.property import Property
from jackpot.signing.actions import SecondPerson, sign
from tests.races.life_checks import whole
from tests.races.life_machine import TABLES
from tests.races.life_scene import attempt
from tests.races.life_wagers import SecondWagers

WISHES: list[dict[str, Any]] = [
    {"executive_threshold": "4000.00"}, {"executive_threshold": "900.00"}, {"executive_threshold": "9000.00"},
    {"dual_threshold": "9000.00"}, {"dual_threshold": "2500.00"}, {"dual_threshold": "never"},
    {"dual_threshold": "30000.00"}, {"both_need_level": "yes"}, {"both_need_level": "no"},
]  # fmt: skip


class AuthorityMoves(SecondWagers):
    """The sums and the people that an act needs, as two people left them."""

    @rule(table=TABLES, wished=st.tuples(st.sampled_from(WISHES), st.sampled_from(WISHES)), opens=st.booleans())
    def authority_moves(self, table: str, wished: tuple[dict[str, Any], dict[str, Any]], opens: bool) -> None:
        """One asks, another signs; a hit that is open meanwhile is judged by the stricter of then and now."""
        if opens:
            self.coin_in(table, "1234567")
            self.several_are_hit(table, "245", "community")
            self.confirm(table, "dealer")
            self.card(table, "supervisor")
        asker, signer = self.house.signers
        told = {**wished[0], **wished[1]}
        change = attempt(
            asking.ask, premises=Property.objects.get(), wished=told, reason="a careful season", by=asker
        )  # fmt: skip
        if change is None:
            return
        assert attempt(sign, request_id=change.pk, approver=SecondPerson(asker)) is None, "one person signed twice"
        self.signed_by_two(attempt(sign, request_id=change.pk, approver=SecondPerson(signer)))
        if opens:
            for person in ("supervisor", "executive", "second"):
                self.card(table, person)

    @rule()
    def a_card_is_raised(self) -> None:
        """Two people make the supervisor an executive: from the next gaming day on, so nothing changes tonight."""
        card, (asker, signer) = self.card_of("supervisor"), self.house.signers
        change = attempt(level.ask_level, card=card, level="executive", reason="a new shift manager", by=asker)
        if change is not None and attempt(sign, request_id=change.pk, approver=SecondPerson(signer)):
            self.tally("card raised")
            assert self.card_of("supervisor").level_on(self.house.premises.gaming_day(change.previewed_at)) == 2

    def signed_by_two(self, change: AuthorityChange | None) -> None:
        if change is None:
            return
        assert change.decided_at is not None, "whatever two people signed has its moment"
        for setting, wished in change.after.items():
            stricter = self.is_stricter(setting, wished, change.decided_at)
            at_once = [step.day is None for step in change.signed_steps if step.setting == setting]
            assert at_once == [stricter], f"{setting} {wished} counts {'at once' if stricter else 'tomorrow'}"
            if stricter:
                self.tally("authority taken at once")
                self.authority.append((change.decided_at, setting, wished))
            else:
                self.tally("authority given, not yet")

    def is_stricter(self, setting: str, wished: Any, at: datetime) -> bool:
        """What lets fewer acts through than what is in force."""
        now = self.needs_at(at)
        match setting:
            case "executive_threshold":
                return whole(wished) < now.executive
            case "dual_threshold":
                return wished is not None and (now.dual is None or whole(wished) < now.dual)
            case _:
                return bool(wished)
