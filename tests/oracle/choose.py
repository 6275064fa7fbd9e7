"""What happens next: acts in any order that boxes and people can bring about, mostly where it means something."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from tests.oracle.house import HANDS, OPENINGS
from tests.oracle.rests import Rests
from tests.oracle.turns import BY_CARD, PARTS, Act

OFTEN = os.environ.get("FAIRMETER_ORACLE_OFTEN", "")  # the plan that a walk is for
QUEUED = ("T-1", "T-2", "T-3", "T-6")  # they feed one jackpot


class Chooser(Rests):
    """Chooses by chance alone, so that the same seed leads to the same evening."""

    def acts(self) -> Iterator[Act]:
        plans: list[tuple[int, Callable[[], Iterator[Act]]]] = [
            (22, self.play), (10, self.collide), (8, self.win), (8, self.settle), (5, self.key), (5, self.undo),
            (4, self.after), (4, self.office), (5, self.wrong), (3, self.correct), (2, self.aside), (3, self.wake),
            (5, self.board), (6, self.season), (3, self.crossed), (3, self.second_thoughts), (3, self.shares),
            (2, self.moved), (4, self.hurried), (4, self.lit), (4, self.beside), (3, self.high_by_key),
            (3, self.let_pass), (3, self.in_error), (3, self.both_whole), (5, self.short_paid),
        ]  # fmt: skip
        while True:
            weights = [weight * (8 if plan.__name__ == OFTEN else 1) for weight, plan in plans]
            (plan,) = self.chance.choices([plan for _, plan in plans], weights)
            yield from plan()

    # The plans

    def play(self) -> Iterator[Act]:
        """Rounds without a hit, which raise the meters."""
        table = self.table()
        yield from self.begun(table)
        if self.chance.random() < 0.7:
            yield {"do": "end", "table": table, "back": 0}

    def win(self) -> Iterator[Act]:
        """Hits at one table, from the marks to the award."""
        table = self.table(*BY_CARD)
        yield from self.begun(table)
        yield from self.marked(table, self.chance.choice([1, 1, 2, 2, 3]))
        yield {"do": "confirm", "table": table, "back": 0}
        yield from self.elsewhere()
        if self.chance.random() < 0.8:
            yield from self.approved(table, 0)

    def collide(self) -> Iterator[Act]:
        """Hits at two or three tables before any is settled; marks that are taken back; overrides."""
        tables = self.chance.sample(QUEUED, self.chance.choice([2, 2, 3]))
        for table in tables:
            yield from self.begun(table)
            yield from self.elsewhere()
            if self.chance.random() < 0.4:
                yield from self.marked(table, 1, taken_back=True)
        for table in self.chance.sample(tables, len(tables)):
            if self.chance.random() < 0.4:
                yield from self.marked(table, 1, hands=("house", "house", "community", "four"))
                yield from self.elsewhere(likely=0.9)
            yield from self.marked(table, 1, hands=PARTS)
            yield from self.elsewhere()
            if self.chance.random() < 0.8:
                yield {"do": "confirm", "table": table, "back": 0}
        if self.chance.random() < 0.35:
            yield {"do": "pass", "table": tables[-1], "back": 0}
            if self.chance.random() < 0.2:
                yield {"do": "rejoin", "table": tables[-1], "back": 0}
        for table in self.chance.sample(tables, self.chance.randint(0, len(tables))):
            yield from self.approved(table, 0)
            yield from self.elsewhere()

    def let_pass(self) -> Iterator[Act]:
        """Whom two people let pass is settled first, also where the cards come to the other one before."""
        yield from self.cleared()
        earlier, later = self.chance.sample(QUEUED, 2)
        for each in (earlier, later):
            yield from self.begun(each)
            yield from self.marked(each, 1, hands=PARTS)
            yield from self.elsewhere()
            yield {"do": "confirm", "table": each, "back": 0}
        yield {"do": "pass", "table": later, "back": 0}
        yield from self.approved(earlier, 0)
        if self.chance.random() < 0.3:
            yield {"do": "rejoin", "table": later, "back": 0}
        for each in (later, earlier):
            yield from self.approved(each, 0)

    def both_whole(self) -> Iterator[Act]:
        """Two hits of the whole meter wait, with chips before and after each mark: a reset before a frozen point."""
        yield from self.cleared()
        hand, tables = self.chance.choice([("royal", QUEUED), ("royal", QUEUED), ("straight", ("T-2", "T-3"))])
        two = self.chance.sample(tables, 2)
        for each in two:
            yield from self.begun(each)
            yield from self.marked(each, 1, hands=(hand,))
            for _ in range(2):
                yield from self.elsewhere(likely=0.9)
            yield {"do": "confirm", "table": each, "back": 0}
        for each in two:
            yield from self.approved(each, 0)

    def board(self) -> Iterator[Act]:
        """A hand of the board: every seat that played has it."""
        table = self.table(*BY_CARD)
        yield from self.begun(table)
        place, hand = self.floor.open_round(table), self.chance.choice(["community", "community", "four", "two"])
        for seat in () if place is None else self.floor.rounds[place].everybody:
            yield {"do": "mark", "table": table, "back": 0, "seat": seat, "hand": hand}
        yield {"do": "confirm", "table": table, "back": 0}
        yield from self.approved(table, 0)

    def shares(self) -> Iterator[Act]:
        """The highest hand at several seats of one round: in turn or in equal shares, with odd cents and lower rows."""
        table = self.table(*BY_CARD)
        yield from self.begun(table)
        place, hand = self.floor.open_round(table), self.chance.choice(["royal", "straight"])
        seats = () if place is None else self.floor.rounds[place].everybody
        for seat in self.chance.sample(seats, min(len(seats), self.chance.choice([2, 2, 3]))):
            yield {"do": "mark", "table": table, "back": 0, "seat": seat, "hand": hand}
        if self.chance.random() < 0.3:
            yield from self.marked(table, 1)
        yield {"do": "confirm", "table": table, "back": 0}
        yield from self.approved(table, 0)

    def moved(self) -> Iterator[Act]:
        """All that a jackpot holds goes to another, and most of it comes back."""
        for _ in range(3):
            yield {"do": "end", "table": "T-1", "back": 0}
            yield {"do": "coin_in", "table": "T-1", "back": 0, "seats": list(range(1, 8))}
        yield from self.cleared()
        one, other = self.chance.choice([("GRAND", "TWIN"), ("GRAND", "TWIN"), ("TWIN", "GRAND")])
        yield {"do": "transfer", "jackpot": one, "other": other, "amount": ""}
        yield {"do": "transfer", "jackpot": other, "other": one, "amount": "19000.00"}

    def season(self) -> Iterator[Act]:
        """Other terms come in force by a reset while a round still plays by the older ones."""
        yield from self.cleared()
        jackpot, hand = self.chance.choice([("GRAND", "royal"), ("MIDI", "straight")])
        if self.floor.ledgers[jackpot].sheet.limit is None:
            yield self.terms(jackpot)
        older, table = self.chance.sample(["T-2", "T-3"], 2)
        for each in (older, table):
            yield from self.begun(each)
        yield from self.marked(table, 1, hands=(hand,))
        yield {"do": "confirm", "table": table, "back": 0}
        yield from self.approved(table, 0)
        yield from self.marked(older, 1, hands=("five", "five", "straight", "royal"))
        yield {"do": "confirm", "table": older, "back": 0}
        yield from self.approved(older, 0)

    def crossed(self) -> Iterator[Act]:
        """Between J-POT and RUN of a fixed award an earlier part is paid elsewhere."""
        yield from self.cleared()
        table = self.table("T-1", "T-2", "T-3")
        for each in (table, "T-4"):
            yield from self.begun(each)
            yield from self.marked(each, 1, hands=PARTS if each == table else ("four", "four", "house", "two"))
        yield {"do": "confirm", "table": table, "back": 0}
        key = self.chance.choice(["17", "18"])
        yield {"do": "key", "table": "T-4", "key": key, "position": "JPH"}
        yield {"do": "j_pot", "table": "T-4"}
        yield from self.approved(table, 0)
        yield {"do": "key", "table": "T-4", "key": key, "position": "RUN"}

    def second_thoughts(self) -> Iterator[Act]:
        """A mark is taken back, another table marks, and then the first table marks another hand: it comes second."""
        yield from self.cleared()
        first, other = self.chance.sample(QUEUED, 2)
        for each in (first, other):
            yield from self.begun(each)
        yield from self.marked(first, 1, hands=PARTS, taken_back=True)
        yield from self.elsewhere()
        for each in (other, first):
            yield from self.marked(each, 1, hands=PARTS)
            yield from self.elsewhere()
            yield {"do": "confirm", "table": each, "back": 0}
        for each in (first, other):
            yield from self.approved(each, 0)

    def hurried(self) -> Iterator[Act]:
        """Rounds faster than a table can deal while a hit is open elsewhere: accepted or not, before or after it."""
        other, table = self.chance.choice(QUEUED), self.chance.choice((*QUEUED, "T-4"))
        if table == other:
            return
        yield from self.begun(other)
        yield from self.marked(other, 1, hands=PARTS)
        for _ in range(self.chance.choice([1, 2, 3])):
            yield {"do": "end", "table": table, "back": 0}
            yield {"do": "coin_in", "table": table, "back": 0, **self.chips(table), "early": True}
        yield {"do": "confirm", "table": other, "back": 0}
        yield from self.marked(table, 1)
        decided = [{"do": self.chance.choice(["accept", "accept", "refuse"]), "table": table}]
        if self.chance.random() < 0.5:
            yield from decided
            yield from self.marked(table, 1)
        yield from self.approved(other, 0)
        yield from decided
        if self.chance.random() < 0.4:
            yield {"do": "void", "table": table, "back": self.chance.choice([0, 1]), "person": "super"}

    def lit(self) -> Iterator[Act]:
        """Key profile: hand keys pressed alone, seats said by the pit, then others, before or after JPH."""
        yield from self.begun("T-4")
        hands = self.chance.sample(HANDS, self.chance.choice([1, 1, 2]))
        for hand in hands:
            yield {"do": "mark", "table": "T-4", "back": 0, "seat": 0, "hand": hand}
            yield from self.elsewhere(likely=0.8)
        turned = {"do": "key", "table": "T-4", "key": self.chance.choice(["17", "18"])}
        if self.chance.random() < 0.5:
            yield {**turned, "position": "JPH"}
        if self.chance.random() < 0.2:
            yield {"do": "unmark", "table": "T-4", "back": 0, "seat": 0, "hand": hands[0]}
        for hand in [*hands, *self.chance.sample(hands, self.chance.randint(0, len(hands)))]:
            place = self.floor.open_round("T-4")
            plays = () if place is None else self.floor.rounds[place].everybody
            seats = sorted(self.chance.sample(plays, min(len(plays), self.chance.choice([1, 1, 2, 3]))))
            yield {"do": "seats", "table": "T-4", "back": 0, "hand": hand, "seats": seats}
            yield from self.elsewhere()
        yield {**turned, "position": "JPH"}
        yield {"do": "j_pot", "table": "T-4"}
        if self.chance.random() < 0.6:
            yield from self.approved("T-4", 0)
        yield {**turned, "position": "RUN"}

    def beside(self) -> Iterator[Act]:
        """Two wagers of one table, of different seats: each wins on the jackpots of the wager it played."""
        yield {"do": "end", "table": "T-6", "back": 0}
        chips = self.chips("T-6")
        yield {"do": "coin_in", "table": "T-6", "back": 0, **chips}
        if self.chance.random() < 0.5:
            yield from self.begun("T-7")
            yield from self.marked("T-7", 1, hands=("royal", "five", "four"))
            yield {"do": "confirm", "table": "T-7", "back": 0}
        for seat in self.chance.sample(range(1, 8), 3):
            hand = self.chance.choice(["royal", "royal", "five", "four", "house"])
            yield {"do": "mark", "table": "T-6", "back": 0, "seat": seat, "hand": hand}
        yield {"do": "confirm", "table": "T-6", "back": 0}
        yield from self.elsewhere()
        for table in self.chance.sample(["T-6", "T-7"], 2):
            yield from self.approved(table, 0)

    def settle(self) -> Iterator[Act]:
        """Whatever is open is asked for, approved or rejected."""
        for place in self.open_places():
            table, back = place[0], self.back(place)
            if self.floor.tables[table].profile == "key" and back == 0 and not self.floor.rounds[place].parked:
                yield from self.key()
                continue
            yield {"do": "confirm", "table": table, "back": back}
            if self.chance.random() < 0.8:
                yield from self.approved(table, back)
            if self.chance.random() < 0.3:
                yield self.rejected(place)

    def key(self) -> Iterator[Act]:
        """The key at T-4: half-way states stay half-way when chance says so."""
        key = self.chance.choice(["17", "18", "18"])
        if not self.floor.tables["T-4"].key:
            yield from self.begun("T-4")
            yield from self.marked("T-4", self.chance.choice([0, 1, 1, 2]))
        yield {"do": "key", "table": "T-4", "key": self.floor.tables["T-4"].key or key, "position": "JPH"}
        yield from self.elsewhere()
        for _ in range(self.chance.choice([0, 1, 1, 2])):
            yield {"do": "j_pot", "table": "T-4"}
        if self.chance.random() < 0.6:
            yield from self.approved("T-4", 0)
        if self.chance.random() < 0.15:  # what J-POT fixed is backed out before the meter moved
            yield {"do": "back_out", "which": 0}
        if self.chance.random() < 0.5:
            yield from self.elsewhere()
        if self.chance.random() < 0.8:
            yield {"do": "key", "table": "T-4", "key": self.floor.tables["T-4"].key or key, "position": "RUN"}

    def high_by_key(self) -> Iterator[Act]:
        """So much that one executive's card approves it: the key asks, whoever holds it."""
        yield from self.cleared()
        yield {"do": "end", "table": "T-4", "back": 0}
        seats = sorted(self.chance.sample(range(1, 8), self.chance.choice([2, 2, 3, 4])))
        yield {"do": "coin_in", "table": "T-4", "back": 0, "seats": seats}
        for seat in seats:
            yield {"do": "mark", "table": "T-4", "back": 0, "seat": seat, "hand": "community"}
        key = self.chance.choice(["17", "18", "18"])
        yield {"do": "key", "table": "T-4", "key": key, "position": "JPH"}
        yield {"do": "j_pot", "table": "T-4"}
        yield from self.elsewhere()
        if self.chance.random() < 0.6:
            yield from self.approved("T-4", 0)
        yield {"do": "key", "table": "T-4", "key": key, "position": "RUN"}

    def undo(self) -> Iterator[Act]:
        """Voids of this round or an earlier one; back-outs of wins, paid or not, mostly when nothing is open."""
        if self.chance.random() < 0.5:
            yield {"do": "void", "table": self.table(), "back": self.chance.choice([0, 0, 1, 2]), "person": "super"}
        if self.floor.wins() and self.chance.random() < 0.7:
            if self.chance.random() < 0.6:
                yield from self.cleared()
            yield {"do": "back_out", "which": self.chance.randint(0, 4)}

    def in_error(self) -> Iterator[Act]:
        """A slip is paid and its win backed out: what was paid falls to the house."""
        yield from self.cleared()
        which = self.chance.randint(0, 3)
        for act in ("pay", "back_out") if self.floor.wins() else ():
            yield {"do": act, "which": which}

    def correct(self) -> Iterator[Act]:
        table = self.table()
        yield {"do": "recount", "table": table, "back": 0, **self.chips(table), "person": "super"}

    def after(self) -> Iterator[Act]:
        """Slips are paid, once."""
        for _ in range(self.chance.choice([1, 2])) if self.floor.wins() else ():
            yield {"do": "pay", "which": self.chance.randint(0, 5)}

    def aside(self) -> Iterator[Act]:
        """A hit is parked and settled later; a hand is claimed after the end."""
        table = self.table(*BY_CARD)
        if self.chance.random() < 0.5:
            yield from self.begun(table)
            yield from self.marked(table, 1, hands=PARTS)
            yield {"do": "park", "table": table, "back": 0, "person": self.chance.choice(["exec1", "super"])}
        else:
            yield from self.claimed(table)
        yield from self.begun(table)

    def claimed(self, table: str) -> Iterator[Act]:
        """Most often of a seat that played; then it is approved, rejected, or still waits while others play."""
        back = self.chance.choice([0, 1])
        yield {"do": "end", "table": table, "back": 0}
        played = self.floor.rounds.get((table, self.floor.tables[table].last - back))
        seats = played.everybody if played is not None and self.chance.random() < 0.8 else ()
        seat = self.chance.choice(seats or range(1, 8))
        yield {"do": "claim", "table": table, "back": back, "seat": seat, "hand": self.hand()}
        yield from self.elsewhere()
        if self.chance.random() < 0.5:
            yield from self.approved(table, back)
        elif self.chance.random() < 0.5 and played is not None:
            yield self.rejected((table, self.floor.tables[table].last - back))

    def office(self) -> Iterator[Act]:
        """Acts of two people on a jackpot, and other terms for the next reset."""
        if self.chance.random() < 0.7:
            yield from self.cleared()
        codes = sorted(OPENINGS)
        jackpot, name = (
            self.chance.choice(codes),
            self.chance.choice(["adjust", "adjust", "transfer", "state", "terms"]),
        )
        cents = self.chance.choice([self.chance.randint(1, 50_000), -self.chance.randint(1, 30_000), -2_500_000])
        amount = f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"
        if name == "adjust":
            yield {"do": "adjust", "jackpot": jackpot, "account": self.chance.choice(["meter", "meter", "reserve"]),
                   "amount": amount}  # fmt: skip
        elif name == "transfer":
            one, other = self.chance.sample(["GRAND", "TWIN"], 2)
            part = self.chance.choice(["", amount.lstrip("-")])
            yield {"do": "transfer", "jackpot": one, "other": other, "amount": part}
        elif name == "state":
            yield {"do": "suspend", "jackpot": jackpot}
            yield from self.play()
            yield {"do": "resume", "jackpot": jackpot}
            if jackpot == "TWIN" and self.chance.random() < 0.1:
                yield {"do": "retire", "jackpot": jackpot}
        elif self.floor.ledgers[jackpot].sheet.limit is None:
            yield self.terms(jackpot)

    def wrong(self) -> Iterator[Act]:
        """What the rule refuses, wherever it comes."""
        table, seat = self.table(), self.chance.randint(1, 7)
        yield self.chance.choice([
            {"do": "coin_in", "table": table, "back": self.chance.choice([-1, 0, 1, 2]), **self.chips(table)},
            {"do": "mark", "table": table, "back": self.chance.choice([0, 1]), "seat": seat, "hand": self.hand()},
            {"do": "unmark", "table": table, "back": 0, "seat": seat, "hand": self.hand()},
            {"do": "end", "table": table, "back": self.chance.choice([0, 1])},
            {"do": "reject", "table": table, "back": self.chance.choice([0, 1])},
            {"do": "card", "table": table, "back": self.chance.choice([0, 1]), "person": "exec1"},
            {"do": "key", "table": "T-4", "key": self.chance.choice(["17", "18"]), "position": "RUN"},
            {"do": "j_pot", "table": "T-4"},
            {"do": "park", "table": table, "back": 0, "person": "exec2"},
            {"do": "pass", "table": table, "back": self.chance.choice([0, 1])},
            {"do": "rejoin", "table": table, "back": self.chance.choice([0, 1])},
            {"do": "mark", "table": "T-4", "back": 0, "seat": 0, "hand": self.hand()},
            {"do": "seats", "table": "T-4", "back": self.chance.choice([0, 1]), "seats": self.seats(),
             "hand": self.hand()},
            {"do": self.chance.choice(["accept", "refuse"]), "table": table},
        ])  # fmt: skip

    def wake(self) -> Iterator[Act]:
        """What stands at JPH or suspended does not stand so for ever."""
        if self.floor.tables["T-4"].key:
            yield {"do": "key", "table": "T-4", "key": self.floor.tables["T-4"].key, "position": "RUN"}
        for ledger in list(self.floor.ledgers.values()):
            if ledger.state == "suspended":
                yield {"do": "resume", "jackpot": ledger.code}
