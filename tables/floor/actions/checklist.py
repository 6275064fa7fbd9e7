"""The checklist of a table: who looked at what, when, with a photo; and what still keeps the table closed."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db import transaction
from django.utils import timezone

from jackpot.books.actions.post import in_force
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.models.check import TableCheck
from tables.floor.models.table import Table
from tables.floor.queries.limit_sheets import limits_today
from tables.floor.queries.offers import marks_needed
from tables.floor.rules.checklist import CheckStatus, Item, standings, what_is_missing
from tables.floor.rules.limit_sheets import LimitSheet, OverLimit, refuse_over, refuse_posted
from tables.floor.rules.photo import MEDIA_TYPE, PhotoRefused, redrawn
from tables.games.fees import NoFee
from tables.games.game import NotInThisGame
from tables.games.limits import BetRefused, Limits
from tables.games.registry import part_of_game

VERBS: Final = ("run_tables", "service")


@dataclass(frozen=True, slots=True)
class PostedLimits:
    """The limits on the sign at the table, and what they obey, where there is one: a printed rule set with its option,
    or without an option a limit sheet of the house."""

    minimum: int
    maximum: int
    rule_set: str = ""
    option: int = 0


@transaction.atomic
def look_at(
    *, table: Table, item: Item, in_order: bool, by: Operator, photo: bytes = b"", note: str = "",
    posted: PostedLimits | None = None, marks: Collection[str] = (),
) -> TableCheck:  # fmt: skip
    """A person looked at one item. In order needs a photo, and of layout and placard every mark that the table needs;
    posted limits must lie inside the dated rule sheet."""
    photo, media_type = (_redrawn(photo), MEDIA_TYPE) if photo else (b"", "")
    if in_order and not photo:
        raise NotUnderstood(f"Take a photo of {item.spoken}: without one {item.it} cannot be in order.", "photo")
    # A cross without a word sends the next person to the table with nothing to look for.
    if not in_order and not note:
        raise NotUnderstood(f"Say what is wrong with {item.spoken}: the note stands with your name.", "note")
    now = timezone.now()
    day = table.premises.gaming_day(now)
    if item is Item.LIMITS and in_order:
        _check_posted(table, posted, day)
    if in_order:
        _check_marks(table, item, marks)
    check = TableCheck.objects.create(
        table=table, item=item.value, in_order=in_order, at=now, gaming_day=day, by=by, note=note[:200],
        posted_minimum=posted.minimum if posted else None, posted_maximum=posted.maximum if posted else None,
        rule_sheet=_sheet(posted), marks=sorted(set(marks)), terms=terms_now(table), photo=photo or None,
        photo_type=media_type,
        photo_sha256=hashlib.sha256(photo).hexdigest() if photo else "",
    )  # fmt: skip
    details = {"in_order": in_order, "photo": check.photo_sha256, "limits": _sheet(posted), "terms": check.terms,
               "marks": check.marks}  # fmt: skip
    record(actor=by, act=f"look_at_{item.value}", about=objects.table(table.code), why=note, details=details)
    return check


def terms_now(table: Table) -> str:
    """One digest over the terms in force of every jackpot that the table feeds, by level."""
    versions = table.links.order_by("level").values_list("jackpot__version_id", flat=True)
    # The digest of the terms, not the number of their version: the same terms signed anew need no new rule card.
    told = "\n".join(in_force(version).digest for version in versions if version is not None)
    return hashlib.sha256(told.encode("ascii")).hexdigest()


def standing_of_table(table: Table) -> dict[Item, CheckStatus]:
    """Every item as it stands now: the newest look counts."""
    # Without the photos: an opening may ask this, and each photo has up to two million bytes.
    newest = TableCheck.objects.filter(table=table).order_by("item", "-id").distinct("item").defer("photo")
    needed = {item: [mark.code for mark in marks] for item, marks in marks_needed(table).items()}
    return standings([check.seen for check in newest], terms_now(table), needed)


def refuse_unready(table: Table) -> None:
    """Where the house's policy says so, a table opens only when its checklist is done."""
    if not table.premises.checklist_opens:
        return
    missing = what_is_missing(standing_of_table(table))
    if missing:
        raise NotAllowedNow(
            f"{table.code} stays closed: its checklist lacks {missing}. Look at it and check it off first.", "checklist"
        )


def _check_marks(table: Table, item: Item, marks: Collection[str]) -> None:
    """Each area and inscription is ticked by itself: a photo of a cloth says nothing of what is not on it."""
    unseen = next((mark for mark in marks_needed(table).get(item, ()) if mark.code not in marks), None)
    if unseen is not None:
        why = f"Not ticked at {item.spoken} of {table.code}: {unseen.words} ({unseen.source})."
        raise NotUnderstood(f"{why} Look for it, or say that {item.it} {item.is_it} not in order.", "marks")


def _redrawn(photo: bytes) -> bytes:
    try:
        return redrawn(photo)
    except PhotoRefused as why:
        raise NotUnderstood(str(why), "photo") from None


def _check_posted(table: Table, posted: PostedLimits | None, day: date) -> None:
    if posted is None:
        raise NotUnderstood("Type the posted minimum and maximum: they are checked with the limits.", "limits")
    entered = limits_today(table.premises, table.game, day)
    try:
        if posted.rule_set and not posted.option:
            refuse_posted(posted.minimum, posted.maximum, _entered(entered, posted.rule_set))
        else:
            _limits(table, posted).refuse_posted(posted.minimum, posted.maximum, day)
        # The house's own sheets bind beside whichever one was named for the sign.
        refuse_over("posted maximum", Money.of(posted.maximum), entered)
    except (BetRefused, OverLimit) as why:
        raise NotUnderstood(str(why), "limits") from None


def _entered(entered: Sequence[LimitSheet], code: str) -> LimitSheet:
    for sheet in entered:
        if sheet.code == code and not sheet.wager:
            return sheet
    raise NotUnderstood(f"No limit sheet {code} is in force today. Choose one that is.", "rule_sheet")


def _limits(table: Table, posted: PostedLimits) -> Limits:
    if not posted.rule_set:
        return Limits("this house", date.min)
    try:
        rule_set = part_of_game(table.game, "collection").rule_set(posted.rule_set)
        rule_set.schedule(posted.option)
    except (NotInThisGame, NoFee) as why:
        raise NotUnderstood(str(why), "rule_sheet") from None
    limits: Limits = rule_set.limits[posted.option]
    return limits


def _sheet(posted: PostedLimits | None) -> str:
    if posted is None or not posted.rule_set:
        return ""
    return f"{posted.rule_set}/{posted.option}" if posted.option else posted.rule_set
