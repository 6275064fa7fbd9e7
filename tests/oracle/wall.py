"""What a sign must say while hits are verified: every asked act settled in its order, beside the story."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.oracle.floor import OPEN, Floor, Hit, paid_rank
from tests.oracle.ledger import Ledger, Point, Round
from tests.oracle.settling import Payment
from tests.oracle.sheet import cut


@dataclass(frozen=True)
class Judgement:
    """The figure of the meter, and the acts that are being verified with what they would be paid."""

    live: int
    acts: list[tuple[Round, list[Payment], list[Hit]]]

    def verifying(self) -> list[tuple[str, int]]:
        """Table and amount of every hit that is asked for; an envied seat has none."""
        return [(place[0], page.amount) for place, pages, _ in self.acts for page in pages if page.envy_of is None]

    @property
    def has_part(self) -> bool:
        return any(hit.part for _, _, hits in self.acts for hit in hits)


def judged(floor: Floor, jackpot: str) -> Judgement:
    """Pure: the ledger is copied, nothing of the floor changes."""
    ledger = floor.ledgers[jackpot]
    beside = replace(ledger, ranked=list(ledger.ranked), began=list(ledger.began), returns=dict(ledger.returns))
    waiting: dict[Round, list[Hit]] = {}
    for hit in floor.hits:
        if hit.jackpot == jackpot and hit.state in ("asked", "logged") and not hit.envied:
            waiting.setdefault(hit.place, []).append(hit)
    anew: dict[Round, Point] = {}
    acts = []
    for place in sorted(waiting, key=lambda place: _order(floor, jackpot, waiting[place])):
        hits = waiting[place]
        point = _point(floor, beside, hits, anew.get(place))
        pages, ranked = floor.worth(beside, point, hits), paid_rank(hits)
        for other in floor.passed_by(jackpot, place):
            anew[other] = max(anew.get(other, point), point, key=lambda each: each.number)
        for page in pages:
            beside.award(page, ranked=ranked, win=0)
        if ranked is None:  # it never waits: it is worth what it would be paid at once
            pages = floor.worth(ledger, floor.point_of(jackpot, hits), hits)
        acts.append((place, pages, hits))
    return Judgement(cut(beside.meter), acts)


def _order(floor: Floor, jackpot: str, hits: list[Hit]) -> tuple[bool, bool, int, int]:
    """Parts in the order of the queue, then what never waits, by its marks."""
    logged = any(hit.state == "logged" and hit.part for hit in hits)
    standing = [hit for hit in floor.at(hits[0].place, *OPEN, jackpot=jackpot) if hit.part]
    front = max(hit.front for hit in hits)
    return not standing, bool(standing) and not logged, -front, min(hit.rank for hit in standing or hits)


def _point(floor: Floor, beside: Ledger, hits: list[Hit], anew: Point | None) -> Point:
    sheet = beside.counted[hits[0].place].sheet
    if sheet.freeze == "approval" and hits[0].state == "asked":
        return beside.now()
    point = floor.point_of(beside.code, hits)
    return anew if anew is not None and anew.number > point.number else point
