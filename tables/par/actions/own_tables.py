"""A pay table of the house's own: written as a draft, checked, looked at as a par sheet, and only then to be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from jackpot.canonical import canonical
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of, of_house
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from tables.floor.models.own_pay_table import OwnPayTable, OwnTableState
from tables.games.game import Game
from tables.games.line_order import LineFinding, chance_findings
from tables.games.own_table import find_own_table, own_findings, plain_lines, read_own_table
from tables.games.packs import BetTable, PackRefused
from tables.games.par_sheet import ParSheet
from tables.games.registry import find_game, find_games

VERB: Final = "configure"
# As wide as the column that keeps it.
LONGEST_REASON: Final = 200
BETS: Final = ("trips", "bad_beat", "pairs", "blind", "progressive")


def own_tables(person: Any) -> QuerySet[OwnPayTable]:
    return of_house(OwnPayTable.objects.select_related("premises"), person)


def own_table_of(person: Any, game: str, bet: str, code: str) -> OwnPayTable:
    """One own table of the person's house."""
    row = own_tables(person).filter(game=game, bet=bet, code=code).first()
    if row is None:
        raise NotFound(f"There is no {bet.replace('_', ' ')} table {code} in your house.", "no_table")
    return row


def value_of(row: OwnPayTable) -> BetTable:
    return find_own_table(find_game(row.game), row.plain)


def findings_of(row: OwnPayTable) -> list[LineFinding]:
    """What speaks against it before anything is counted."""
    return own_findings(find_game(row.game), value_of(row))


def chosen_progressive(premises: Property, game: Game, code: str) -> BetTable | None:
    """The house's own progressive of that code, if it was looked at; none where the code is not its own."""
    row = OwnPayTable.objects.filter(premises=premises, game=game.code, bet="progressive", code=code).first()
    if row is None:
        return None
    # Said what it is: whoever chose it would otherwise hear that there is no such table.
    if row.state != OwnTableState.READY:
        cure = "Look at its par sheet and release it first." if row.state == OwnTableState.DRAFT else "Choose another."
        raise NotAllowedNow(f"Pay table {code} is a {row.state} and cannot be chosen. {cure}", "not_ready")
    return value_of(row)


def ready_progressives(premises: Property) -> list[tuple[str, str, str]]:
    """Code, title and game of the house's own progressives that may be chosen."""
    rows = OwnPayTable.objects.filter(premises=premises, bet="progressive", state=OwnTableState.READY)
    return [(row.code, row.title, row.game) for row in rows.filter(game__in=find_games()).order_by("code")]


@transaction.atomic
def write(*, game: Game, plain: Mapping[str, Any], by: Operator) -> OwnPayTable:
    """The draft of a table, new or written over; what can never be used is refused here with its sentence."""
    _check_person(by)
    try:
        table = read_own_table(game, plain)
    except PackRefused as why:
        raise NotUnderstood(str(why), "pay_table") from None
    # Before anything is kept: a draft that can never be used would only be found out after minutes of counting.
    refused = next((finding for finding in own_findings(game, table) if finding.weight == "refused"), None)
    if refused is not None:
        raise NotUnderstood(refused.why, refused.code)
    house = house_of(by)
    assert house is not None, "whoever signs in has a house or there is one"
    said = {"title": table.title, "lines": canonical(plain_lines(table.lines)), "digest": table.digest}
    row = _draft_row(house, table, said | {"written_by": str(by)[:80]})
    record(
        actor=by,
        act="write_pay_table",
        about=ObjectRef(ObjectKind.PAY_TABLE, _subject(row)),
        details={"digest": row.digest},
    )
    return row


@transaction.atomic
def release(*, row: OwnPayTable, sheet: ParSheet, looked_at: str, by: Operator) -> OwnPayTable:
    """Its par sheet, named by its digest, was looked at: from here on it may be chosen and never changes."""
    _check_person(by)
    row = _locked(row)
    if row.state != OwnTableState.DRAFT:
        raise NotAllowedNow(f"Pay table {row.code} is {row.state}. Only a draft is released.", "not_draft")
    # Behind the lock: the draft may have been written over while its sheet was counted.
    if sheet.table_digest != row.digest:
        raise NotAllowedNow(f"Pay table {row.code} was written over meanwhile. Look at its new sheet.", "stale")
    # Named by its digest, so whoever releases it has seen these figures and no earlier ones.
    if sheet.digest != looked_at:
        raise NotAllowedNow(
            f"That is not the digest of the sheet of {row.code} as it stands. Look at it now.", "unseen"
        )
    refused = next((each for each in sheet_findings(row, sheet) if each.weight == "refused"), None)
    if refused is not None:
        raise NotAllowed(refused.why, refused.code)
    row.state, row.sheet_digest = OwnTableState.READY, sheet.digest
    row.ready_by, row.ready_at = str(by)[:80], timezone.now()
    row.save(update_fields=["state", "sheet_digest", "ready_by", "ready_at"])
    details = {"digest": row.digest, "sheet": sheet.digest}
    record(actor=by, act="release_pay_table", about=ObjectRef(ObjectKind.PAY_TABLE, _subject(row)), details=details)
    return row


@transaction.atomic
def withdraw(*, row: OwnPayTable, why: str, by: Operator) -> OwnPayTable:
    """It can no longer be chosen. Versions that use it go on: they carry their own lines."""
    _check_person(by)
    if not why.strip() or len(why) > LONGEST_REASON:
        raise NotUnderstood("Say why in 1 to 200 characters.", "reason")
    row = _locked(row)
    if row.state == OwnTableState.WITHDRAWN:
        raise NotAllowedNow(f"Pay table {row.code} is withdrawn already.", "withdrawn")
    row.state, row.withdrawn_by, row.withdrawn_why = OwnTableState.WITHDRAWN, str(by)[:80], why.strip()
    row.save(update_fields=["state", "withdrawn_by", "withdrawn_why"])
    record(actor=by, act="withdraw_pay_table", about=ObjectRef(ObjectKind.PAY_TABLE, _subject(row)), why=why)
    return row


def sheet_findings(row: OwnPayTable, sheet: ParSheet) -> list[LineFinding]:
    """Everything that speaks against the table: its order, lines that no deal wins, a house that loses."""
    game, table = find_game(row.game), value_of(row)
    found = own_findings(game, table)
    if row.bet != "blind":
        found += chance_findings(table.lines, [sheet.chance(each) for each in sheet.rows])
    if sheet.house_edge < 0 and row.bet != "progressive":
        why = f"The house loses {sheet.plain['house_edge_percent'].lstrip('-')} % of every wager on average."
        found.append(LineFinding("house_loses", "warning", f"{why} Pay less on a line that comes often."))
    return found


def _draft_row(house: Property, table: BetTable, said: Mapping[str, str]) -> OwnPayTable:
    """The draft of this code, made or written over; of two who write it at the same moment the later one stands."""
    key = {"premises": house, "game": table.game, "bet": table.bet, "code": table.code}
    row, made = OwnPayTable.objects.select_for_update().get_or_create(**key, defaults=said)
    if made:
        return row
    if row.state != OwnTableState.DRAFT:
        raise NotAllowedNow(
            f"Pay table {table.code} is {row.state} and stays as it is. Write the other one under another code.",
            "stays",
        )
    for name, value in said.items():
        setattr(row, name, value)
    row.save()
    return row


def _locked(row: OwnPayTable) -> OwnPayTable:
    return OwnPayTable.objects.select_for_update(of=("self",)).select_related("premises").get(pk=row.pk)


def _check_person(by: Operator) -> None:
    if not by.may(VERB):
        raise NotAllowed("Pay tables are written by people who may configure. An administrator gives that role.")


def _subject(row: OwnPayTable) -> str:
    return f"{row.game}/{row.bet}/{row.code}"
