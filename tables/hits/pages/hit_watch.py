"""Beside one round's hits: what surveillance ticked off, and whether a win has to be reported for tax."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from babel.numbers import get_currency_precision
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from jackpot.money import Money
from jackpot.property.queries import tax_rules
from jackpot.property.rules.tax import TaxDue, rule_on, tax_on
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from jackpot.wins.models import Payment
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import WinState
from tables.hits.actions.surveillance import VERBS, tick_off
from tables.hits.models.surveillance import SurveillanceTick
from tables.hits.queries import hit_lists
from tables.hits.queries.preview import hits_at, preview
from tables.hits.rules.surveillance import CAMERA_TIME, ITEMS
from tables.rounds.models.round import Round
from tables.rounds.queries import round_lists

READERS: Final = ("run_tables", "approve", "verify", "read_books")


@dataclass(frozen=True, slots=True)
class Watched:
    """One thing of the house's checklist, and who ticked it."""

    item: str
    words: str
    tick: SurveillanceTick | None


class SeatAward(NamedTuple):
    seat: int
    jackpot_id: int
    amount: Money
    paid_on: date | None = None


@dataclass(frozen=True, slots=True)
class Taxed:
    seat: int
    due: TaxDue


@needs(*READERS)
def hit_watch(request: HttpRequest, code: str, number: str) -> HttpResponse:
    """The part that changes, fetched alone."""
    return render(request, "tables/hits/hit_watch.html", watch_facts(request, _round(request, code, number)))


@posts(*VERBS, back_to="hit-page")
def hit_tick(request: HttpRequest, *, code: str, number: str) -> str:
    """Ticks one thing off."""
    person: Any = request.user
    item, note = word(request, "item", 20), word(request, "note", 80)
    tick = tick_off(round_=_round(request, code, number), item=item, note=note, operator=person)
    return f"{tick.words}: ticked by {tick.operator}."


def watch_facts(request: HttpRequest, round_: Round) -> dict[str, Any]:
    person: Any = request.user
    house = round_.table.premises
    ticks = {tick.item: tick for tick in hit_lists.ticks_at(round_)}
    items = [Watched(item, ITEMS[item], ticks.get(item)) for item in house.surveillance if item in ITEMS]
    return {
        "round": round_, "house": house, "watched": items, "taxed": _taxed(round_),
        "open_items": [each for each in items if each.tick is None], "camera_time": CAMERA_TIME,
        "has_tax": bool(tax_rules(house)), "may_tick": bool(person.verbs().intersection(VERBS)),
    }  # fmt: skip


def _taxed(round_: Round) -> Sequence[Taxed]:
    """The awards of the round that have to be reported, by the rule of the gaming day of payment."""
    house = round_.table.premises
    # The rule of the gaming day of payment counts; until then that is the day on which somebody looks.
    rules, today = tax_rules(house), house.gaming_day(timezone.now())
    digits = get_currency_precision(house.currency)
    dues = [
        Taxed(each.seat, tax_on(rule, each.amount, round_.chip_on(each.jackpot_id), digits))
        for each in _amounts(round_)
        if (rule := rule_on(rules, each.paid_on or today)) is not None
    ]
    return [each for each in dues if each.due.reported]


def _amounts(round_: Round) -> list[SeatAward]:
    """As they would be approved now, or as they were."""
    place = RoundRef(round_.table.code, round_.number)
    wins = hits_at(place)
    if any(win.state == WinState.ASKED for win in wins):
        outlook = preview(place, round_.table.premises)
        lines = outlook.settlement.lines if outlook else []
        return [SeatAward(line.award.seat, line.jackpot_id, line.award.amount) for line in lines]
    paid = dict(Payment.objects.filter(win__in=wins).values_list("win_id", "gaming_day"))
    return [
        SeatAward(win.seat, win.jackpot_id, due, paid.get(win.pk))
        for win in wins
        if (due := win.amount_money) is not None
    ]


def _round(request: HttpRequest, code: str, number: str) -> Round:
    rows = round_lists.rounds_of(request.user).filter(table__code=code)
    found: Round = get_object_or_404(rows, number=int(number))
    return found
