"""The wins of a jackpot as their proof knows them: each row as it stands, believed only where entries do not say it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import units_of
from jackpot.proof.rules.acts import PRINTED
from jackpot.proof.rules.awards import CoinInOfHit
from jackpot.proof.rules.hits import Place, WinFound
from jackpot.proof.rules.proof import EntryRow
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.award_record import NotAnAwardRecord
from jackpot.wins.rules.sealed_mark import said_at_mark

COUNTED_FROM: Final = ("win", "basis", "sharers", "was", "owed")


def wins_of(jackpot: Jackpot) -> dict[str, WinFound]:
    """By the number that entries give them."""
    people = approvers_of(jackpot)
    wins = Win.objects.filter(jackpot=jackpot).order_by("id")
    return {str(win.pk): _found(win, people.get(win.pk, ())) for win in wins}


def approvers_of(jackpot: Jackpot) -> Mapping[int, Sequence[int]]:
    """Whose word each win was approved by: people as numbers, for a name has no place in the books."""
    people: dict[int, list[int]] = defaultdict(list)
    words = Signature.objects.filter(win__jackpot=jackpot, part=Signature.Part.APPROVE).order_by("operator_id")
    for win_id, operator_id in words.values_list("win_id", "operator_id"):
        people[win_id].append(operator_id)
    return people


def note_coin_ins(
    coin_ins: dict[Place, list[CoinInOfHit]], places: Collection[Place], rows: Iterable[EntryRow]
) -> None:
    """Keeps the coin-ins of rounds that had a hit; there are few."""
    # By the number alone first: this looks at every entry of the books.
    rounds = {number for _, number in places}
    for row in (row for row in rows if row[6] in rounds):
        seq, kind, _, _, _, table, number, _, _, version, _, _, request, _ = row
        if kind == EntryKind.COIN_IN and (table, number) in places:
            coin_ins.setdefault((table, number), []).append(CoinInOfHit(seq, version, request))


def _found(win: Win, approved: Sequence[int]) -> WinFound:
    return WinFound(
        str(win.pk), win.table_code, str(win.round_number), win.seat, win.line, str(win.version_id), win.state,
        win.mark_seq, win.frozen_seq, win.ranked, win.front_seq, _spelt(win.envy_of_id), _spelt(win.difference_of_id),
        win.number, win.slip, None if win.amount is None else units_of(win.amount), win.award_seq, page_of(win),
        "" if win.gaming_day is None else win.gaming_day.isoformat(), approved, said_of(win),
    )  # fmt: skip


def said_of(win: Win) -> str:
    """What its mark said, as a digest; a page without a mark of its own said nothing."""
    marked = win.envy_of_id is None and win.difference_of_id is None
    return said_at_mark(win.pk, win.marked_by) if marked else ""


def page_of(win: Win) -> dict[str, Any]:
    """What the page prints of the computation; nobody's name is in it. A record that cannot be read prints nothing."""
    try:
        plain = {} if win.paper is None else win.record.plain()
    except NotAnAwardRecord:
        return {}
    if not plain:
        return {}
    page = {"basis": plain["basis"], **{name: plain["drawn"][name] for name in PRINTED}}
    moved = plain["meter"] or {}
    page |= {"meter_before": moved.get("before"), "meter_after": moved.get("after")}
    page["reserve_after"] = moved.get("reserve_after")
    if plain["difference"] is not None:
        page["difference"] = {name: plain["difference"][name] for name in COUNTED_FROM}
    return page


def _spelt(number: int | None) -> str:
    return "" if number is None else str(number)
