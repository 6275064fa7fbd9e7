"""Rounds that no table can have dealt so fast: kept back, then accepted or refused while hits are open elsewhere."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jackpot.people.models import Card, Operator
from tables.floor.models.table import Table
from tables.rounds.actions.kept_back import decide_kept_back
from tests.races.life_authority import AuthorityMoves
from tests.races.life_machine import FURTHER, HAND, SEATS, TABLES
from tests.races.life_scene import attempt

KEPT = st.runner().flatmap(lambda evening: st.sampled_from(sorted({table for table, _ in evening.kept})))


def shown(person: Operator) -> Card | None:
    """The card of who stands by, with the PIN that was given; nobody's, once it is locked or blocked."""
    cards = Card.objects.select_related("operator__premises").filter(operator=person)
    card = cards.filter(locked_at=None, blocked_at=None).first()
    if card is not None:
        card.pin_given = True
    return card


class KeptRounds(AuthorityMoves):
    """What is kept back raises no meter and wins nothing until somebody accepts it, by the terms of then."""

    @rule(table=TABLES, seats=SEATS, further=FURTHER, hand=HAND)
    def told_too_early(self, table: str, seats: str, further: str | None, hand: str) -> None:
        number, chips = self.ended(table) + 1, self.chips(table, seats, further)
        due, before = self.counts(table, chips), self.house.stands()
        assert self.house.say(table, self.round_of(table, number, seats, further), early=True) == due
        if not due:
            return
        if number == 1:  # nothing was played before it
            self.count(table, number, chips)
            return
        self.tally("kept back")
        self.kept[table, number] = chips
        assert self.house.stands() == before, "what is kept back raises no meter"
        self.mark(table, int(seats[0]), hand)
        assert not self.house.hits(table, number, "marked"), "nothing is won on what is kept back"

    @precondition(lambda self: self.kept)
    @rule(table=KEPT, accept=st.booleans(), second=st.booleans(), hand=HAND)
    def kept_is_decided(self, table: str, accept: bool, second: bool, hand: str) -> None:
        waiting = sorted(place for place in self.kept if place[0] == table)
        plays = {self.states[code] for place in waiting for code in self.kept[place]} == {"open"}
        people = self.house.people
        told = {"table_code": table, "accept": accept, "by": people["supervisor"], "why": "the box’s clock was wrong"}
        answer = attempt(decide_kept_back, **told, second=shown(people["second"]) if second else None)
        assert len(waiting) < Table.objects.get(code=table).most_in_ten, "an evening is shorter than ten minutes of it"
        assert bool(answer) == (plays or not accept), f"{waiting} accepted: {answer}"
        for place in waiting if answer else ():
            chips = self.kept.pop(place)
            self.tally("accepted" if accept else "refused")
            if accept:
                self.count(*place, chips)
        if answer and accept and self.open_round(table) == waiting[-1][1]:
            self.mark(table, min(self.players(*waiting[-1])), hand)
