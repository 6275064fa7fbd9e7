"""What an evening is made of: rounds, marks, cards and coin-ins elsewhere, for the plans of `choose`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.oracle.floor import OPEN, Floor
from tests.oracle.house import FURTHER, HANDS
from tests.oracle.ledger import Round

Act = dict[str, Any]
EXECUTIVES = ("exec1", "exec2", "exec3")
PARTS = ("royal", "royal", "straight", "straight", "five")
BY_CARD = ("T-1", "T-2", "T-3", "T-5", "T-6", "T-7")


class Turns:
    """Chooses by chance alone, so that the same seed leads to the same evening."""

    def __init__(self, floor: Floor, chance: Random) -> None:
        self.floor, self.chance = floor, chance

    def terms(self, jackpot: str) -> Act:
        """Of another season: what feeds the meter, what it begins with, and how a part is rounded."""
        sheet = self.floor.ledgers[jackpot].sheet
        rate = self.chance.choice(["12", "9.5", "11"] if jackpot == "MIDI" else ["61", "55.5", "70", "33"])
        seed = self.chance.choice([0, 25]) + sheet.seed // 10**8
        rounding = "down" if sheet.rounding == "half_up" else "half_up"
        return {"do": "terms", "jackpot": jackpot, "seed": f"{seed}.00", "rate": rate, "rounding": rounding}

    def cleared(self) -> Iterator[Act]:
        """Nothing is half done any more: what is open is rejected or, where marks are closed by the key, run."""
        yield from self.wake()
        for place in self.open_places():
            yield {"do": "confirm", "table": place[0], "back": self.back(place)}
            yield self.rejected(place)

    def rejected(self, place: Round) -> Act:
        """What two people opened, two people reject."""
        act: Act = {"do": "reject", "table": place[0], "back": self.back(place)}
        claimed = any(hit.claimed for hit in self.floor.at(place, *OPEN))
        return {**act, "at": "desk", "two": True} if claimed else act

    def begun(self, table: str) -> Iterator[Act]:
        """A round is open: the running one, or the next."""
        place = self.floor.open_round(table)
        if place is not None and (self.floor.at(place, *OPEN) or self.chance.random() < 0.4):
            return
        if place is not None:
            yield {"do": "end", "table": table, "back": 0}
        yield {"do": "coin_in", "table": table, "back": 0, **self.chips(table)}

    def marked(
        self, table: str, times: int, hands: tuple[str, ...] = HANDS, *, taken_back: bool = False
    ) -> Iterator[Act]:
        for _ in range(times):
            place = self.floor.open_round(table)
            seats = self.floor.rounds[place].everybody if place is not None else ()
            seat = self.chance.choice(seats) if seats else 1
            told = {"table": table, "back": 0, "seat": seat, "hand": self.chance.choice(hands)}
            yield {"do": "mark", **told}
            if taken_back:
                yield from self.elsewhere()
                yield {"do": "unmark", **told}
                if self.chance.random() < 0.5:
                    yield {"do": "recount", "table": table, "back": 0, **self.chips(table), "person": "super"}

    def approved(self, table: str, back: int) -> Iterator[Act]:
        """As many cards as the act needs, sometimes one too few or too low, at the table or at the desk."""
        people = self.chance.sample(EXECUTIVES, 2)
        if self.chance.random() < 0.5 and self.low(table, back):
            people.insert(0, "super")
        for person in people:
            act = {"do": "card", "table": table, "back": back, "person": person}
            if self.chance.random() < 0.3:
                act["at"] = "desk"
            if self.chance.random() < 0.15:  # the number is known, its person is not there
                yield {**act, "bare": True}
            yield act

    def low(self, table: str, back: int) -> bool:
        """A supervisor's card is tried below the sum from which two people sign."""
        place = (table, self.floor.tables[table].last - back)
        return bool(self.floor.at(place, "asked")) and self.floor.needed(place)[1] == 1

    def elsewhere(self, likely: float = 0.5) -> Iterator[Act]:
        """Coin-ins at another table while something is half done."""
        if self.chance.random() < likely:
            table = self.chance.choice([name for name in sorted(self.floor.tables) if self.is_free(name)] or ["T-5"])
            if self.floor.open_round(table) is not None:
                yield {"do": "end", "table": table, "back": 0}
            yield {"do": "coin_in", "table": table, "back": 0, **self.chips(table)}
        if self.chance.random() < 0.1:
            yield {"do": "void", "table": self.table(), "back": self.chance.choice([0, 1]), "person": "super"}

    def is_free(self, table: str) -> bool:
        """Nothing is half done there."""
        place = self.floor.open_round(table)
        return not self.floor.tables[table].key and (place is None or not self.floor.at(place, *OPEN))

    def open_places(self) -> list[Round]:
        places = sorted({hit.place for hit in self.floor.hits if hit.state in OPEN})
        return self.chance.sample(places, len(places))

    def back(self, place: Round) -> int:
        return self.floor.tables[place[0]].last - place[1]

    def table(self, *among: str) -> str:
        return self.chance.choice(among or ("T-1", "T-2", "T-2", "T-3", "T-3", "T-4", "T-5", "T-6", "T-7"))

    def hand(self) -> str:
        return self.chance.choice(HANDS)

    def chips(self, table: str) -> dict[str, Any]:
        """Who plays: of each wager of the table other seats."""
        further = {wager: seats for wager in FURTHER.get(table, {}) if (seats := self.seats())}
        return {"seats": self.seats(), **({"further": further} if further else {})}

    def seats(self) -> list[int]:
        return sorted(self.chance.sample(range(1, 8), self.chance.choice([0, 1, 2, 3, 4, 5, 5, 6, 7, 7, 7])))
