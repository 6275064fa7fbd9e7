"""Other terms for a jackpot: drafted by one person, previewed, signed by another, in force at the next reset.

What the floor must agree to (tables that share the jackpot, signs wide enough) is asked by
`tables.requests.actions.configure`, which holds the locks and calls this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from jackpot.approvals.queries import jackpot_lacks
from jackpot.approvals.rules import refuse_lacking
from jackpot.books import events
from jackpot.books.actions.post import Books, EntryReference, in_force, open_books
from jackpot.books.actions.waiting import come_into_force, waiting_change
from jackpot.books.models.jackpot import Jackpot, JackpotState, Version
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING
from jackpot.canonical import request_of
from jackpot.laboratory.record import sealed_record
from jackpot.money import Money
from jackpot.notices.actions.raising import raise_notices
from jackpot.notices.models import Notice
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound
from jackpot.requests.actions.life import move_on, next_number
from jackpot.requests.models import Request, RequestEntry
from jackpot.requests.rules.life import RequestAct, RequestState
from jackpot.signing.actions.approver import SecondPerson
from jackpot.signing.actions.deciding import check_reason, decided, note
from jackpot.signing.actions.kinds import ComparedValue, RequestKind, kind_of
from jackpot.terms.models.terms_change import TERMS, TermsChange
from jackpot.terms.rules.terms import Terms, TermsRefused, refuse_long_codes
from jackpot.terms.rules.terms_change import differences, only_raises_limit, refuse_low_limit
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import OPEN as OPEN_HITS
from jackpot.wins.rules.win_life import WinState

VERB: Final = "configure"
EXECUTIVES: Final = "override"  # the verb of those who may decide against the rule
AN_EXECUTIVE_MAY: Final = frozenset({"house_loses"})


@dataclass(frozen=True, slots=True)
class TermsWish:
    """What somebody asks for: these terms, from when on, and why."""

    terms: Terms
    reason: str
    how: TermsChange.How = TermsChange.How.NEXT_RESET


@transaction.atomic
def draft(*, jackpot_id: int, wish: TermsWish, by: Operator, questions: Mapping[str, Any] | None = None) -> TermsChange:
    """A request that changes nothing yet. What could never be approved is refused here already."""
    # Locked already for the draft: its number, and the version it stands on, are those of one moment.
    with open_books([jackpot_id]) as books:
        jackpot = _jackpot(jackpot_id, by)
        check_reason(wish.reason)
        # Kept as `stands_on`: a signature is refused once another version is in force, as nobody compared with that
        # one.
        stands = books.version(jackpot_id)
        check_terms(books, jackpot, wish)
        change = TermsChange.objects.create(
            kind=TERMS, premises_id=jackpot.premises_id, jackpot=jackpot, number=next_number(TERMS, jackpot=jackpot),
            terms=wish.terms.text, digest=wish.terms.digest, stands_on_id=stands.id, how=wish.how,
            reason=wish.reason.strip(), asked_by=by, asked_by_name=str(by)[:100], questions=dict(questions or {}),
        )  # fmt: skip
    _note(change, by, "draft", wish.reason, changes=[str(each) for each in differs(change)])
    return change


@transaction.atomic
def freeze_preview(
    *,
    change_id: int,
    findings: Sequence[Mapping[str, str]],
    figures: Sequence[Mapping[str, Any]],
    by: Operator | None = None,
) -> TermsChange:
    """What the preview found is kept with the request: the second person signs what was seen. Without `by` nobody
    watched it; the worker saw it to its end."""
    rows = TermsChange.objects.select_for_update(no_key=True, of=("request_ptr",))  # the worker may lock no more
    change = rows.select_related("jackpot", "premises").get(pk=change_id)
    if by is not None:
        check_configures(by, change.premises_id)
    move_on(change, RequestAct.PREVIEW)
    # Its digest stands in the sealed trail as well: what the second person saw is not exchanged unnoticed.
    record = sealed_record({"asked": change.questions, "figures": list(figures)})
    change.findings, change.preview, change.previewed_at = list(findings), record, timezone.now()
    change.save(update_fields=["state", "findings", "preview", "previewed_at"])
    _note(change, by, "preview", findings=[finding["code"] for finding in findings], digest=record["digest"])
    return change


class ChangeTerms(RequestKind[TermsChange]):
    """Other terms: the version is made with the second signature and waits for the reset, or counts at once."""

    code, name, model = TERMS, "Other terms", TermsChange
    may_ask: ClassVar[frozenset[str]] = frozenset({VERB})
    may_sign: ClassVar[frozenset[str]] = frozenset({VERB})
    follows = ("jackpot__premises", "stands_on", "version", "before")

    @contextmanager
    def lock(self, row: TermsChange) -> Iterator[Books]:
        with open_books([row.its_jackpot_id]) as books:
            yield books

    def sign(self, scene: Books, row: TermsChange, approver: SecondPerson, *, seen: bool) -> None:  # noqa: ARG002  each kind takes what it needs
        """What was previewed must still fit what stands; then the version is made and takes the waiting one's place."""
        by = approver.operator
        # What spoke against the draft may have come since: it is all asked again, under the jackpot's lock.
        _check_fresh(scene, row)
        check_terms(scene, row.its_jackpot, TermsWish(row.value, row.reason, TermsChange.How(row.how)))
        check_findings(row, by)
        _refuse_unapproved(row)
        _check_nothing_fixed(row.its_jackpot)
        _let_go(waiting_change(row.its_jackpot_id))  # first: the database lets one version of a jackpot wait
        decided(row, approver, timezone.now())
        row.version = _version(row, by)
        row.save()
        note(self, row, by, "approve", version=row.version.number, how=row.how)
        subject = f"change {row.number} of {row.its_jackpot.code}, version {row.version.number}"
        told = raise_notices(request=row, subject=subject, at=timezone.now())
        if told and row.premises.terms_wait_for_notice:
            row.not_told = True
            # The reset asks this column: until somebody was told, no reset may put the version in force.
            row.save(update_fields=["not_told"])
        elif row.how == TermsChange.How.AT_ONCE:
            _at_once(scene, row, by)

    def let_go(self, scene: Books, row: TermsChange) -> None:  # noqa: ARG002  each kind takes what it needs
        """What waits for a reset never counts: that leaves the terms that two people signed before."""
        _check_nothing_fixed(row.its_jackpot)

    def check_person(self, row: TermsChange, who: Operator) -> None:
        check_configures(who, row.premises_id)

    def compared(self, row: TermsChange) -> list[ComparedValue]:
        return [ComparedValue(each.name, each.before, each.after) for each in differs(row)]

    def subject(self, row: TermsChange) -> str:
        code: str = row.its_jackpot.code
        return code

    def plain(self, row: TermsChange) -> dict[str, Any]:
        return {"change": row.number}

    @property
    def trail(self) -> str:
        return "version"

    def announce(self, row: TermsChange) -> None:
        events.notify(f"config {row.its_jackpot.code}")


def check_terms(books: Books, jackpot: Jackpot, wish: TermsWish) -> None:
    """Something differs, the limit can be explained to whoever sees the meter, and it may count when it is wished."""
    # Compared with the version in force under this lock, not with the one the draft was written on.
    head, stands = books.heads[jackpot.pk], books.terms(jackpot.pk)
    if jackpot.state == JackpotState.RETIRED:
        raise NotAllowedNow(f"{jackpot.code} is retired; its terms stay as they are.", "retired")
    if stands.digest == wish.terms.digest:
        raise NotAllowedNow(f"These are the terms of {jackpot.code} already. Change at least one.", "no_change")
    if stands.digits != wish.terms.digits:
        raise NotAllowedNow(f"{jackpot.code} counts in {stands.digits} digits; another currency is another jackpot.")
    try:
        refuse_long_codes(wish.terms)
    except TermsRefused as why:
        raise NotAllowedNow(f"{jackpot.code}: {why}", "pay_table") from None
    try:
        refuse_low_limit(wish.terms, Money(head.balances.meter), may_equal=jackpot.premises.limit_may_equal_meter)
    except TermsRefused as why:
        raise NotAllowedNow(f"{jackpot.code}: {why}", "limit") from None
    if wish.how == TermsChange.How.AT_ONCE:
        _check_at_once(jackpot, stands, wish.terms)


def differs(change: TermsChange) -> list[Any]:
    """What the request changes in the terms it was drafted on."""
    return differences(in_force(change.stands_on_id).terms, change.value)


def terms_told(notice: Notice, by: Operator) -> None:
    """The last notice of other terms is done: the next reset may put them in force, or they count now.

    What was to count at once and cannot any more, since the jackpot plays again, waits for the reset like the others.
    """
    request = notice.request
    assert request is not None, "terms are asked for by a request"
    assert request.jackpot_id is not None, "and are those of a jackpot"
    with open_books([request.jackpot_id]) as books:
        # Notices of one request are done in any order and by different roles; the last of them opens the way. Asked
        # behind the lock: of two people who finish the last two at once the second sees what the first one did.
        if request.notices.filter(done_at__isnull=True).exists():
            return
        rows = TermsChange.objects.select_for_update(no_key=True, of=("self", "request_ptr"))
        change = rows.select_related("jackpot__premises", "version").get(pk=request.pk)
        # Where the house's switch did not make them wait, the terms went on with their second signature.
        if not change.not_told:
            return
        _check_nothing_fixed(change.its_jackpot)
        change.not_told = False
        change.save(update_fields=["not_told"])
        _note(change, by, "terms_told")
        if _counts_now(books, change):
            _at_once(books, change, by)


def _counts_now(books: Books, change: TermsChange) -> bool:
    """Whether it was asked for at once, still waits, and may count as it might have at its signature."""
    if change.how != TermsChange.How.AT_ONCE or change.state != RequestState.SIGNED:
        return False
    try:
        _check_fresh(books, change)
        check_terms(books, change.its_jackpot, TermsWish(change.value, change.reason, TermsChange.How.AT_ONCE))
    except NotAllowedNow:
        return False
    return True


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


def _at_once(books: Books, change: TermsChange, by: Operator) -> None:
    """An entry of zero movement is the first under the new version, so that the books say when it began."""
    activated = come_into_force(books, change.its_jackpot_id, str(by))
    assert activated is not None, "it waits since a moment ago"
    request = request_of({"act": "configure", "change": change.number, "terms": change.digest, "by": str(by)})
    entry = EntryReference(f"configure/{change.number}", request)
    posted = books.post(change.its_jackpot_id, EntryKind.CONFIGURE, NOTHING, entry)
    RequestEntry.objects.create(request=change, jackpot_id=change.its_jackpot_id, seq=posted.seq)
    change.refresh_from_db()


def _version(change: TermsChange, by: Operator) -> Version:
    last = Version.objects.filter(jackpot=change.its_jackpot).aggregate(last=Max("number"))["last"]
    return Version.objects.create(
        jackpot=change.its_jackpot, number=last + 1, terms=change.terms, digest=change.digest,
        requested_by=str(change.asked_by)[:60], approved_by=str(by)[:60],
    )  # fmt: skip


def _let_go(waits: TermsChange | None) -> None:
    """One version waits per jackpot: the newer takes its place, the older stays in the history."""
    if waits is not None:
        move_on(waits, RequestAct.REPLACE)
        waits.save(update_fields=["state"])


def _check_fresh(books: Books, change: TermsChange) -> None:
    if books.heads[change.its_jackpot_id].version_id != change.stands_on_id:
        now = books.version(change.its_jackpot_id)
        number = Version.objects.get(id=now.id).number
        why = f"Version {number} came into force since change {change.number} was drafted. Draft it anew."
        raise NotAllowedNow(why, "stale")


def check_findings(row: Request, by: Operator) -> None:
    """A refusing finding blocks; some are an executive's to take."""
    # Of both signers: an executive who asked for it has put their name under it as well.
    signers = row.asked_by.verbs() | by.verbs()
    for finding in row.findings:
        if finding["weight"] == "refused" and not (finding["code"] in AN_EXECUTIVE_MAY and EXECUTIVES in signers):
            cure = "An executive must sign." if finding["code"] in AN_EXECUTIVE_MAY else "Draft other terms."
            why = finding["why"] if finding["why"].endswith(cure) else f"{finding['why']} {cure}"
            raise NotAllowed(why, finding["code"])


def _refuse_unapproved(row: TermsChange) -> None:
    """Other terms of a jackpot, or another pay table, do not count before what the rule book asks is approved."""
    house = row.its_jackpot.premises
    day = house.gaming_day(timezone.now())
    missing = jackpot_lacks(house, row.its_jackpot.code, row.value.pay_table.code, day)
    refuse_lacking(f"The terms of {row.its_jackpot.code} do not count", missing, day)


def _check_nothing_fixed(jackpot: Jackpot) -> None:
    """Between J-POT and RUN the seed of the coming reset is fixed with the amounts."""
    fixed = Win.objects.filter(jackpot=jackpot, state=WinState.LOGGED).order_by("mark_seq").first()
    if fixed is not None:
        why = f"{fixed.line_name} at {fixed.table_code} is approved and its reset is fixed. Turn its key to RUN first."
        raise NotAllowedNow(why, "fixed")


def check_configures(by: Operator, premises_id: int) -> None:
    """Only people with the verb, and of this house: another house is not there for them."""
    if not by.may(VERB):
        raise NotAllowed("Terms are changed by people who may configure. An administrator gives that role.")
    if by.premises_id not in (None, premises_id):
        raise NotFound("There is no such jackpot in your house.", "no_jackpot")


def _jackpot(jackpot_id: int, by: Operator) -> Jackpot:
    jackpot = Jackpot.objects.select_related("premises").get(id=jackpot_id)
    check_configures(by, jackpot.premises_id)
    return jackpot


def _note(change: TermsChange, by: Operator | None, act: str, why: str = "", **details: Any) -> None:
    kind = kind_of(TERMS)
    note(kind, change, by, act, why, **details)
    kind.announce(change)
