"""What is judged while hits are verified, beside its twin: whole evenings of the oracle's floor, without any door."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from jackpot.books.rules.movement import Balances
from jackpot.money import UNIT, Money, text_of_units
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.judgement import OpenAct, OpenPot, Point, Ranked, judge
from jackpot.wins.rules.rank import PaidAct, StandingMark
from jackpot.wins.rules.settlement import Hit, OverflowReturn
from tests.oracle.acts import expected
from tests.oracle.choose import Chooser
from tests.oracle.floor import Floor
from tests.oracle.floor import Hit as FloorHit
from tests.oracle.house import SWITCHES, floor_of, terms_of
from tests.oracle.ledger import Ledger
from tests.oracle.ledger import Ranked as FloorRanked
from tests.oracle.settling import Moved
from tests.oracle.sheet import Sheet
from tests.oracle.wall import judged

STEPS = 300


@cache
def the_terms(switches: str, code: str, seed: int, rate: str, rounding: str) -> Terms:
    told = terms_of(switches, code)
    plain = {name: value for name, value in told.items() if name not in ("lines", "meter", "reserve")}
    return Terms.of(
        {
            **plain, "seed": text_of_units(seed), "rate": rate, "rounding": rounding,
            "pay_table": {"code": "t", "lines": told["lines"]},
        }
    )  # fmt: skip


class Twin:
    """One jackpot of the oracle's floor, in the words of the rule."""

    def __init__(self, floor: Floor, ledger: Ledger, switches: str) -> None:
        self.floor, self.ledger, self.switches = floor, ledger, switches

    def terms(self, sheet: Sheet) -> Terms:
        rate = text_of_units((sheet.rate * 100 * UNIT).numerator)
        return the_terms(self.switches, self.ledger.code, sheet.seed, rate, sheet.rounding)

    def open_pot(self) -> OpenPot:
        ledger, hits = self.ledger, self.asked()
        live = Balances(
            meter=ledger.meter, reserve=ledger.reserve, overflow=ledger.overflow,
            outside=-ledger.meter - ledger.reserve - ledger.overflow,
        )  # fmt: skip
        rounds = dict.fromkeys(hit.place for hit in hits)
        return OpenPot(
            live, [self.act([hit for hit in hits if hit.place == place]) for place in rounds],
            {hit.point.number: Point(hit.point.meter, hit.point.reserve, hit.point.overflow) for hit in hits},
            [self.ranked(*each) for each in ledger.ranked],
            self.terms(ledger.sheet), None if ledger.waits is None else self.terms(ledger.waits),
        )  # fmt: skip

    def ranked(self, at: int, act: FloorRanked, moved: Moved) -> Ranked:
        reset = OverflowReturn(*self.ledger.returns.get(at, (0, 0)))
        return Ranked(at, PaidAct(act.rank, act.front), moved.meter, moved.reserve, [reset])

    def asked(self) -> list[FloorHit]:
        mine = [hit for hit in self.floor.hits if hit.jackpot == self.ledger.code and not hit.envied]
        return [hit for hit in mine if hit.state in ("asked", "logged")]

    def act(self, hits: list[FloorHit]) -> OpenAct:
        place, sheet = hits[0].place, self.ledger.counted[hits[0].place].sheet
        terms = self.terms(sheet)
        lines = [
            Hit(hit.seat, terms.pay_table.line(hit.code), fixed=hit.payment and Money(hit.payment.amount))
            for hit in hits
        ]
        marks = [
            StandingMark(
                place, hit.rank, hit.point.number, hit.part, hit.state == "logged", hit.front or None,
                sheet.freeze == "approval",
            )
            for hit in hits
        ]  # fmt: skip
        return OpenAct(place, lines, marks, terms, self.floor.on(place, self.ledger.code))


@pytest.mark.parametrize("switches", SWITCHES)
def test_everything_that_is_asked_for_is_judged_as_the_twin_judges_it(switches: str) -> None:
    floor, met = floor_of(switches), 0
    for number, act in enumerate(Chooser(floor, Random(f"judged/{switches}")).acts()):
        due = expected(floor, act)
        for page in (due and due.pages) or ():
            page.slip = page.number
        for ledger in floor.ledgers.values():
            twin = Twin(floor, ledger, switches)
            if not twin.asked():
                continue
            found, wanted, met = judge(twin.open_pot()), judged(floor, ledger.code), met + 1
            assert found.live.shown().units == max(wanted.live, 0), (number, act)
            assert [_told(each.act.place, each.awards) for each in found.settled] == [
                (place, [(page.seat, page.code, page.amount, page.envy_of) for page in pages])
                for place, pages, _ in wanted.acts
            ], (number, act)
        if number > STEPS:
            break
    assert met > STEPS // 8


def _told(place: Any, awards: Any) -> tuple[Any, list[tuple[Any, ...]]]:
    return place, [(each.seat, each.line.code, each.amount.units, each.caused_by) for each in awards]
