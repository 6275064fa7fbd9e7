"""Several wagers at one table: which of them are played in a round, by which seats, and whose meters that raises.

A table with one wager knows nothing of this: its seats stand on the round itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class FurtherSeats(NamedTuple):
    """What a controller says of one further wager: who has a chip on it, and its sensors."""

    code: str
    seats: str
    spots: str = ""


class FurtherFacts(NamedTuple):
    """A further wager as its table has it; the chip in units, its jackpots by level."""

    place: int
    code: str
    chip: int
    jackpots: Sequence[int]


class FurtherPlayed(NamedTuple):
    """A further wager that seats have played in a round."""

    place: int
    code: str
    chip: int
    seats: str
    spots: str
    jackpots: Sequence[int]

    @property
    def total(self) -> int:
        return self.chip * len(self.seats)


class JackpotChips(NamedTuple):
    """Whose chips raise a jackpot, and what one of them is worth."""

    jackpot_id: int
    seats: str
    chip: int


def further_played(facts: Iterable[FurtherFacts], asked: Iterable[FurtherSeats]) -> list[FurtherPlayed]:
    """The further wagers that somebody plays, in the order of their places."""
    said = {each.code: each for each in asked}
    return [
        FurtherPlayed(each.place, each.code, each.chip, said[each.code].seats, said[each.code].spots, each.jackpots)
        for each in facts
        if each.code in said and said[each.code].seats
    ]


def chips_by_jackpot(
    jackpots: Sequence[int], seats: str, chip: int, facts: Sequence[FurtherFacts], played: Sequence[FurtherPlayed]
) -> list[JackpotChips]:
    """Each wager is counted once, on the jackpots that it feeds; `jackpots` are all of the table's, by level."""
    # A jackpot is fed by one wager of a table, so none of these writes over another.
    raised = {id_: JackpotChips(id_, each.seats, each.chip) for each in played for id_ in each.jackpots}
    if seats:
        elsewhere = {id_ for each in facts for id_ in each.jackpots}
        raised.update({id_: JackpotChips(id_, seats, chip) for id_ in jackpots if id_ not in elsewhere})
    return [raised[id_] for id_ in jackpots if id_ in raised]


class SeatsPlayed(NamedTuple):
    """Who has coin-in in a round: seats of the first wager, and jackpots with seats of each further one."""

    first: str
    further: Sequence[tuple[Sequence[int], str]] = ()

    def on(self, jackpot_id: int) -> list[int]:
        """Who may win on a jackpot: the seats of the wager that fed it then."""
        seats = next((seats for jackpots, seats in self.further if jackpot_id in jackpots), self.first)
        return [int(seat) for seat in seats]

    @property
    def everybody(self) -> str:
        """Seats with a chip on any wager."""
        return who_plays(self.first, (seats for _, seats in self.further)) if self.further else self.first


def who_plays(first: str, further: Iterable[str]) -> str:
    """Everybody with a chip, on whichever wager: “12” and “26” are “126”."""
    return "".join(sorted(set(first).union(*further)))


def spoken_change(before: Iterable[tuple[str, str]], after: Iterable[tuple[str, str]]) -> str:
    """What a recount found of further wagers, as (code, seats); nothing where no wager differs."""
    was, now = dict(before), dict(after)
    differing = [code for code in sorted({*was, *now}) if was.get(code, "") != now.get(code, "")]
    return "".join(f"; {code} {was.get(code) or 'none'} before, {now.get(code) or 'none'} now" for code in differing)


def spelled(further: Iterable[FurtherSeats]) -> str:
    """What the request of a coin-in says of further wagers: by code, and only those that are played."""
    return "".join(f',["{each.code}","{each.seats}"]' for each in sorted(further) if each.seats)


def read_further(seats: Mapping[str, str], spots: Mapping[str, str]) -> tuple[FurtherSeats, ...]:
    """By code; a wager without a chip and without a sensor map is as good as not named."""
    said = (FurtherSeats(code, seats.get(code, ""), spots.get(code, "")) for code in sorted({*seats, *spots}))
    return tuple(each for each in said if each.seats or each.spots)


def why_unknown(table_code: str, known: Iterable[str], asked: Iterable[FurtherSeats]) -> str:
    """Why a further wager cannot be this table's, or nothing."""
    codes = sorted(known)
    stranger = next((each.code for each in asked if each.code not in codes), None)
    if stranger is None:
        return ""
    has = f"its further wagers are {', '.join(codes)}" if codes else "it takes one wager, whose chips go into “seats”"
    return f"{table_code} has no further wager “{stranger}”; {has}. Say hello again to learn them."
