"""One person asks. What would come of it is computed and kept; nothing moves."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction

from jackpot.books.actions.post import open_books
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.requests.actions.difference import told_of
from jackpot.requests.actions.plan import Preview, jackpots_of, plan, previewed
from jackpot.requests.models import Adjustment
from jackpot.requests.rules.adjusting import ACCOUNTS, NAMES, REASONS, REASONS_OF, Adjusting
from jackpot.trail.actions.trail import record
from jackpot.wins.models import Win


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks for, and why."""

    kind: Adjusting
    jackpot: Jackpot
    reason: str
    why: str
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

    def row(self) -> Adjustment:
        return Adjustment(
            kind=self.kind.value, jackpot=self.jackpot, other=self.other, win=self.win, account=self.account,
            amount=_decimal(self.amount), reading=_decimal(self.reading),
            reason=self.reason, why=self.why.strip()[:200], evidence=self.evidence.strip()[:200],
            file_name=self.file_name, file_sha256=self.file_sha256, cause=self.cause, pays=self.pays,
        )  # fmt: skip


def preview(*, row: Adjustment) -> Preview:
    """Before and after as of now, or the refusal that the act would meet. Nothing is kept."""
    with open_books(jackpots_of(row)) as books:
        return previewed(books, row, plan(books, row))


@transaction.atomic
def ask(*, wish: Wish, by: Operator) -> Adjustment:
    """A request with its reason and evidence, for another person to decide."""
    _check_words(wish, by)
    row = wish.row()
    if wish.kind == Adjusting.DIFFERENCE:  # computed, never typed
        row.amount = Money.of(told_of(wish.cause, wish.win)["owed"]).decimal()
    row.requested_by = by
    with open_books(jackpots_of(row)) as books:
        _check_alone(wish)
        shown = previewed(books, row, plan(books, row))
        row.requested_at = books.heads[row.jackpot_id].now
        row.shown = plain_preview(shown)
        row.save()
    record(
        actor=str(by), act=f"request_{wish.kind.value}", subject=f"adjustment {row.pk}", why=row.why,
        details=plain_wish(row),
    )  # fmt: skip
    return row


def plain_preview(shown: Preview) -> dict[str, Any]:
    return {"jackpots": shown.jackpots, "differences": [each.plain() for each in shown.differences]}


def plain_wish(row: Adjustment) -> dict[str, Any]:
    """The request as the trail and the digest of its entries know it."""
    return {
        "act": row.kind, "adjustment": row.pk, "jackpot": row.jackpot.code, "other": row.other and row.other.code,
        "win": row.win_id, "account": row.account, "amount": _text(row.amount_money),
        "reading": _text(row.reading_money), "reason": row.reason, "why": row.why,
        "evidence": row.evidence, "file": row.file_sha256, "requested_by": row.requested_by.username,
        **({"cause": row.cause_id, "pays": row.pays} if row.kind == Adjusting.DIFFERENCE else {}),
    }  # fmt: skip


def _decimal(amount: Money | None) -> Decimal | None:
    return None if amount is None else amount.decimal()


def _text(amount: Money | None) -> str | None:
    return None if amount is None else str(amount)


def _check_words(wish: Wish, by: Operator) -> None:
    what = NAMES[wish.kind]
    if wish.reason not in REASONS_OF[wish.kind]:
        known = ", ".join(REASONS[code] for code in REASONS_OF[wish.kind])
        raise NotUnderstood(f"{what} for one of these reasons: {known}.", "reason")
    if not wish.why.strip() or not wish.evidence.strip():
        raise NotUnderstood(f"{what} needs its reason and its evidence, such as the camera time.", "reason")
    if wish.account not in ACCOUNTS and wish.kind != Adjusting.DIFFERENCE:
        raise NotUnderstood("An amount is typed for the meter or for the reserve.", "account")
    if by.premises_id not in (None, wish.jackpot.premises_id):
        raise NotAllowed(f"{wish.jackpot.code} belongs to another house.", "other_house")


def _check_alone(wish: Wish) -> None:
    """One request of a kind at a time: two would be approved on one look."""
    rows = Adjustment.objects.filter(state=Adjustment.State.REQUESTED, kind=wish.kind.value, jackpot=wish.jackpot)
    waiting = rows.filter(win=wish.win, cause=wish.cause).select_related("requested_by").first()
    if waiting is not None:
        raise NotAllowedNow(
            f"{waiting} of {wish.jackpot.code} by {waiting.requested_by} waits already. Decide it first.", "waiting"
        )
