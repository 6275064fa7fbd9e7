"""A notice falls due: with the second signature of an act that the house's rules name, or with the age of a slip."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from jackpot.errands.rules import Rhythm
from jackpot.money import Money
from jackpot.notices.models import Notice
from jackpot.notices.queries import who_is_told
from jackpot.property.models.property import Property
from jackpot.property.rules.notice import DECLARED, NoticeAbout
from jackpot.property.rules.unclaimed import ClaimState
from jackpot.requests.models import Request
from jackpot.trail.actions.trail import record
from jackpot.wins.queries.paying import unclaimed_slips

RHYTHM: Final = Rhythm("raise notices", every=timedelta(minutes=10), alarm_after=timedelta(hours=1))
OWNER_OF_THE_SLIP: Final = "its owner"


def raise_notices(*, request: Request, subject: str, at: datetime, amount: Money | None = None) -> list[Notice]:
    """Inside the act that two people signed: one notice for each whom the rules of that gaming day name."""
    if request.kind not in DECLARED:
        return []
    about = NoticeAbout(request.kind)
    return _raised(request.premises, about, subject, at, amount, request_id=request.pk)


def raise_for_suspension(*, suspension: Any, premises: Property, at: datetime) -> list[Notice]:
    """A jackpot that suspended itself is told of to whom a suspension is told of; no request stands behind it."""
    subject = f"{suspension.jackpot.code} suspended itself: too little in the bank"
    return _raised(premises, NoticeAbout.SUSPEND, subject, at, None, suspension=suspension)


def _raised(
    house: Property, about: NoticeAbout, subject: str, at: datetime, amount: Money | None, **of: Any
) -> list[Notice]:
    made = []
    for rule in who_is_told(house, about, at):
        if not rule.concerns(amount):
            continue
        # A rule with no hours is how a house ends one from a day on; the query leaves it out.
        assert rule.within_hours is not None, "a rule that ends notices raises none"
        due = at + timedelta(hours=rule.within_hours)
        told = {"about": about, "to": rule.to, "owner": rule.owner, "subject": subject[:120], "due_at": due}
        made.append(Notice.objects.create(premises=house, **told, **of))
    for notice in made:
        _note(notice)
    return made


def raise_slip_notices() -> int:
    """The owner of each unpaid slip that has come to the age of its rule has to be told; once for a slip."""
    made = 0
    for house in Property.objects.order_by("id"):
        # In one question: the worker comes every ten minutes, and slips stay here until somebody has claimed them.
        known = set(Notice.objects.filter(premises=house, win__isnull=False).values_list("win_id", flat=True))
        for each in unclaimed_slips(house, house.gaming_day(timezone.now())):
            claim = each.claim
            if claim.state != ClaimState.NOTICE_DUE or claim.notice_due is None or each.win_id in known:
                continue
            # Slip by slip: what goes wrong with one takes back no notice of another.
            with transaction.atomic():
                # Two workers may look at once: the database takes one notice of a slip, and only its maker writes to
                # the trail.
                notice, is_new = Notice.objects.get_or_create(
                    win_id=each.win_id,
                    defaults={
                        "premises": house, "about": NoticeAbout.SLIP, "to": OWNER_OF_THE_SLIP,
                        "subject": f"slip {each.slip}, {each.amount}",
                        # The day that the rule counts to is the owner's to the end: late is what begins on the next
                        # one.
                        "due_at": house.day_begins(claim.notice_due + timedelta(days=1)),
                    },
                )  # fmt: skip
                if is_new:
                    _note(notice)
                    made += 1
    return made


def _note(notice: Notice) -> None:
    details = {"about": notice.about, "to": notice.to, "owner": notice.owner, "due_at": notice.due_at.isoformat()}
    record(
        actor="server", act="raise_notice", about=notice.thing, subject=f"{notice}: {notice.subject}"[:80],
        outcome="due", why=notice.words, details=details,
    )  # fmt: skip
