"""A program gets a token, shows it, and loses it. The token itself is told once and kept by nobody."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from accounting.programs.models import ProgramCaller, ProgramToken
from accounting.programs.queries import answered_for
from accounting.programs.rules.token import (
    LONGEST_NAME,
    MOST_DAYS,
    SCOPES,
    end_refusal,
    looks_like_token,
    name_refusal,
    new_token,
    scopes_refusal,
)
from accounting.ways_out.actions import WayOut, held_to_fetch
from jackpot.people.actions.dismissing import check_why, check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.reading import read_day
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood, Refused
from jackpot.requests.models import Request
from jackpot.signing.actions.kinds import ComparedValue
from jackpot.signing.rules import AskField, FieldLook
from jackpot.trail.actions.trail import record

MAY_READ: Final = [(scope, f"{scope}: {words}") for scope, words in SCOPES.items()]


class TokenRefused(Refused):
    """One sentence for every reason: whoever tries tokens learns nothing."""

    code = "token_refused"
    status = 401


@dataclass(frozen=True, slots=True)
class GivenToken:
    """The row that is kept and the text that is not."""

    row: ProgramToken
    written: str


class GiveToken(WayOut):
    """What it may read, by which program and until when; the token itself is made when one of the two fetches it."""

    code, name = "program_token", "Token of a program"
    lead = "A program reads with it until its last day, or until whoever asked for it or was shown it leaves."
    fields: ClassVar[tuple[AskField, ...]] = (
        AskField("name", "Program", longest=LONGEST_NAME),
        AskField("scopes", "It may read", FieldLook.TICKS, options=MAY_READ),
        AskField("last_day", f"Last day, at most {MOST_DAYS} days from today", FieldLook.DAY),
    )  # fmt: skip

    def check(self, premises: Property, payload: Mapping[str, Any]) -> None:
        today = timezone.now().astimezone(premises.zone).date()
        for field, refusal in (
            ("name", name_refusal(payload["name"])), ("scopes", scopes_refusal(payload["scopes"])),
            ("last_day", end_refusal(_last_day(payload), today)),
        ):  # fmt: skip
            if refusal:
                raise NotUnderstood(refusal, field)

    def compared(self, row: Request) -> list[ComparedValue]:
        told = row.payload
        return [
            ComparedValue("Program", "reads nothing", told["name"]),
            *(ComparedValue(each, "", SCOPES[each]) for each in SCOPES if each in told["scopes"]),
            ComparedValue("Last day", "", told["last_day"]),
        ]

    def phrase(self, row: Request) -> str:
        told = row.payload
        return f"{told['name']} may read by {', '.join(told['scopes'])} until {told['last_day']}"


@transaction.atomic
def fetch_token(*, row: Request, by: Operator) -> GivenToken:
    """Shown this once, to one of the two who asked and signed: it ends with whichever of asker and reader leaves."""
    held = held_to_fetch(row, by)
    if ProgramToken.objects.filter(request=held).exists():
        raise NotAllowedNow("This token was shown already, and is kept nowhere. Ask for another one.", "shown")
    told = held.payload
    # The day may be over since; nothing else of it can have changed.
    GiveToken().check(held.premises, told)
    text = new_token()
    given = ProgramToken.objects.create(
        premises=held.premises, name=told["name"], prefix=text.prefix, secret_hash=token_hash(text.written),
        scopes=[each for each in SCOPES if each in told["scopes"]], given_by=held.asked_by, shown_to=by, request=held,
        ends_at=_end_of(_last_day(told), held.premises),
    )  # fmt: skip
    details = {"name": given.name, "scopes": given.scopes, "last_day": told["last_day"], "request": held.pk}
    record(actor=by, act="give_token", subject=given.prefix, why=held.reason, details=details)
    return GivenToken(given, text.written)


@transaction.atomic
def end_tokens_with(*, person: Operator, by: Operator) -> tuple[str, ...]:
    """What a person answered for, or was shown, opens nothing from the commit of the dismissal on."""
    mine = Q(given_by=person) | Q(shown_to=person)
    rows = ProgramToken.objects.select_for_update(no_key=True, of=("self",)).filter(mine, revoked_at=None)
    ended = list(rows.filter(ends_at__gt=timezone.now()).order_by("id"))
    for held in ended:
        held.revoked_at, held.revoked_by, held.ended_with = timezone.now(), by, person
        held.save(update_fields=["revoked_at", "revoked_by", "ended_with"])
        why = f"{person} is dismissed"
        record(actor=by, act="revoke_token", subject=held.prefix, why=why, details={"name": held.name})
    return tuple(held.prefix for held in ended)


@transaction.atomic
def revoke_token(*, row: ProgramToken, reason: str, by: Operator) -> ProgramToken:
    """Counts from this commit on: the next request with it is refused."""
    _check_may_revoke(row.premises, by)
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
        rows = answered_for().filter(secret_hash=token_hash(written), revoked_at=None)
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


def _last_day(payload: Mapping[str, Any]) -> date:
    try:
        return read_day(payload["last_day"])
    except ValueError:
        raise NotUnderstood("Write the last day as year-month-day, such as 2027-06-30.", "last_day") from None


def _check_may_revoke(premises: Property, by: Operator) -> None:
    check_works_here(by)
    if not by.may("people"):
        raise NotAllowed(f"{by} may not end a program’s way in. An administrator does.", "role")
    if by.premises_id not in (None, premises.pk):
        raise NotFound("There is no such token in your house.", "no_token")
