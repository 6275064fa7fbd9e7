"""The books as a file that anybody can check: one JSON object a line. docs/books.md describes every field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.rules.movement import ACCOUNTS
from jackpot.money import stored_text, units_of
from jackpot.proof.queries.adjustments import acts_of
from jackpot.proof.queries.database import ENTRIES, standing_of
from jackpot.proof.queries.heads import published_heads
from jackpot.proof.queries.house import clocks_of, payments_of, reading_of, receipts_of_jackpot, taxes_of
from jackpot.proof.queries.streaming import stream
from jackpot.proof.queries.wins import approvers_of, page_of, said_of
from jackpot.proof.rules.findings import Findings
from jackpot.property.rules.tax import TaxRule
from jackpot.wins.models import Win

FORMAT: Final = "fairmeter books 3"
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
Line = dict[str, Any]


def opening_lines(jackpots: Sequence[Jackpot]) -> Iterator[Line]:
    """The header, where each jackpot says its books end, their versions, and what was published of them."""
    yield {
        "line": "header", "format": FORMAT, "made_at": _utc(timezone.now()), "accounts": list(ACCOUNTS),
        "jackpots": [jackpot.code for jackpot in jackpots],
    }  # fmt: skip
    for jackpot in jackpots:
        yield _jackpot_line(jackpot)
    for version in Version.objects.filter(jackpot__in=jackpots).select_related("jackpot").order_by("jackpot", "number"):
        yield _version_line(version)
    codes = {jackpot.code for jackpot in jackpots}
    for head in published_heads(Findings()):
        if head.jackpot in codes:
            yield {"line": "head", **head.plain()}


def win_lines(jackpots: Sequence[Jackpot]) -> Iterator[Line]:
    """Every hit that was ever marked: what its entries do not say by themselves, and what its row makes of them."""
    numbers = dict(Version.objects.filter(jackpot__in=jackpots).values_list("id", "number"))
    for jackpot in sorted(jackpots, key=lambda each: each.pk):
        people = approvers_of(jackpot)
        wins = Win.objects.filter(jackpot=jackpot).select_related("jackpot").order_by("id")
        for win in wins.iterator(chunk_size=2_000):
            yield {**_win_line(win, numbers), "approved": people.get(win.pk, [])}


def act_lines(jackpots: Sequence[Jackpot]) -> Iterator[Line]:
    """What two people signed, once for each entry that it wrote. Nobody is named."""
    for jackpot in jackpots:
        for act in acts_of(jackpot):
            amount = None if act.amount is None else stored_text(act.amount)
            yield {"line": "act", "jackpot": jackpot.code, **act._asdict(), "amount": amount}


def payment_lines(jackpots: Sequence[Jackpot]) -> Iterator[Line]:
    """What the windows paid, and how it was split. Nobody is named."""
    for jackpot in jackpots:
        for payment in payments_of(jackpot):
            told = {**payment._asdict(), "day": payment.day.isoformat()}
            del told["sealed"]  # over the payer's name too, which does not leave the house
            amounts = {name: stored_text(told[name]) for name in ("gross", "withheld", "net")}
            yield {"line": "payment", "jackpot": jackpot.code, **told, **amounts}


def receipt_lines(jackpots: Sequence[Jackpot]) -> Iterator[Line]:
    """What came back of payments in error. Nobody is named."""
    for jackpot in jackpots:
        for receipt in receipts_of_jackpot(jackpot):
            told = {**receipt._asdict(), "day": receipt.day.isoformat()}
            del told["sealed"]
            amounts = {name: stored_text(told[name]) for name in ("gross", "withheld", "net")}
            yield {"line": "receipt", "jackpot": jackpot.code, **told, **amounts}


def entry_lines(jackpot: Jackpot) -> Iterator[Line]:
    """Every entry in the order of its number."""
    # By their numbers: our ids of versions mean nothing outside this database.
    numbers = {str(id_): number for id_, number in jackpot.versions.values_list("id", "number")}
    for rows in stream(ENTRIES, [jackpot.id]):
        for row in rows:
            yield _entry_line(jackpot.code, row, numbers)


def _jackpot_line(jackpot: Jackpot) -> Line:
    standing, reading = standing_of(jackpot), reading_of(jackpot)
    return {
        "line": "jackpot", "code": jackpot.code, "name": jackpot.name, "last_seq": standing.last_seq,
        "seal": standing.seal, "last_at": None if jackpot.last_at is None else _utc(jackpot.last_at),
        "balances": [stored_text(units) for units in standing.balances.columns()],
        "advance": stored_text(standing.advance),
        "clocks": [clock._asdict() for clock in clocks_of(jackpot.premises)],
        "reading": None if reading is None else reading._asdict(),
        "taxes": [_tax(rule) for rule in taxes_of(jackpot.premises)],
    }  # fmt: skip


def _tax(rule: TaxRule) -> Line:
    above = rule.withhold_above
    return {
        "begins": rule.begins.isoformat(), "minimum": str(rule.minimum), "multiple": rule.multiple,
        "withhold_above": None if above is None else str(above), "rate": rule.rate,
        "wager_deducted": rule.wager_deducted,
    }  # fmt: skip


def _version_line(version: Version) -> Line:
    return {
        "line": "version", "jackpot": version.jackpot.code, "number": version.number, "digest": version.digest,
        "terms": version.terms, "requested_by": version.requested_by, "approved_by": version.approved_by,
        "created_at": _utc(version.created_at),
    }  # fmt: skip


def _win_line(win: Win, numbers: Mapping[int, int]) -> Line:
    return {
        "line": "win", "jackpot": win.jackpot.code, "id": win.pk, "table": win.table_code, "round": win.round_number,
        "seat": win.seat, "hand": win.line, "version": numbers.get(win.version_id), "state": win.state,
        "mark": win.mark_seq, "frozen": win.frozen_seq, "ranked": win.ranked, "front": win.front_seq,
        "envy_of": win.envy_of_id, "difference_of": win.difference_of_id, "number": win.number, "slip": win.slip,
        "amount": None if win.amount is None else stored_text(units_of(win.amount)), "award": win.award_seq,
        "page": page_of(win), "day": None if win.gaming_day is None else win.gaming_day.isoformat(),
        "said": said_of(win),
    }  # fmt: skip


def _entry_line(code: str, row: Sequence[Any], numbers: dict[str, int]) -> Line:
    seq, kind, key, at, day, table, round_, win, corrects, version, moved, after, request, seal = row
    return {
        "line": "entry", "jackpot": code, "seq": seq, "kind": kind, "key": key,
        "at": _utc(EPOCH + timedelta(microseconds=at)), "day": day, "table": table, "round": _number(round_),
        "win": _number(win), "corrects": _number(corrects), "version": numbers.get(version),
        "movement": moved.split(","), "after": after.split(","), "request": request, "seal": seal,
    }  # fmt: skip


def _number(text: str) -> int | None:
    return int(text) if text else None


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
