"""Other terms for a jackpot: drafted by one person, previewed, signed by another, in force at the next reset.

What the floor must agree to (tables that share the jackpot, signs wide enough) is asked by
`tables.requests.actions.configure`, which holds the locks and calls this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from jackpot.books import events
from jackpot.books.actions.post import Books, EntryReference, in_force, open_books
from jackpot.books.actions.waiting import come_into_force, move_on, waiting_change
from jackpot.books.models.jackpot import Jackpot, JackpotState, Version
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING
from jackpot.canonical import request_of
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.terms.models.change import Change
from jackpot.terms.rules.change_life import OPEN, ChangeAct, ChangeState
from jackpot.terms.rules.terms import Terms, TermsRefused
from jackpot.terms.rules.terms_change import differences, only_raises_limit, refuse_low_limit
from jackpot.trail.actions.trail import record
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import OPEN as OPEN_HITS
from jackpot.wins.rules.win_life import WinState

VERB: Final = "configure"
EXECUTIVES: Final = "override"  # the verb of those who may decide against the rule
AN_EXECUTIVE_MAY: Final = frozenset({"house_loses"})
LONGEST_REASON: Final = 200


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks for: these terms, from when on, and why."""

    terms: Terms
    reason: str
    how: Change.How = Change.How.NEXT_RESET


@transaction.atomic
def draft(*, jackpot_id: int, wish: Wish, by: Operator) -> Change:
    """A request that changes nothing yet. What could never be approved is refused here already."""
    with open_books([jackpot_id]) as books:
        jackpot = _jackpot(jackpot_id, by)
        _check_reason(wish.reason)
        stands = books.version(jackpot_id)
        check_terms(books, jackpot, wish)
        last = Change.objects.filter(jackpot=jackpot).aggregate(last=Max("number"))["last"] or 0
        change = Change.objects.create(
            jackpot=jackpot, number=last + 1, terms=wish.terms.text, digest=wish.terms.digest, stands_on_id=stands.id,
            how=wish.how, reason=wish.reason.strip(), state=ChangeState.DRAFT, asked_by=by,
        )  # fmt: skip
    _note(change, by, "draft_version", wish.reason, changes=[str(each) for each in differs(change)])
    return change


@transaction.atomic
def freeze_preview(
    *, change_id: int, findings: Sequence[Mapping[str, str]], figures: Sequence[Mapping[str, Any]], by: Operator
) -> Change:
    """What the preview found is kept with the request: the second person signs what was seen."""
    change = _locked(change_id, by)
    move_on(change, ChangeAct.PREVIEW)
    change.findings, change.figures, change.previewed_at = list(findings), list(figures), timezone.now()
    change.save(update_fields=["state", "findings", "figures", "previewed_at"])
    _note(change, by, "preview_version", findings=[finding["code"] for finding in findings])
    return change


@transaction.atomic
def approve(*, change_id: int, by: Operator) -> Change:
    """The second person's word. The version is made and waits for the next reset, or counts at once where it may."""
    change = _of_house(change_id, by)
    with open_books([change.jackpot_id]) as books:
        change = _locked(change_id, by)
        _check_second(change, by)
        _check_fresh(books, change)
        check_terms(books, change.jackpot, Wish(change.value, change.reason, Change.How(change.how)))
        _check_findings(change, by)
        _check_nothing_fixed(change.jackpot)
        _let_go(waiting_change(change.jackpot_id))
        move_on(change, ChangeAct.APPROVE)
        change.version, change.decided_by, change.decided_at = _version(change, by), by, timezone.now()
        change.save(update_fields=["state", "version", "decided_by", "decided_at"])
        _note(change, by, "approve_version", version=change.version.number, how=change.how)
        if change.how == Change.How.AT_ONCE:
            change = _at_once(books, change, by)
    return change


@transaction.atomic
def refuse(*, change_id: int, why: str, by: Operator) -> Change:
    """The second person says no, and why."""
    change = _locked(change_id, by)
    if change.asked_by_id == by.pk:
        raise NotAllowed(f"{by} asked for this; withdraw it instead of refusing it.", "same_person")
    _check_reason(why)
    move_on(change, ChangeAct.REFUSE)
    change.decided_by, change.decided_at, change.decided_why = by, timezone.now(), why.strip()
    change.save(update_fields=["state", "decided_by", "decided_at", "decided_why"])
    _note(change, by, "refuse_version", why)
    return change


@transaction.atomic
def withdraw(*, change_id: int, why: str, by: Operator) -> Change:
    """A request is taken back by whoever asked; a version that waits, by anyone who configures.

    That leaves the terms that two people signed before, so one person is enough.
    """
    change = _of_house(change_id, by)
    with open_books([change.jackpot_id]):
        change = _locked(change_id, by)
        _check_reason(why)
        if change.state in OPEN and change.asked_by_id != by.pk:
            raise NotAllowed(f"{change.asked_by} asked for this. Refuse it, or let {change.asked_by} withdraw it.")
        if change.state == ChangeState.WAITING:
            _check_nothing_fixed(change.jackpot)
        move_on(change, ChangeAct.WITHDRAW)
        change.withdrawn_by, change.withdrawn_at, change.withdrawn_why = by, timezone.now(), why.strip()
        change.save(update_fields=["state", "withdrawn_by", "withdrawn_at", "withdrawn_why"])
    _note(change, by, "withdraw_version", why)
    return change


def check_terms(books: Books, jackpot: Jackpot, wish: Wish) -> None:
    """Something differs, the limit can be explained to whoever sees the meter, and it may count when it is wished."""
    head, stands = books.heads[jackpot.pk], books.terms(jackpot.pk)
    if jackpot.state == JackpotState.RETIRED:
        raise NotAllowedNow(f"{jackpot.code} is retired; its terms stay as they are.", "retired")
    if stands.digest == wish.terms.digest:
        raise NotAllowedNow(f"These are the terms of {jackpot.code} already. Change at least one.", "no_change")
    if stands.digits != wish.terms.digits:
        raise NotAllowedNow(f"{jackpot.code} counts in {stands.digits} digits; another currency is another jackpot.")
    try:
        refuse_low_limit(wish.terms, Money(head.balances.meter), may_equal=jackpot.premises.limit_may_equal_meter)
    except TermsRefused as why:
        raise NotAllowedNow(f"{jackpot.code}: {why}", "limit") from None
    if wish.how == Change.How.AT_ONCE:
        _check_at_once(jackpot, stands, wish.terms)


def differs(change: Change) -> list[Any]:
    """What the request changes in the terms it was drafted on."""
    return differences(in_force(change.stands_on_id).terms, change.value)


def _check_at_once(jackpot: Jackpot, stands: Terms, wished: Terms) -> None:
    if jackpot.state != JackpotState.SUSPENDED and not (
        jackpot.premises.raise_limit_at_once and only_raises_limit(stands, wished)
    ):
        why = f"{jackpot.code} is {jackpot.state}. Suspend it first, or let the change wait for the next reset."
        raise NotAllowedNow(why, "not_suspended")
    hit = Win.objects.filter(jackpot=jackpot, state__in=OPEN_HITS).order_by("mark_seq").first()
    if hit is not None:
        why = f"{hit.line_name} at {hit.table_code} is open on {jackpot.code}. Settle it first."
        raise NotAllowedNow(why, "hits_open")


def _at_once(books: Books, change: Change, by: Operator) -> Change:
    """An entry of zero movement is the first under the new version, so that the books say when it began."""
    activated = come_into_force(books, change.jackpot_id, str(by))
    assert activated is not None, "it waits since a moment ago"
    request = request_of({"act": "configure", "change": change.number, "terms": change.digest, "by": str(by)})
    books.post(change.jackpot_id, EntryKind.CONFIGURE, NOTHING, EntryReference(f"configure/{change.number}", request))
    return activated


def _version(change: Change, by: Operator) -> Version:
    last = Version.objects.filter(jackpot=change.jackpot).aggregate(last=Max("number"))["last"]
    return Version.objects.create(
        jackpot=change.jackpot, number=last + 1, terms=change.terms, digest=change.digest,
        requested_by=str(change.asked_by)[:60], approved_by=str(by)[:60],
    )  # fmt: skip


def _let_go(waits: Change | None) -> None:
    """One version waits per jackpot: the newer takes its place, the older stays in the history."""
    if waits is not None:
        move_on(waits, ChangeAct.REPLACE)
        waits.save(update_fields=["state"])


def _check_second(change: Change, by: Operator) -> None:
    if change.asked_by_id == by.pk:
        raise NotAllowed(f"{by} asked for this change; a second, different person approves it.", "same_person")
    if change.state == ChangeState.DRAFT:
        raise NotAllowedNow(f"Change {change.number} of {change.jackpot.code} has no preview yet.", "no_preview")


def _check_fresh(books: Books, change: Change) -> None:
    if change.state in OPEN and books.heads[change.jackpot_id].version_id != change.stands_on_id:
        now = books.version(change.jackpot_id)
        number = Version.objects.get(id=now.id).number
        why = f"Version {number} came into force since change {change.number} was drafted. Draft it anew."
        raise NotAllowedNow(why, "stale")


def _check_findings(change: Change, by: Operator) -> None:
    """A refusing finding blocks; some are an executive's to take."""
    signers = change.asked_by.verbs() | by.verbs()
    for finding in change.findings:
        if finding["weight"] == "refused" and not (finding["code"] in AN_EXECUTIVE_MAY and EXECUTIVES in signers):
            cure = "An executive must sign." if finding["code"] in AN_EXECUTIVE_MAY else "Draft other terms."
            why = finding["why"] if finding["why"].endswith(cure) else f"{finding['why']} {cure}"
            raise NotAllowed(why, finding["code"])


def _check_nothing_fixed(jackpot: Jackpot) -> None:
    """Between J-POT and RUN the seed of the coming reset is fixed with the amounts."""
    fixed = Win.objects.filter(jackpot=jackpot, state=WinState.LOGGED).order_by("mark_seq").first()
    if fixed is not None:
        why = f"{fixed.line_name} at {fixed.table_code} is approved and its reset is fixed. Turn its key to RUN first."
        raise NotAllowedNow(why, "fixed")


def _check_reason(reason: str) -> None:
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise NotUnderstood("Say why in 1 to 200 characters.", "reason")


def _check_person(by: Operator, premises_id: int) -> None:
    if not by.may(VERB):
        raise NotAllowed("Terms are changed by people who may configure. An administrator gives that role.")
    if by.premises_id not in (None, premises_id):
        raise NotFound("There is no such jackpot in your house.", "no_jackpot")


def _jackpot(jackpot_id: int, by: Operator) -> Jackpot:
    jackpot = Jackpot.objects.select_related("premises").get(id=jackpot_id)
    _check_person(by, jackpot.premises_id)
    return jackpot


def _of_house(change_id: int, by: Operator) -> Change:
    change = Change.objects.select_related("jackpot").filter(id=change_id).first()
    if change is None:
        raise NotFound("There is no such change.", "no_change")
    _check_person(by, change.jackpot.premises_id)
    return change


def _locked(change_id: int, by: Operator) -> Change:
    """The change as it stands now; whoever decides about it at the same moment waits."""
    _of_house(change_id, by)
    rows = Change.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("jackpot__premises", "asked_by", "version").get(id=change_id)


def _note(change: Change, by: Operator, act: str, why: str = "", **details: Any) -> None:
    subject = change.jackpot.code
    record(actor=str(by), act=act, subject=subject, why=why, details={"change": change.number, **details})
    events.notify(f"config {subject}")
