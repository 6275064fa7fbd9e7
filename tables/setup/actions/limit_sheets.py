"""Limit sheets entered by the house with their reference, and what they say of a table's chips."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.models.limit_sheet import EnteredLimits
from tables.floor.queries.limit_sheets import PROGRESSIVE, known_wagers, limits_today
from tables.floor.rules.limit_sheets import LimitSheet, OverLimit, refuse_over


@transaction.atomic
def enter_limits(*, premises: Property, sheet: LimitSheet, by: str) -> EnteredLimits:
    """From its day on it counts for every table of its game; none is invented here, each names who authorized it."""
    if not sheet.reference.strip():
        raise NotUnderstood("Name what authorizes these limits: the rule, or the letter.", "reference")
    if not 1 <= sheet.least <= sheet.most:
        raise NotUnderstood("The least is one or more, and not above the most.", "least")
    if sheet.ends is not None and sheet.ends < sheet.begins:
        raise NotUnderstood("The sheet ends before it begins.", "until")
    known = known_wagers(sheet.game)
    if sheet.wager not in ("", *known):
        why = f"There is no {sheet.wager} wager; there is {', '.join(known)}. Leave it out for every wager."
        raise NotUnderstood(why, "wager")
    same = EnteredLimits.objects.filter(
        premises=premises, game=sheet.game, code=sheet.code, wager=sheet.wager, begins=sheet.begins
    )
    # Added, never changed: tables were opened under what it said.
    if same.exists():
        why = f"Sheet {sheet.code} from {sheet.begins} stands. Let another begin on a later day."
        raise NotAllowedNow(why, "from")
    row = EnteredLimits.objects.create(
        premises=premises, begins=sheet.begins, ends=sheet.ends, game=sheet.game, code=sheet.code,
        reference=sheet.reference, least=sheet.least, most=sheet.most, wager=sheet.wager,
    )  # fmt: skip
    details = {"from": str(sheet.begins), "game": sheet.game, "sheet": sheet.code, "says": sheet.words}
    record(actor=by, act="enter_limits", about=objects.house(premises.code), why=sheet.reference, details=details)
    return row


def check_chips(code: str, game: str, chips: Iterable[Money], premises: Property) -> None:
    """No chip of a table, and so no wager of a jackpot that it feeds, is above what is authorized today."""
    sheets = limits_today(premises, game, premises.gaming_day(timezone.now()))
    try:
        for chip in chips:
            refuse_over("progressive wager", chip, sheets, PROGRESSIVE)
    except OverLimit as why:
        raise NotAllowedNow(f"{code}: {why}", "limits") from None
