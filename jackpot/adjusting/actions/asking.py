"""One person asks. What would come of it is computed and kept; nothing moves."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction

from jackpot.adjusting.actions.difference import kept_difference
from jackpot.adjusting.actions.frame import AdjustmentKind, AdjustmentPreview
from jackpot.adjusting.actions.underpayment import underpaid
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import ACCOUNTS, GROUNDS, GROUNDS_OF, MAKES_UP, NAMES, Adjusting
from jackpot.books.models.jackpot import Jackpot
from jackpot.evidence.actions.keep import attach
from jackpot.evidence.rules.evidence_file import EvidenceUpload
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.requests.actions.life import move_on
from jackpot.requests.rules.life import OPEN, RequestAct
from jackpot.signing.actions.deciding import note
from jackpot.signing.actions.kinds import kind_of
from jackpot.wins.models import Win


@dataclass(frozen=True, slots=True)
class AdjustmentWish:
    """What somebody asks for, on which ground, and why."""

    kind: Adjusting
    jackpot: Jackpot
    ground: str
    reason: str
    evidence: str
    other: Jackpot | None = None
    win: Win | None = None
    account: str = "meter"
    amount: Money | None = None
    reading: Money | None = None
    file_name: str = ""
    file_sha256: str = ""
    cause: Adjustment | None = None
    pays: bool = False
    leaves_seed: bool = False
    file: EvidenceUpload | None = None  # with it, name and digest are those of the file

    def row(self) -> Adjustment:
        name, digest = (self.file.name, self.file.sha256) if self.file else (self.file_name, self.file_sha256)
        return Adjustment(
            kind=self.kind.value, premises_id=self.jackpot.premises_id, jackpot=self.jackpot, other=self.other,
            win=self.win, account=self.account, amount=_decimal(self.amount), reading=_decimal(self.reading),
            ground=self.ground, reason=self.reason.strip()[:200], evidence=self.evidence.strip()[:200],
            file_name=name, file_sha256=digest, cause=self.cause,
            pays=self.pays or self.kind == Adjusting.UNDERPAYMENT,
            leaves_seed=self.leaves_seed,
        )  # fmt: skip


def preview(*, row: Adjustment) -> AdjustmentPreview:
    """Before and after as of now, or the refusal that the act would meet. Nothing is kept."""
    kind = adjustment_kind(row)
    # Under the locks of the act itself: what is shown is what would be posted at this moment.
    with kind.lock(row) as books:
        return kind.previewed(books, row, kind.planned(books, row, asking=row.pk is None))


@transaction.atomic
def ask(*, wish: AdjustmentWish, by: Operator) -> Adjustment:
    """A request with its reason and evidence, for another person to decide."""
    _check_words(wish, by)
    row = wish.row()
    kind = adjustment_kind(row)
    if wish.kind == Adjusting.DIFFERENCE:  # computed, never typed
        row.amount = Money.of(kept_difference(wish.cause, wish.win)["owed"]).decimal()
    elif wish.kind == Adjusting.UNDERPAYMENT:
        row.amount = underpaid(wish.win, wish.reading).owed.decimal()
    row.asked_by, row.asked_by_name = by, str(by)[:100]
    with kind.lock(row) as books:
        _check_alone(wish)  # behind the lock: of two who ask at once the second finds the first
        shown = kind.previewed(books, row, kind.planned(books, row, asking=True))
        # By the books' clock, as its entries will be.
        row.asked_at = row.previewed_at = books.heads[row.its_jackpot_id].now
        row.preview = shown.plain()
        move_on(row, RequestAct.PREVIEW)
        row.save()
        # Behind the row, whose number the file belongs to; in one transaction, so no request stands without what it
        # names.
        if wish.file is not None:
            attach(request=row, upload=wish.file, by=by)
    note(kind, row, by, "request", row.reason)
    return row


def adjustment_kind(row: Adjustment) -> AdjustmentKind:
    kind = kind_of(row.kind)
    assert isinstance(kind, AdjustmentKind), "an adjustment is of one of these kinds"
    return kind


def _decimal(amount: Money | None) -> Decimal | None:
    return None if amount is None else amount.decimal()


def _check_words(wish: AdjustmentWish, by: Operator) -> None:
    what = NAMES[wish.kind]
    if wish.ground not in GROUNDS_OF[wish.kind]:
        known = ", ".join(GROUNDS[code] for code in GROUNDS_OF[wish.kind])
        raise NotUnderstood(f"{what} for one of these reasons: {known}.", "reason")
    if not wish.reason.strip() or not wish.evidence.strip():
        raise NotUnderstood(f"{what} needs its reason and its evidence, such as the camera time.", "reason")
    if wish.account not in ACCOUNTS and wish.kind not in MAKES_UP:
        raise NotUnderstood("An amount is typed for the meter or for the reserve.", "account")
    if wish.leaves_seed and (wish.kind not in (Adjusting.TRANSFER, Adjusting.RETIRE) or wish.other is None):
        raise NotUnderstood(
            "A seed is left behind where money goes to another jackpot. Name the one that takes it.", "other"
        )
    if by.premises_id not in (None, wish.jackpot.premises_id):
        raise NotAllowed(f"{wish.jackpot.code} belongs to another house.", "other_house")


def _check_alone(wish: AdjustmentWish) -> None:
    """One request of a kind at a time: two would be approved on one look."""
    rows = Adjustment.objects.filter(state__in=OPEN, kind=wish.kind.value, jackpot=wish.jackpot)
    about = {} if wish.kind == Adjusting.UNDERPAYMENT else {"cause": wish.cause}
    waiting = rows.filter(win=wish.win, **about).select_related("asked_by").first()
    if waiting is not None:
        raise NotAllowedNow(
            f"{waiting} of {wish.jackpot.code} by {waiting.asked_by} waits already. Decide it first.", "waiting"
        )
