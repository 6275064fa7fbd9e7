"""Other terms for a jackpot, as the floor sees them: tables and signs must agree, the laboratory says what they do."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from jackpot.books.actions.post import Books, in_force, open_books
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import changes
from jackpot.configuring.actions import configure
from jackpot.configuring.actions.configure import ChangeTerms, TermsWish
from jackpot.laboratory.switch_findings import switch_findings
from jackpot.money import MILLION, Money
from jackpot.people.models import Operator
from jackpot.refusals import NotFound, NotUnderstood, Refused
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions.approver import SecondPerson
from jackpot.terms.models.terms_change import TermsChange
from jackpot.terms.rules.paytable import NotAPayTable
from jackpot.terms.rules.policy import PolicyRefused
from jackpot.terms.rules.terms import Terms, TermsRefused
from jackpot.terms.rules.terms_change import changed
from tables.calculation.desk import IN_A_REQUEST, desk
from tables.floor.actions.agreeing import check_wished, lock_sharing
from tables.floor.queries.known_rows import pack_with_rows_of
from tables.games.game import NotInThisGame
from tables.games.packs import NotOffered, PackRefused
from tables.games.registry import find_game, refuse_unreached
from tables.par.actions.own_tables import chosen_progressive
from tables.par.actions.par_sheets import game_of

COIN_INS_A_DAY: Final = 4_000
DAYS: Final = 180
PATHS: Final = 200
Finding = dict[str, str]
log = logging.getLogger(__name__)
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TermsPreview:
    """What is found of a wish. `figures` are the laboratory's, in force and wished for; empty while it calculates."""

    findings: list[Finding]
    figures: list[Answer]
    percent: int = 100

    @property
    def ready(self) -> bool:
        return self.percent == 100


def wished_terms(jackpot: Jackpot, wishes: Mapping[str, Any]) -> Terms:
    """The terms in force but for these; what cannot be meant is refused in a sentence that names the term."""
    assert jackpot.version_id is not None, "a jackpot has its first version before anybody can ask for another"
    told = dict(wishes)
    try:
        if isinstance(told.get("pay_table"), Mapping) and "game" in told["pay_table"]:
            told["pay_table"] = _from_pack(jackpot, told["pay_table"])
        wished = changed(in_force(jackpot.version_id).terms, told)
        if "pay_table" in told:
            refuse_unreached(wished.pay_table)
        return wished
    except (TermsRefused, NotAPayTable, PolicyRefused, NotOffered, NotInThisGame, PackRefused) as why:
        raise NotUnderstood(str(why), "terms") from None
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError):
        raise NotUnderstood(
            "These terms cannot be read. Amounts and rates are texts, like “70” or “12000.00”."
        ) from None


@transaction.atomic
def draft(*, jackpot: Jackpot, wish: TermsWish, by: Operator) -> TermsChange:
    """A request for other terms. Tables that share the jackpot and signs that show it must be able to go on."""
    lock_sharing(jackpot.pk)
    jackpot.refresh_from_db()  # the meter of this moment: later looks ask the laboratory the same
    change = configure.draft(jackpot_id=jackpot.pk, wish=wish, by=by, questions=questions_of(jackpot, wish.terms))
    check_wished(jackpot, wish.terms)
    return change


def look_ahead(jackpot: Jackpot, wish: TermsWish, *, wait: float | None = None) -> TermsPreview:
    """What a draft of these terms would hear, without making one."""
    against = list(_objections(jackpot, wish))
    found = _laboratory(questions_of(jackpot, wish.terms), wish.terms, wait)
    return TermsPreview([*against, *found.findings], found.figures, found.percent)


def preview(*, change: TermsChange, by: Operator | None, wait: float | None = None) -> TermsPreview:
    """The laboratory's answer, frozen with the request as soon as it is there. Asked again, it is what was frozen.

    The question is the one of the moment it was asked for: however much is played meanwhile, it comes to its end.
    """
    if change.state != RequestState.ASKED:
        return TermsPreview(change.findings, change.figures)
    found = _laboratory(change.questions, change.value, wait)
    if found.ready:
        configure.freeze_preview(change_id=change.pk, findings=found.findings, figures=found.figures, by=by)
    return found


class TermsOnTheFloor(ChangeTerms):
    """Tables and signs may have changed since the draft: one more look at them, under their locks."""

    @contextmanager
    def hold(self, row: TermsChange) -> Iterator[Books]:
        lock_sharing(row.its_jackpot_id)
        with super().hold(row) as books:
            yield books

    def sign(self, scene: Books, row: TermsChange, approver: SecondPerson, *, seen: bool) -> None:
        check_wished(row.its_jackpot, row.value)
        super().sign(scene, row, approver, seen=seen)


def _from_pack(jackpot: Jackpot, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """A published table by its code, or one of the house's own; a withdrawn one cannot be chosen."""
    source = chosen.get("fixed_from", "tray")
    if source not in ("tray", "meter"):
        raise NotUnderstood("Fixed awards come from the tray or from the meter.", "fixed_from")
    game, code = find_game(str(chosen["game"])), str(chosen.get("code", ""))
    pack = chosen_progressive(jackpot.premises, game, code) or game.table("progressive", code)
    pack.refuse_unless_offered(timezone.now().astimezone(jackpot.premises.zone).date())
    return pack.as_jackpot(source).plain()


def _objections(jackpot: Jackpot, wish: TermsWish) -> Iterator[Finding]:
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


def finish_previews() -> int:
    """Every preview that somebody asked for and that is not there yet is asked for again, watched or not; those that
    have come are kept with their requests. Says how many."""
    come = 0
    for change in TermsChange.objects.filter(state=RequestState.ASKED).select_related("jackpot").order_by("id"):
        try:
            come += preview(change=change, by=None, wait=0).ready
        except Refused as why:  # decided or previewed a moment ago: nothing is left to do
            log.info("the preview of %s: %s", change, why.why)
    return come


def questions_of(jackpot: Jackpot, wished: Terms) -> Answer:
    """What the laboratory is asked of the terms in force and of those wished for; or why it cannot say anything."""
    assert jackpot.version_id is not None, "asked before"
    try:
        asked = [question_of(jackpot, terms) for terms in (in_force(jackpot.version_id).terms, wished)]
    except NotUnderstood as why:
        return {"asked": [], "unknown": why.why}
    return {"asked": asked, "unknown": ""}


def _laboratory(questions: Answer, wished: Terms, wait: float | None) -> TermsPreview:
    """Both configurations, one deadline. A pay table that no pack knows is told as such: nothing is claimed of it."""
    until = monotonic() + (IN_A_REQUEST if wait is None else wait)
    try:
        if questions["unknown"]:
            raise NotUnderstood(questions["unknown"])
        for question in questions["asked"]:
            desk().ask(question, lane="short", wait=0)
        jobs = [
            desk().ask(question, lane="short", wait=max(0.0, until - monotonic())) for question in questions["asked"]
        ]
    except NotUnderstood as why:
        unknown = f"{why.why} The laboratory claims nothing of this change: neither its edge nor when it runs dry."
        said = {"code": "no_mathematics", "weight": "warning", "why": unknown}
        return TermsPreview([said, *switch_findings(wished)], [])
    answers = [job.answer for job in jobs if job.answer is not None]
    if len(answers) < len(jobs):
        return TermsPreview([], [], min(job.percent for job in jobs if job.answer is None))
    return TermsPreview([*answers[1]["findings"], *switch_findings(wished)], answers)


def question_of(jackpot: Jackpot, terms: Terms) -> Answer:
    """What the laboratory is asked of one configuration: played as this jackpot's tables are, from its meter now."""
    game, seats = game_of(jackpot)
    pack, meter = pack_with_rows_of(game, terms.pay_table), jackpot.meter_money.shown(terms.digits)
    seed = terms.seed
    setting = {
        "pay_table": terms.pay_table.plain(), "wager": str(terms.wager), "rate": str(Fraction(terms.rate, MILLION)),
        "reserve_rate": str(Fraction(terms.reserve_rate, MILLION)), "seed": str(seed),
        "limit": None if terms.limit is None else str(terms.limit), **switches_of(terms),
    }  # fmt: skip
    question = {
        "seats": min(seats, 7), "coin_ins_a_day": COIN_INS_A_DAY, "days": DAYS, "paths": PATHS,
        "meters": [str(one) for one in dict.fromkeys([meter, seed, seed * 2, seed * 5, seed * 10]) if one > Money(0)],
    }  # fmt: skip
    asked = {"do": "laboratory", "game": game.code, "bet": pack.bet, "table": pack.code}
    return {**asked, "setting": setting, "question": question}


def switches_of(terms: Terms | None) -> Answer:
    """The switches that move money, and the terms they need, as the calculation reads them; none for a bare pack."""
    if terms is None:
        return {}
    return {
        "policy": terms.policy.switches(), "aggregate": None if terms.aggregate is None else str(terms.aggregate),
        "repay_rate": str(Fraction(terms.repay_rate or 0, MILLION)),
    }  # fmt: skip


def change_of(jackpot: Jackpot, number: int) -> TermsChange:
    """One request of a jackpot by its number."""
    change = changes(jackpot).filter(number=number).first()
    if change is None:
        raise NotFound(f"{jackpot.code} has no change {number}.", "no_change")
    return change
