"""The floor as the rule book tells it: tables, rounds, hits, and what every act must bring about or be refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.oracle.ledger import Gift, Ledger, Point, Ranked, Round
from tests.oracle.settling import Payment
from tests.oracle.sheet import UNIT

Act = Mapping[str, Any]
OPEN = ("marked", "asked", "logged")
APPROVED = ("logged", "owed", "paid")
EXECUTIVE, SUPERVISOR = 3, 2
EXECUTIVE_FROM, TWO_FROM = 5000 * UNIT, 15000 * UNIT


@dataclass(eq=False)
class Hit:
    """One seat's hand on one jackpot, from its mark to its payment; an envied seat has a page too."""

    jackpot: str
    place: Round
    seat: int
    code: str
    part: bool
    point: Point
    rank: int
    state: str = "marked"
    front: int = 0  # the override that let it pass, the newest is the highest
    words: frozenset[str] = frozenset()
    payment: Payment | None = None
    slip: int = 0
    number: int = 0
    claimed: bool = False
    rest_of: Hit | None = None  # a page that makes up what that one was too little
    gift: Gift | None = None  # and what pays for it, where the house does not

    @property
    def envied(self) -> bool:
        return self.payment is not None and self.payment.envy_of is not None


@dataclass
class Played:
    """One round, with the seats of each wager; "" is the table's first."""

    state: str
    chips: dict[str, tuple[int, ...]]
    parked: bool = False
    kept: str = ""  # faster than a table can deal: waiting, accepted or refused

    @property
    def everybody(self) -> tuple[int, ...]:
        return tuple(sorted({seat for seats in self.chips.values() for seat in seats}))


@dataclass
class Table:
    feeds: tuple[str, ...]
    profile: str
    last: int = 0
    key: str = ""
    further: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of a second wager, the jackpots it feeds

    @property
    def all_feeds(self) -> tuple[str, ...]:
        return (*self.feeds, *(jackpot for fed in self.further.values() for jackpot in fed))

    def wager_of(self, jackpot: str) -> str:
        return next((wager for wager, fed in self.further.items() if jackpot in fed), "")


@dataclass
class Expected:
    """What a door must answer: yes, no (with the code where the rule fixes it), None: either, without an effect."""

    ok: bool | None
    code: str = ""
    pages: list[Hit] | None = None  # in the order in which they are paid
    amounts: list[tuple[str, int, str, int]] | None = None  # jackpot, seat, hand, amount
    missing: bool = False
    kept: bool = False


YES = Expected(True)


def no(code: str = "") -> Expected:
    return Expected(False, code)


@dataclass
class Floor:
    ledgers: dict[str, Ledger]
    tables: dict[str, Table]
    rounds: dict[Round, Played] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    overrides: int = 0
    numbers: int = 0

    # Looking

    def at(self, place: Round, *states: str, jackpot: str = "") -> list[Hit]:
        return [
            hit for hit in self.hits
            if hit.place == place and hit.state in states and jackpot in ("", hit.jackpot)
        ]  # fmt: skip

    def open_on(self, *jackpots: str, but: Hit | None = None) -> bool:
        return any(hit.jackpot in jackpots and hit.state in OPEN and hit is not but for hit in self.hits)

    def open_round(self, table: str) -> Round | None:
        place = (table, self.tables[table].last)
        return place if place in self.rounds and self.rounds[place].state == "open" else None

    def wins(self) -> list[Hit]:
        return [hit for hit in self.hits if hit.slip]

    def won_hits(self, place: Round, state: str) -> dict[str, list[Hit]]:
        """A round's own hits by jackpot, in the order in which jackpots were made."""
        found = {code: [hit for hit in self.at(place, state, jackpot=code) if not hit.envied] for code in self.ledgers}
        return {code: hits for code, hits in found.items() if hits}

    # Order: which act must be settled before which

    def parts(self, jackpot: str) -> dict[Round, list[Hit]]:
        """Rounds with a standing part of this meter. Whatever was taken back or fell ranks nobody."""
        found: dict[Round, list[Hit]] = {}
        for hit in self.hits:
            if hit.jackpot == jackpot and hit.part and hit.state in OPEN:
                found.setdefault(hit.place, []).append(hit)
        return found

    def front(self, jackpot: str, place: Round) -> int:
        return max((hit.front for hit in self.at(place, *OPEN, jackpot=jackpot)), default=0)

    def before(self, jackpot: str, one: Round, other: Round) -> bool:
        """Whether one round ranks before another: who was let pass last is first, then by the first part's mark."""
        fronts = self.front(jackpot, one), self.front(jackpot, other)
        if fronts[0] != fronts[1]:
            return fronts[0] > fronts[1]
        ranks = self.parts(jackpot)
        return min(hit.rank for hit in ranks[one]) < min(hit.rank for hit in ranks[other])

    def in_the_way(self, place: Round) -> dict[str, str]:
        """Per jackpot on which a part of this round waits: "logged" between another's J-POT and RUN, or "earlier"."""
        found = {}
        for jackpot in self.ledgers:
            parts = self.parts(jackpot)
            if not parts.pop(place, []):
                continue
            if any(hit.state == "logged" for hits in parts.values() for hit in hits):
                found[jackpot] = "logged"
            elif any(self.waits(jackpot, place, other) for other in parts):
                found[jackpot] = "earlier"
        return found

    def waits(self, jackpot: str, place: Round, other: Round) -> bool:
        """Where the order is that of the cards accepted, only what two people let pass is before it."""
        by_card = self.ledgers[jackpot].counted[place].sheet.freeze == "approval"
        if by_card and not self.front(jackpot, other):
            return False
        return self.before(jackpot, other, place)

    def point_of(self, jackpot: str, hits: Sequence[Hit]) -> Point:
        """The earliest standing mark of a part; where no part is, of what stands."""
        if self.ledgers[jackpot].counted[hits[0].place].sheet.freeze == "approval" and hits[0].state == "asked":
            return self.ledgers[jackpot].now()
        parts = [hit for hit in hits if hit.part] or list(hits)
        return min((hit.point for hit in parts), key=lambda point: point.number)

    def pages(self, place: Round, state: str) -> dict[str, list[Payment]]:
        """What the round's hits are worth now, jackpot by jackpot; nothing moves."""
        return {
            jackpot: self.worth(self.ledgers[jackpot], self.point_of(jackpot, hits), hits)
            for jackpot, hits in self.won_hits(place, state).items()
        }

    def worth(self, ledger: Ledger, point: Point, hits: Sequence[Hit]) -> list[Payment]:
        place, parts = hits[0].place, [hit for hit in hits if hit.part]
        fixed = {(hit.seat, hit.code): hit.payment.amount for hit in hits if hit.payment is not None}
        told = [(hit.seat, hit.code) for hit in hits]
        pot = ledger.pot(point, ledger.counted[place].sheet, rank_of(hits), part=bool(parts))
        return pot.settle(told, self.on(place, ledger.code), fixed)

    # Marks

    def new_hit(self, jackpot: str, place: Round, seat: int, code: str) -> Hit:
        ledger = self.ledgers[jackpot]
        row, point = ledger.counted[place].sheet.line(code), ledger.now()
        assert row is not None
        hit = Hit(jackpot, place, seat, code, row.part is not None, point, point.number)
        self.hits.append(hit)
        return hit

    def on(self, place: Round, jackpot: str) -> tuple[int, ...]:
        """The seats whose chips raised this jackpot: each wager raises its own."""
        return self.rounds[place].chips.get(self.tables[place[0]].wager_of(jackpot), ())

    def fed(self, place: Round) -> list[str]:
        """The jackpots on which a round counts."""
        return [jackpot for jackpot in self.tables[place[0]].all_feeds if self.on(place, jackpot)]

    def paying(self, place: Round, code: str) -> list[str]:
        """The jackpots on which this round was counted and that pay this hand."""
        return [each for each in self.fed(place) if self.ledgers[each].counted[place].sheet.line(code) is not None]

    def lit(self, place: Round, code: str = "") -> list[Hit]:
        """Hand keys that are lit and nobody has said whose they are."""
        return [hit for hit in self.at(place, "marked") if not hit.seat and code in ("", hit.code)]

    def awarded(self, jackpot: str, place: Round, seat: int) -> bool:
        return any(hit.seat == seat and not hit.envied for hit in self.at(place, *APPROVED, jackpot=jackpot))

    def ask(self, place: Round) -> None:
        """The marks are closed: of each seat the highest row stands, the others give way."""
        for jackpot in self.ledgers:
            marked = self.at(place, "marked", jackpot=jackpot)
            for seat in {hit.seat for hit in marked}:
                own = [hit for hit in marked if hit.seat == seat]
                best = min(own, key=lambda hit: self.ledgers[jackpot].counted[place].sheet.place(hit.code))
                for hit in own:
                    hit.state = "asked" if hit is best else "outranked"

    # Approval

    def needed(self, place: Round) -> tuple[int, int]:
        """Level and people by the sum of the act over all its jackpots."""
        total = sum(page.amount for pages in self.pages(place, "asked").values() for page in pages)
        return EXECUTIVE if total >= EXECUTIVE_FROM else SUPERVISOR, 2 if total >= TWO_FROM else 1

    def approve(self, place: Round, person: str, level: int, *, moves: bool, shown: bool = True) -> Expected:
        asked = [hit for hits in self.won_hits(place, "asked").values() for hit in hits]
        if not asked:
            return no()
        if self.in_the_way(place):
            return no("queue")
        need, people = self.needed(place)
        if level < need:
            return no("level")
        if all(person in hit.words for hit in asked):
            return no("same_person")
        if not shown:
            return no("pin_needed")
        for hit in asked:
            hit.words |= {person}
        if min(len(hit.words) for hit in asked) < people:
            return Expected(True, missing=True)
        pages = self.log(place)
        if moves:
            self.move(place)
        return Expected(True, pages=pages)

    def log(self, place: Round) -> list[Hit]:
        """Amounts are fixed, slips given; an envied seat gets its page."""
        logged: list[Hit] = []
        for jackpot, payments in self.pages(place, "asked").items():
            hits = self.won_hits(place, "asked")[jackpot]
            for payment in payments:
                source = next(hit for hit in hits if hit.code == payment.code
                              and hit.seat == (payment.envy_of or payment.seat))  # fmt: skip
                page = source if payment.envy_of is None else replace(source, seat=payment.seat, part=False)
                page.payment = payment
                self.numbers += 1
                page.number = self.numbers
                logged.append(page)
        for page in logged:
            if page not in self.hits:
                self.hits.append(page)
            page.state = "logged"
            if self.ledgers[page.jackpot].counted[place].sheet.freeze == "approval":
                page.point = self.ledgers[page.jackpot].now()
        return logged

    def move(self, place: Round) -> list[Hit]:
        """The meter moves by exactly the amounts fixed; whoever was passed is frozen where the front was."""
        moved: list[Hit] = []
        for jackpot, payments in self.pages(place, "logged").items():
            hits, ledger = self.at(place, "logged", jackpot=jackpot), self.ledgers[jackpot]
            ranked, point = paid_rank(hits), self.point_of(jackpot, hits)
            passed = self.passed_by(jackpot, place)
            for payment in payments:
                page = next(hit for hit in hits if hit.payment is not None and _same_page(hit.payment, payment))
                ledger.award(payment, ranked=ranked, win=page.number)
                page.payment = payment
                moved.append(page)
            for page in moved:
                page.state = "owed" if page.jackpot == jackpot else page.state
            self.freeze_anew(jackpot, passed, point)
        return moved

    def passed_by(self, jackpot: str, place: Round) -> list[Round]:
        """The rounds with an earlier part that this one was let pass."""
        parts = self.parts(jackpot)
        if place not in parts or not self.front(jackpot, place):
            return []
        rank = min(hit.rank for hit in parts[place])
        return [other for other, hits in parts.items() if other != place and min(hit.rank for hit in hits) < rank]

    def freeze_anew(self, jackpot: str, passed: Iterable[Round], point: Point) -> None:
        for other in passed:
            for hit in self.at(other, *OPEN, "assigned", jackpot=jackpot):
                if hit.point.number < point.number:
                    hit.point = point


def rank_of(hits: Sequence[Hit]) -> int:
    """A round ranks by its first mark of a part; a round without one only knows what came before."""
    return min(hit.rank for hit in [hit for hit in hits if hit.part] or hits)


def paid_rank(hits: Sequence[Hit]) -> Ranked | None:
    """How what an act moves ranks; an act without a part ranks with nobody."""
    if not any(hit.part for hit in hits):
        return None
    return Ranked(rank_of(hits), any(hit.front for hit in hits))


def _same_page(one: Payment, other: Payment) -> bool:
    return (one.seat, one.code, one.envy_of) == (other.seat, other.code, other.envy_of)


def amounts_of(pages: Sequence[Hit]) -> list[tuple[str, int, str, int]]:
    """As the doors tell them: jackpot, seat, hand, amount."""
    return [(page.jackpot, page.seat, page.code, page.payment.amount) for page in pages if page.payment is not None]
