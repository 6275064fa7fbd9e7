"""Other terms for a jackpot, as the floor sees them: tables and signs must agree, the laboratory says what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from jackpot.books.actions.post import Books, in_force, open_books
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import changes
from jackpot.configuring.actions import configure
from jackpot.configuring.actions.configure import ChangeTerms, TermsWish
from jackpot.laboratory.preset_findings import rate_findings
from jackpot.laboratory.switch_findings import switch_findings
from jackpot.people.models import Operator
from jackpot.refusals import NotFound, NotUnderstood, Refused
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions.approver import SecondPerson
from jackpot.terms.models.terms_change import TermsChange
from jackpot.terms.rules.paytable import NotAPayTable
from jackpot.terms.rules.policy import PolicyRefused
from jackpot.terms.rules.terms import Terms, TermsRefused
from jackpot.terms.rules.terms_change import changed
from tables.calculation.desk import IN_A_REQUEST
from tables.floor.actions.agreeing import check_wished, lock_sharing
from tables.floor.queries.offers import refuse_not_offered
from tables.games.game import NotInThisGame
from tables.games.packs import NotOffered, PackRefused
from tables.games.registry import find_game, refuse_unreached
from tables.par.actions.own_tables import chosen_progressive
from tables.par.actions.par_sheets import game_of
from tables.requests.actions.laboratory import Answer, AskedTerms, ask_laboratory, question_of

Finding = dict[str, str]


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
            told |= _from_pack(jackpot, told["pay_table"], told)
        wished = changed(in_force(jackpot.version_id).terms, told)
        if "pay_table" in told:
            refuse_unreached(wished.pay_table)
        return wished
    except (TermsRefused, NotAPayTable, PolicyRefused, NotOffered, NotInThisGame, PackRefused) as why:
        raise NotUnderstood(str(why), "terms") from None
    # A wish is JSON of any shape: a list where a text belongs, a text where a number does.
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
    # In the draft's own transaction: what tables or signs refuse leaves no request behind.
    check_wished(jackpot, wish.terms)
    return change


def look_ahead(jackpot: Jackpot, wish: TermsWish, *, wait: float | None = None) -> TermsPreview:
    """What a draft of these terms would hear, without making one."""
    against = list(_objections(jackpot, wish))
    found = _laboratory(questions_of(jackpot, wish.terms), _in_force(jackpot), wish.terms, wait)
    return TermsPreview([*against, *found.findings], found.figures, found.percent)


def preview(*, change: TermsChange, by: Operator | None, wait: float | None = None) -> TermsPreview:
    """The laboratory's answer, frozen with the request as soon as it is there. Asked again, it is what was frozen.

    The question is the one of the moment it was asked for: however much is played meanwhile, it comes to its end.
    """
    if change.state != RequestState.ASKED:
        return TermsPreview(change.findings, change.figures)
    found = _laboratory(change.questions, change.stands_on.value, change.value, wait)
    if found.ready:
        configure.freeze_preview(change_id=change.pk, findings=found.findings, figures=found.figures, by=by)
    return found


class TermsOnTheFloor(ChangeTerms):
    """Tables and signs may have changed since the draft: one more look at them, under their locks."""

    @contextmanager
    def lock(self, row: TermsChange) -> Iterator[Books]:
        lock_sharing(row.its_jackpot_id)
        # All that share a table are locked by now, so no neighbour signs other terms while these are judged.
        with super().lock(row) as books:
            yield books

    def finish(self, row: TermsChange, by: Operator | None, *, wait: float | None = None) -> int:
        return preview(change=row, by=by, wait=wait).percent

    def sign(self, scene: Books, row: TermsChange, approver: SecondPerson, *, seen: bool) -> None:
        check_wished(row.its_jackpot, row.value)
        super().sign(scene, row, approver, seen=seen)


def _from_pack(jackpot: Jackpot, chosen: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    """A published table by its code, or one of the house's own, with the presets that it is printed with, where none
    were told; a withdrawn one cannot be chosen."""
    source = chosen.get("fixed_from", "tray")
    if source not in ("tray", "meter"):
        raise NotUnderstood("Fixed awards come from the tray or from the meter.", "fixed_from")
    game, code = find_game(str(chosen["game"])), str(chosen.get("code", ""))
    pack = chosen_progressive(jackpot.premises, game, code) or game.table("progressive", code)
    refuse_not_offered(pack, jackpot.premises)
    # Only what nobody named: a figure that was told is judged by the findings of the preview, not put right here.
    presets = {name: preset for name, preset in pack.presets.items() if told.get(name) is None}
    return {"pay_table": pack.as_jackpot(source).plain(), **presets}


def _objections(jackpot: Jackpot, wish: TermsWish) -> Iterator[Finding]:
    """What would refuse the draft, as findings: the preview says all of it at once."""
    # Locked only to look at one moment of all of it: nothing is posted, and the locks end with this look.
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


def questions_of(jackpot: Jackpot, wished: Terms) -> Answer:
    """What the laboratory is asked of the terms in force and of those wished for; or why it cannot say anything."""
    assert jackpot.version_id is not None, "asked before"
    try:
        (game, seats), meter = game_of(jackpot), jackpot.meter_money
        both = (in_force(jackpot.version_id).terms, wished)
        asked = [question_of(AskedTerms(terms, meter, game, seats)) for terms in both]
    except NotUnderstood as why:
        return {"asked": [], "unknown": why.why}
    return {"asked": asked, "unknown": ""}


def _in_force(jackpot: Jackpot) -> Terms:
    assert jackpot.version_id is not None, "asked before"
    return in_force(jackpot.version_id).terms


def _laboratory(questions: Answer, stands: Terms, wished: Terms, wait: float | None) -> TermsPreview:
    """Both configurations, one deadline. A pay table that no pack knows is told as such: nothing is claimed of it."""
    try:
        if questions["unknown"]:
            raise NotUnderstood(questions["unknown"])
        found = ask_laboratory(questions["asked"], IN_A_REQUEST if wait is None else wait)
    except NotUnderstood as why:
        unknown = f"{why.why} The laboratory claims nothing of this change: neither its edge nor when it runs dry."
        said = {"code": "no_mathematics", "weight": "warning", "why": unknown}
        return TermsPreview([*rate_findings(stands, wished, None), said, *switch_findings(wished)], [])
    if not found.ready:
        return TermsPreview([], [], found.percent)
    edges = (found.answers[0]["house_edge"], found.answers[1]["house_edge"])
    told = [*rate_findings(stands, wished, edges), *found.answers[1]["findings"], *switch_findings(wished)]
    return TermsPreview(told, found.answers)


def change_of(jackpot: Jackpot, number: int) -> TermsChange:
    """One request of a jackpot by its number."""
    change = changes(jackpot).filter(number=number).first()
    if change is None:
        raise NotFound(f"{jackpot.code} has no change {number}.", "no_change")
    return change
