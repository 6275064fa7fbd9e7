"""What happened, told to the oracles: which act should have moved what, and by how much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from hypothesis.stateful import RuleBasedStateMachine

from jackpot.money import units_of
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import OPEN
from tables.rounds.models.round import Round, RoundState
from tables.rounds.rules.further import FurtherSeats
from tables.rounds.rules.round import CoinInRequest
from tests.races.life_oracle import Counted, Frozen, Paid
from tests.races.life_rules import Rules
from tests.races.life_scene import BESIDE, BIG, SECOND_WAGER, UNIT, House, attempt

Chips = Mapping[str, str]  # of each jackpot that a round feeds: the seats with a chip on its wager
Fixed = dict[str, dict[tuple[int, str], int]]
Asked = dict[str, tuple[list[tuple[int, str]], Frozen]]


@dataclass(frozen=True)
class Awarded:
    """What a page paid once it had moved: by which terms, and when."""

    paid: Paid
    rules: Rules
    at: int

    def rest_of(self, paid: Paid, at: int) -> Awarded:
        return Awarded(paid, self.rules, at)


class Story(RuleBasedStateMachine):
    """One evening, told a second time to one oracle per jackpot."""

    house: ClassVar[House]
    reached: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.oracles = self.house.oracles()
        self.states = dict.fromkeys(self.oracles, "open")
        self.open_at: list[str] = []
        self.hits_at: list[str] = []
        self.won = False
        self.counted: dict[tuple[str, int], dict[str, Counted]] = {}
        self.fixed: dict[str, tuple[Asked, list[dict[str, Any]], Fixed]] = {}
        self.moved: dict[int, tuple[str, Paid]] = {}
        self.awarded: dict[int, Awarded] = {}  # backed out or not
        self.kept: dict[tuple[str, int], Chips] = {}  # kept back and undecided

    def look_around(self) -> None:
        """Where something can be done now: most acts go where they mean something."""
        self.open_at = sorted(Round.objects.filter(state=RoundState.OPEN).values_list("table__code", flat=True))
        self.hits_at = sorted(Win.objects.filter(state__in=OPEN).values_list("table_code", flat=True).distinct())
        self.won = Win.objects.exclude(number=None).exists()

    def stands_as_told(self) -> None:
        told = {
            code: (oracle.meter, oracle.reserve, oracle.overflow, oracle.house) for code, oracle in self.oracles.items()
        }
        assert self.house.stands() == told

    def act(self, done: Any, table: str, number: int, **told: Any) -> Any:
        return attempt(done, **self.place(table, number), by="Test Marker", **told)

    def place(self, table: str, number: int) -> dict[str, Any]:
        return {"table_code": table, "round_number": number}

    def tally(self, what: str) -> None:
        Story.reached[what] += 1

    def open_round(self, table: str) -> int:
        last = self.house.last_round(table)
        return last.number if last is not None and last.state == RoundState.OPEN else 0

    def in_question(self, table: str, which: int) -> int:
        """The round whose hits somebody looks at: the running one, or one that is over with its hits open."""
        numbers = self.house.in_question(table)
        return numbers[which % len(numbers)] if numbers else self.open_round(table)

    def round_of(self, table: str, number: int, seats: str, further: str | None) -> CoinInRequest:
        """What the table says: the seats of its first wager, and of its second one where it takes one."""
        beside = self.beside(table, further)
        return CoinInRequest(number, seats, further=(FurtherSeats(BIG, beside),) if beside else ())

    def beside(self, table: str, further: str | None) -> str:
        """Who plays the second wager."""
        return (BESIDE if further is None else further) if table in SECOND_WAGER else ""

    def chips(self, table: str, seats: str, further: str | None) -> Chips:
        """Each wager raises the jackpots that it feeds, and no others."""
        second, beside = SECOND_WAGER.get(table), self.beside(table, further)
        on = {code: beside if code == second else seats for code in self.house.jackpots_of(table)}
        return {code: played for code, played in on.items() if played}

    def count(self, table: str, number: int, chips: Chips) -> None:
        for oracle in self.oracles.values():
            oracle.has_nothing_of((table, number))
        if SECOND_WAGER.get(table, "") in chips:
            self.tally("second wager counted")
        self.counted[table, number] = {
            code: self.oracles[code].counts_on((table, number), seats) for code, seats in chips.items()
        }

    def take_back(self, table: str, number: int) -> None:
        for code, counted in self.counted[table, number].items():
            self.oracles[code].take_back(counted)

    def asked(self, table: str, number: int) -> Asked:
        """Per jackpot: the hits that are asked for, and from where they count."""
        hits: dict[str, list[tuple[int, str]]] = {}
        for win in self.house.hits(table, number, "asked"):
            hits.setdefault(win.jackpot.code, []).append((win.seat, win.line))
        return {code: (found, self.oracles[code].frozen((table, number), found)) for code, found in hits.items()}

    def give_way(self, table: str, number: int) -> None:
        self.forget_all_but(table, number, "marked", "asked", "logged")

    def forget_all_but(self, table: str, number: int, *states: str) -> None:
        there = {(win.jackpot.code, win.seat, win.line) for win in self.house.hits(table, number, *states)}
        for code, oracle in self.oracles.items():
            for place, seat, line in list(oracle.marks):
                if seat and place == (table, number) and (code, seat, line) not in there:  # a lit key has no seat yet
                    oracle.forget(place, seat, line)

    def approved(self, table: str, number: int, asked: Asked, wins: list[dict[str, Any]], *, moves: bool) -> None:
        self.tally("approved")
        reckoned = self.reckoned(table, number, asked, {})
        for jackpot, each in reckoned:
            self.is_as_reckoned(wins, jackpot, each)
        if moves:
            self.tell(table, number, asked, wins, {})
        else:
            fixed = {
                code: {(each.seat, each.line): each.amount for each in paid if not each.envy} for code, paid in reckoned
            }
            self.tally("fixed at J-POT")
            self.fixed[table] = asked, wins, fixed

    def key_is_back(self, number: int, wins: list[dict[str, Any]]) -> None:
        asked, told, fixed = self.fixed.pop("T-4")
        amounts = {win["win"]: win["amount"] for win in told}
        assert {win["win"]: win["amount"] for win in wins}.items() <= amounts.items(), "RUN posts what J-POT fixed"
        still = {win["jackpot"] for win in wins}  # what was backed out in between moves nothing
        self.tell("T-4", number, {code: each for code, each in asked.items() if code in still}, wins, fixed)

    def reckoned(self, table: str, number: int, asked: Asked, fixed: Fixed) -> list[tuple[str, list[Paid]]]:
        return [
            (code, self.oracles[code].awards((table, number), hits, point, self.on(code, table, number),
                                             fixed.get(code, {})))
            for code, (hits, point) in asked.items()
        ]  # fmt: skip

    def on(self, code: str, table: str, number: int) -> list[int]:
        """Who has a chip on the wager that feeds it."""
        return [int(seat) for seat in self.oracles[code].seats[table, number]]

    def players(self, table: str, number: int) -> set[int]:
        """Whoever has a chip, on whichever wager."""
        counted = (oracle.seats.get((table, number), "") for oracle in self.oracles.values())
        return {int(seat) for seats in counted for seat in seats}

    def is_as_reckoned(self, wins: list[dict[str, Any]], jackpot: str, paid: list[Paid]) -> None:
        mine = [win for win in wins if win["jackpot"] == jackpot]
        told = [(win["seat"], win["hand"], int(Fraction(win["amount"]) * UNIT)) for win in mine]
        assert told == [(each.seat, each.line, each.amount) for each in paid]

    def tell(self, table: str, number: int, asked: Asked, wins: list[dict[str, Any]], fixed: Fixed) -> None:
        self.tally("moved")
        for jackpot, paid in self.reckoned(table, number, asked, fixed):
            numbers = [win["win"] for win in wins if win["jackpot"] == jackpot]
            for win, each in zip(numbers, paid, strict=True):
                if each.resets:
                    self.oracles[jackpot].came_into_force(win)
                oracle = self.oracles[jackpot]
                oracle.paid(each)
                self.awarded[win] = Awarded(each, oracle.played[table, number], len(oracle.story))
                if jackpot == SECOND_WAGER.get(table):
                    self.tally("won on a second wager")
                self.moved[win] = jackpot, each
            if Win.objects.filter(number__in=numbers, front_seq__isnull=False).exists():
                self.freeze_anew(jackpot, asked[jackpot][1])
        self.forget_all_but(table, number, "marked", "asked", "logged")

    def freeze_anew(self, jackpot: str, point: Frozen) -> None:
        """What was passed counts from where the passing hit counted; seats of a lit key go on sharing its point."""
        marks, anew = self.oracles[jackpot].marks, dict[int, Frozen]()
        for name, mark in marks.items():
            if mark.index < point.index:
                marks[name] = anew.setdefault(id(mark), copy(point))

    def unmove(self, win: Win, *, paid: bool) -> None:
        assert win.number is not None
        if win.number not in self.moved:
            return
        jackpot, each = self.moved.pop(win.number)
        self.oracles[jackpot].step_back(win.number)
        again = units_of(win.amount) if paid and win.amount is not None else 0
        self.oracles[jackpot].back_out(each, again)


def amounts_of(paid: list[Paid]) -> dict[tuple[int, str], int]:
    return {(each.seat, each.line): each.amount for each in paid if not each.envy}
