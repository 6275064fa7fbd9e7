"""A program gets a token, shows it, and loses it. The token itself is told once and kept by nobody."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounting.programs.models import ProgramCaller, ProgramToken
from accounting.programs.rules.token import (
    SCOPES,
    end_refusal,
    looks_like_token,
    name_refusal,
    new_token,
    scopes_refusal,
)
from jackpot.people.actions.dismissing import check_why, check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood, Refused
from jackpot.trail.actions.trail import record


class TokenRefused(Refused):
    """One sentence for every reason: whoever tries tokens learns nothing."""

    code = "token_refused"
    status = 401


@dataclass(frozen=True, slots=True)
class GivenToken:
    """The row that is kept and the text that is not."""

    row: ProgramToken
    written: str


@transaction.atomic
def give_token(
    *, premises: Property, name: str, scopes: Sequence[str], last_day: date, reason: str, by: Operator
) -> GivenToken:
    """One administrator gives it: it only reads, ends by itself and stands in the review that two people sign."""
    _check_may_give(premises, by)
    why = check_why(reason, "Say why the program gets a token")
    now, name = timezone.now(), name.strip()
    today = now.astimezone(premises.zone).date()
    for field, refusal in (
        ("name", name_refusal(name)), ("scopes", scopes_refusal(scopes)), ("last_day", end_refusal(last_day, today)),
    ):  # fmt: skip
        if refusal:
            raise NotUnderstood(refusal, field)
    text = new_token()
    row = ProgramToken.objects.create(
        premises=premises, name=name, prefix=text.prefix, secret_hash=token_hash(text.written),
        scopes=[each for each in SCOPES if each in scopes], given_by=by, ends_at=_end_of(last_day, premises),
    )  # fmt: skip
    details = {"name": name, "scopes": row.scopes, "last_day": last_day.isoformat()}
    record(actor=by, act="give_token", subject=row.prefix, why=why, details=details)
    return GivenToken(row, text.written)


@transaction.atomic
def revoke_token(*, row: ProgramToken, reason: str, by: Operator) -> ProgramToken:
    """Counts from this commit on: the next request with it is refused."""
    _check_may_give(row.premises, by)
    why = check_why(reason, "Say why the token is revoked")
    # Of two who revoke it at once the second hears that it is done, and who did it stays.
    held = ProgramToken.objects.select_for_update(no_key=True).get(pk=row.pk)
    if held.revoked_at is not None:
        raise NotAllowedNow(f"The token of {held} is revoked already. Nothing is read with it.", "revoked")
    held.revoked_at, held.revoked_by = timezone.now(), by
    held.save(update_fields=["revoked_at", "revoked_by"])
    record(actor=by, act="revoke_token", subject=held.prefix, why=why, details={"name": held.name})
    return held


@transaction.atomic
def use_token(written: str) -> ProgramToken:
    """The token behind what was shown, judged and counted in one statement: a revocation is before it or after it."""
    found: ProgramToken | None = None
    # What cannot be one is not looked for: a guesser costs no question of the database.
    if looks_like_token(written):
        rows = ProgramToken.objects.filter(secret_hash=token_hash(written), revoked_at=None)
        now = timezone.now()
        if rows.filter(ends_at__gt=now).update(uses=F("uses") + 1, last_used_at=now):
            found = ProgramToken.objects.select_related("premises").get(secret_hash=token_hash(written))
    if found is None:
        raise TokenRefused("This token opens nothing here. Ask an administrator for one that does.")
    # The first use alone: it says that the token arrived; every later one would bury the trail.
    if found.uses == 1:
        record(actor=ProgramCaller(found), act="first_use_of_token", subject=found.prefix)
    return found


def token_hash(written: str) -> bytes:
    """Keyed with the file key, as card numbers are: a copy of the database tells nobody what would fit."""
    key = hmac.digest(settings.MASTER_KEY, b"program tokens", "sha256")
    return hmac.digest(key, written.encode(), "sha256")


def _end_of(last_day: date, premises: Property) -> datetime:
    # The midnight behind it in the house's own zone: the last day is a whole day there.
    return datetime.combine(last_day + timedelta(days=1), time(), premises.zone)


def _check_may_give(premises: Property, by: Operator) -> None:
    check_works_here(by)
    if not by.may("people"):
        raise NotAllowed(f"{by} may not give programs a way in. An administrator does.", "role")
    if by.premises_id not in (None, premises.pk):
        raise NotFound("There is no such token in your house.", "no_token")
