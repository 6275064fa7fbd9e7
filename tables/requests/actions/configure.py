"""Other terms for a jackpot, as the floor sees them: tables and signs must agree, the laboratory says what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from jackpot.books.actions.post import in_force, open_books
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import changes
from jackpot.laboratory.switch_findings import switch_findings
from jackpot.money import MILLION, Money
from jackpot.people.models import Operator
from jackpot.refusals import NotFound, NotUnderstood, Refused
from jackpot.requests.actions import configure
from jackpot.requests.actions.configure import Wish
from jackpot.terms.models.change import Change
from jackpot.terms.rules.change_life import ChangeState
from jackpot.terms.rules.paytable import NotAPayTable
from jackpot.terms.rules.policy import PolicyRefused
from jackpot.terms.rules.terms import Terms, TermsRefused
from jackpot.terms.rules.terms_change import changed
from tables.calculation.desk import IN_A_REQUEST, desk
from tables.floor.actions.agreeing import check_wished, lock_sharing
from tables.floor.models.table import Table
from tables.floor.queries.known_rows import pack_with_rows_of
from tables.games.game import Game, NotInThisGame
from tables.games.packs import NotOffered
from tables.games.registry import find_game, find_games

COIN_INS_A_DAY: Final = 4_000
DAYS: Final = 180
PATHS: Final = 200
Finding = dict[str, str]
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Previewed:
    """What is found of a wish. `figures` are the laboratory's, in force and wished for; empty while it calculates."""

    findings: list[Finding]
    figures: list[Answer]
    percent: int = 100

    @property
    def ready(self) -> bool:
        return self.percent == 100


def wished_terms(jackpot: Jackpot, wished: Mapping[str, Any]) -> Terms:
    """The terms in force but for these; what cannot be meant is refused in a sentence that names the term."""
    assert jackpot.version_id is not None, "a jackpot has its first version before anybody can ask for another"
    told = dict(wished)
    try:
        if isinstance(told.get("pay_table"), Mapping) and "game" in told["pay_table"]:
            told["pay_table"] = _from_pack(jackpot, told["pay_table"])
        return changed(in_force(jackpot.version_id).terms, told)
    except (TermsRefused, NotAPayTable, PolicyRefused, NotOffered, NotInThisGame) as why:
        raise NotUnderstood(str(why), "terms") from None
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError):
        raise NotUnderstood(
            "These terms cannot be read. Amounts and rates are texts, like “70” or “12000.00”."
        ) from None


@transaction.atomic
def draft(*, jackpot: Jackpot, wish: Wish, by: Operator) -> Change:
    """A request for other terms. Tables that share the jackpot and signs that show it must be able to go on."""
    lock_sharing(jackpot.pk)
    change = configure.draft(jackpot_id=jackpot.pk, wish=wish, by=by)
    check_wished(jackpot, wish.terms)
    return change


def look_ahead(jackpot: Jackpot, wish: Wish, *, wait: float | None = None) -> Previewed:
    """What a draft of these terms would hear, without making one."""
    against = list(_objections(jackpot, wish))
    found = _laboratory(jackpot, wish.terms, wait)
    return Previewed([*against, *found.findings], found.figures, found.percent)


def preview(*, change: Change, by: Operator, wait: float | None = None) -> Previewed:
    """The laboratory's answer, frozen with the request as soon as it is there. Asked again, it is what was frozen."""
    if change.state != ChangeState.DRAFT:
        return Previewed(change.findings, change.figures)
    found = _laboratory(change.jackpot, change.value, wait)
    if found.ready:
        configure.freeze_preview(change_id=change.pk, findings=found.findings, figures=found.figures, by=by)
    return found


@transaction.atomic
def approve(*, change: Change, by: Operator) -> Change:
    """The second person's word, after one more look at tables and signs: they may have changed since the draft."""
    lock_sharing(change.jackpot_id)
    check_wished(change.jackpot, change.value)
    return configure.approve(change_id=change.pk, by=by)


@transaction.atomic
def withdraw(*, change: Change, why: str, by: Operator) -> Change:
    """What was asked for, or waits, is taken back."""
    lock_sharing(change.jackpot_id)
    return configure.withdraw(change_id=change.pk, why=why, by=by)


def _from_pack(jackpot: Jackpot, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """A published table by its code; a withdrawn one cannot be chosen."""
    source = chosen.get("fixed_from", "tray")
    if source not in ("tray", "meter"):
        raise NotUnderstood("Fixed awards come from the tray or from the meter.", "fixed_from")
    pack = find_game(str(chosen["game"])).table("progressive", str(chosen.get("code", "")))
    pack.refuse_unless_offered(timezone.now().astimezone(jackpot.premises.zone).date())
    return pack.as_jackpot(source).plain()


def _objections(jackpot: Jackpot, wish: Wish) -> Iterator[Finding]:
    """What would refuse the draft, as findings: the preview says all of it at once."""
    with transaction.atomic():
        lock_sharing(jackpot.pk)
        with open_books([jackpot.pk]) as books:
            against = [
                _objection(configure.check_terms, books, jackpot, wish),
                _objection(check_wished, jackpot, wish.terms),
            ]
    yield from filter(None, against)


def _objection(check: Callable[..., None], *values: Any) -> Finding | None:
    try:
        check(*values)
    except Refused as why:
        return {"code": why.code, "weight": "refused", "why": why.why}
    return None


def _laboratory(jackpot: Jackpot, wished: Terms, wait: float | None) -> Previewed:
    """Both configurations, one deadline. A pay table that no pack knows is told as such: nothing is claimed of it."""
    assert jackpot.version_id is not None, "asked before"
    until = monotonic() + (IN_A_REQUEST if wait is None else wait)
    try:
        questions = [question_of(jackpot, terms) for terms in (in_force(jackpot.version_id).terms, wished)]
        for question in questions:
            desk().ask(question, lane="short", wait=0)
        jobs = [desk().ask(question, lane="short", wait=max(0.0, until - monotonic())) for question in questions]
    except NotUnderstood as why:
        unknown = f"{why.why} The laboratory claims nothing of this change: neither its edge nor when it runs dry."
        said = {"code": "no_mathematics", "weight": "warning", "why": unknown}
        return Previewed([said, *switch_findings(wished)], [])
    answers = [job.answer for job in jobs if job.answer is not None]
    if len(answers) < len(jobs):
        return Previewed([], [], min(job.percent for job in jobs if job.answer is None))
    return Previewed([*answers[1]["findings"], *switch_findings(wished)], answers)


def question_of(jackpot: Jackpot, terms: Terms) -> Answer:
    """What the laboratory is asked of one configuration: played as this jackpot's tables are, from its meter now."""
    game, seats = _played(jackpot)
    pack, meter = pack_with_rows_of(game, terms.pay_table), jackpot.meter_money.shown(terms.digits)
    seed = terms.seed
    setting = {
        "pay_table": terms.pay_table.plain(), "wager": str(terms.wager), "rate": str(Fraction(terms.rate, MILLION)),
        "reserve_rate": str(Fraction(terms.reserve_rate, MILLION)), "seed": str(seed),
        "limit": None if terms.limit is None else str(terms.limit),
    }  # fmt: skip
    question = {
        "seats": seats, "coin_ins_a_day": COIN_INS_A_DAY, "days": DAYS, "paths": PATHS,
        "meters": [str(one) for one in dict.fromkeys([meter, seed, seed * 2, seed * 5, seed * 10]) if one > Money(0)],
    }  # fmt: skip
    asked = {"do": "laboratory", "game": game.code, "bet": pack.bet, "table": pack.code}
    return {**asked, "setting": setting, "question": question}


def _played(jackpot: Jackpot) -> tuple[Game, int]:
    """The game and the seats of the tables that feed it; a jackpot without a table is looked at in the first game."""
    games = find_games()
    table = Table.objects.filter(links__jackpot=jackpot).order_by("code").first()
    if table is None:
        return next(iter(games.values())), 7
    if table.game not in games:
        raise NotUnderstood(f"No pack describes the game “{table.game}” of {table.code}.")
    return games[table.game], min(table.seats, 7)


def change_of(jackpot: Jackpot, number: int) -> Change:
    """One request of a jackpot by its number."""
    change = changes(jackpot).filter(number=number).first()
    if change is None:
        raise NotFound(f"{jackpot.code} has no change {number}.", "no_change")
    return change
