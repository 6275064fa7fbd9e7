"""One round's hits on one page: the proof of the coin-in, what is due to whom, and who may say yes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from jackpot.money import ZERO, Money
from jackpot.people.models import Card
from jackpot.people.queries import card_level
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import Needed
from jackpot.property.rules.witness import witnesses_needed
from jackpot.web.pages.access import needs
from jackpot.wins.models import Win
from jackpot.wins.queries.queue import let_pass_by, waits_for, why_it_waits
from jackpot.wins.queries.round_hits import AwardLine, Settlement
from jackpot.wins.queries.waiting_circle import CURE, circle_of
from jackpot.wins.queries.witnesses import WitnessLine, witnesses_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import LIT, WinState
from tables.hits.pages.hit_hand import hand_shown
from tables.hits.pages.hit_watch import watch_facts
from tables.hits.queries.claims import claimants
from tables.hits.queries.preview import MeterMove, approvals_given, hits_at, preview, queue_of, who_may
from tables.rounds.models.round import Round
from tables.rounds.queries import round_lists
from tables.rounds.queries.wager_names import wager_code_on, wager_names

READERS: Final = ("run_tables", "approve", "verify", "read_books")
PRINTERS: Final = ("pay", "approve", "close_day")  # as the office lets them
SPOTS: Final = {"1": "lit", "0": "dark", "x": "silent"}
STATE_WORDS: Final = {
    WinState.MARKED: "marked",
    WinState.ASKED: "to approve",
    WinState.LOGGED: "approved",
    WinState.OWED: "to be paid",
    WinState.PAID: "paid",
}
STEPS: Final = (WinState.LOGGED, WinState.ASKED, WinState.MARKED)


@dataclass(frozen=True, slots=True)
class SeatProof:
    """What the sensor saw at a seat at the lock, beside what was counted."""

    number: int
    counted: bool
    spot: str
    hit: bool


@dataclass(frozen=True, slots=True)
class SeatStrip:
    """The seats of one wager; it has a name where its table takes several."""

    name: str
    seats: Sequence[SeatProof]


@dataclass(frozen=True, slots=True)
class HitLine:
    place: int
    seat: int
    name: str
    jackpot: str
    pays: str
    source: str
    amount: Money | None
    words: str
    slip: int | None
    envy: bool


@needs(*READERS)
def hit_page(request: HttpRequest, code: str, number: str) -> HttpResponse:
    """Everything a tired supervisor needs to say yes or no; the part that changes is fetched alone."""
    rows = round_lists.rounds_of(request.user).filter(table__code=code)
    round_ = get_object_or_404(rows, number=int(number))
    if "HTTP_X_BOARD" in request.META:
        return render(request, "tables/hits/hit_state.html", _shown(request, round_))
    return render(request, "tables/hits/hit.html", {**watch_facts(request, round_), **_shown(request, round_)})


def _shown(request: HttpRequest, round_: Round) -> dict[str, Any]:
    person: Any = request.user
    house = round_.table.premises
    now = timezone.now()
    # As the swipe will judge it (decision 0009), or the page would ask for another card than the act.
    house.judge_at((round_.opened_at, round_.gaming_day), (now, house.gaming_day(now)))
    place = RoundRef(round_.table.code, round_.number)
    wins = hits_at(place)
    state = next((each for each in STEPS if any(win.state == each for win in wins)), None)
    outlook = preview(place, house) if state == WinState.ASKED else None
    settlement = outlook.settlement if outlook else None
    return {
        "round": round_,
        "house": house,
        "state": state,
        "strips": _strips(round_, wins),
        "coin_in": round_.coin_in,
        "lines": _settlement_lines(settlement)
        if settlement
        else [_win_line(at, win) for at, win in enumerate(wins, start=1)],
        "total": settlement.total if settlement else sum((win.amount_money or ZERO for win in wins), ZERO),
        "meters": outlook.meters if outlook else _moved(wins),
        "hand": hand_shown(round_, wins, state),
        "queue": queue_of(place),
        "case": round_.table.cases.select_related("executive", "second").filter(round_number=round_.number).last(),
        "claimed": claimants(place),
        "lit": any(win.seat == LIT for win in wins),
        **_waiting(place, wins, state),
        "may_approve": person.may("approve"),
        "may_reject": person.may("verify"),
        "may_print": any(person.may(verb) for verb in PRINTERS),
        "slips": sorted(win.slip for win in wins if win.slip is not None),
        "own_card": card_level(person, now) in {"supervisor", "executive"},
        "win_id": _spoken_for(wins),
        **_authority(settlement, wins, house),
        "stand_by": _stand_by(settlement, wins, house),
    }


def _spoken_for(wins: list[Win]) -> int | None:
    """The hit behind which this page's words go: one that is asked for, else one that is marked."""
    return next((win.id for state in (WinState.ASKED, WinState.MARKED) for win in wins if win.state == state), None)


def _waiting(place: RoundRef, wins: list[Win], state: WinState | None) -> dict[str, Any]:
    """The hit that comes first, whether it was let pass or waits for this one in turn; and who let this one pass."""
    first = waits_for({win.jackpot_id for win in wins}, place) if state == WinState.ASKED else None
    front = [win for win in wins if win.front_seq is not None and win.state in {WinState.MARKED, WinState.ASKED}]
    passed = why_it_waits(first) if first is not None and first.front_seq is not None else ""
    circle = circle_of(place) if first is not None else None
    return {"first": first, "passed": passed, "front": let_pass_by(front), "circle": circle, "cure": CURE}


def _authority(settlement: Settlement | None, wins: list[Win], house: Any) -> dict[str, Any]:
    """Signatures needed, given and missing, and the names of those who could give them."""
    given = approvals_given(wins)
    if settlement is None:
        return {"given": given, "needed": None, "missing": 0, "who_may": []}
    need = settlement.needed
    asked = [win for win in wins if win.state == WinState.ASKED]
    names = who_may(need, house, asked)
    day = house.gaming_day(timezone.now())
    # A word whose card was blocked since, or whose person left, stays on record and counts for nothing.
    given = [each for each in given if each.worth(day)]
    levels = [each.worth(day) for each in given]
    missing = 0 if need.met(levels) else max(1, need.people - sum(level >= need.least for level in levels))
    return {
        "given": given, "needed": need, "cards": _spoken(need), "missing": missing, "who_may": names,
        "needs_pin": need.level >= house.thresholds.pin_from_level,
    }  # fmt: skip


def _stand_by(settlement: Settlement | None, wins: list[Win], house: Property) -> Sequence[WitnessLine]:
    """Whom the window will wait for: as the sum stands now, or as the act was approved."""
    approved = next((win for win in wins if win.logged_at is not None), None)
    if approved is not None:
        return witnesses_of(approved).lines
    if settlement is None:
        return ()
    needs = witnesses_needed(settlement.total, house.thresholds.witnesses)
    return [WitnessLine(need.part, need.since, None, met=False) for need in needs]


def _spoken(need: Needed) -> str:
    """The cards an act needs, as one says it: “2 cards, one of them executive”."""
    label = Card.Level(need.level).label
    if need.least < need.level:
        return f"{need.people} cards, one of them {label},"
    return f"{need.people} {label} card{'s' if need.people > 1 else ''}"


def _strips(round_: Round, wins: Sequence[Win]) -> list[SeatStrip]:
    """One of each wager that was played, with the hits that are on its jackpots."""
    names, hit = wager_names(round_), defaultdict[str, set[int]](set)
    for win in wins:
        hit[wager_code_on(round_, win.jackpot_id)].add(win.seat)
    further = [(each.wager, each.seats, each.spots) for each in round_.further]
    played = [("", round_.seats, round_.spots), *further] if round_.seats or not further else further
    numbers = range(1, round_.table.seats + 1)
    return [
        SeatStrip(names.get(code, ""), [_seat(number, seats, spots, hit[code]) for number in numbers])
        for code, seats, spots in played
    ]


def _seat(number: int, seats: str, spots: str, hit: Collection[int]) -> SeatProof:
    spot = spots[number - 1 : number]
    return SeatProof(number, str(number) in seats, SPOTS.get(spot, ""), number in hit)


def _settlement_lines(settlement: Settlement) -> list[HitLine]:
    return [_settlement_line(place, line) for place, line in enumerate(settlement.lines, start=1)]


def _settlement_line(place: int, line: AwardLine) -> HitLine:
    award, words = line.award, "envy" if line.award.envy else "to approve"
    jackpot = line.win.jackpot.code if line.win else ""
    pays, source = str(award.line.award), award.line.source
    return HitLine(place, award.seat, award.line.name, jackpot, pays, source, award.amount, words, None, award.envy)


def _win_line(place: int, win: Win) -> HitLine:
    pays, source = ("", "") if win.paper is None else (str(win.record.pays), win.record.source)
    return HitLine(
        win.place or place, win.seat, win.line_name, win.jackpot.code, pays, source,
        win.amount_money, STATE_WORDS[WinState(win.state)], win.slip, win.envy_of_id is not None,
    )  # fmt: skip


def _moved(wins: list[Win]) -> list[MeterMove]:
    """Once the award is posted its entry says what the meter did."""
    moved: dict[str, MeterMove] = {}
    # By entry: of several awards of one jackpot the page says the meter before the first and after the last.
    for win in sorted((win for win in wins if win.award_seq), key=lambda win: win.award_seq or 0):
        meter, code = win.record.meter, win.jackpot.code
        assert meter is not None, "a posted award knows what it did to the meter"
        moved[code] = MeterMove(code, moved[code].before if code in moved else meter.before, meter.after)
    return list(moved.values())
