"""Where tables stand in the middle of things: the open round, its hits and their state, the key. Read, never kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import OuterRef, Q, Subquery

from jackpot.money import Money
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.win_life import OPEN, STANDING, WinState
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Table
from tables.hits.queries.verifying import amounts_asked
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries.played import fetch_further

Facts = dict[str, Any]


def table_states(table_codes: Iterable[str]) -> dict[str, Facts]:
    """By table: what its controller must know to go on after any restart, with as few questions as possible."""
    last = Round.objects.filter(table=OuterRef("pk")).order_by("-number").values("number")[:1]
    tables = list(Table.objects.filter(code__in=list(table_codes)).annotate(last_number=Subquery(last)))
    keys = [(table.pk, table.last_number) for table in tables if table.last_number is not None]
    rounds = {round_.table_id: round_ for round_ in Round.objects.filter(pk__in=keys)} if keys else {}
    several = {table.pk for table in tables if table.wagers > 1}
    fetch_further([round_ for round_ in rounds.values() if round_.table_id in several])
    wins = _wins(tables, rounds)
    dealers = _dealers(tables)
    asked = amounts_asked(win for mine in wins.values() for win in mine)
    return {
        table.code: _state_of(table, rounds.get(table.pk), wins.get(table.code, ()), dealers.get(table.pk), asked)
        for table in tables
    }


def hits_plain(wins: Sequence[Win], asked: Mapping[int, Money]) -> list[Facts]:
    """Hits as a screen shows them; an amount is as of now while the hit is asked for, and fixed at its approval."""
    amounts = {win.id: win.amount_money or asked.get(win.id) for win in wins}
    return [
        {
            "seat": win.seat or None, "hand": win.line, "name": win.line_name, "jackpot": win.jackpot.code,
            "state": win.state,
            "amount": None if amounts[win.id] is None else str(amounts[win.id]), "win": win.number, "slip": win.slip,
        }
        for win in wins
    ]  # fmt: skip


def _state_of(
    table: Any, last: Round | None, wins: Sequence[Win], dealer: str | None, asked: Mapping[int, Money]
) -> Facts:
    is_open = last is not None and last.state == RoundState.OPEN
    return {
        "next_round": (last.number if last else 0) + (0 if is_open else 1),
        "open_round": _open_round(table, last, _of(last, wins), asked) if last is not None and is_open else None,
        "parked": _parked(last, wins),
        "key_at_jph": table.key_at_jph,
        "dealer": dealer,
    }


def _parked(last: Round | None, wins: Sequence[Win]) -> list[Facts]:
    """Open hits of rounds that are over: parked, or claimed late; they are settled on the pit page."""
    running = last.number if last is not None and last.state == RoundState.OPEN else None
    return [
        {"round": win.round_number, "seat": win.seat, "name": win.line_name, "state": win.state}
        for win in wins
        if win.state in OPEN and win.round_number != running and win.envy_of_id is None
    ]


def _open_round(table: Table, round_: Round, wins: Sequence[Win], amounts: Mapping[int, Money]) -> Facts:
    marked = [win for win in wins if win.state in {WinState.MARKED, WinState.ASKED} and win.envy_of_id is None]
    seen = {(win.seat, win.line): win.line_name for win in sorted(marked, key=lambda win: win.mark_seq)}
    asked = [win.id for win in wins if win.state == WinState.ASKED]
    return {
        "round": round_.number,
        "seats": [int(seat) for seat in round_.seats],
        **({"further": further_seats(round_)} if table.wagers > 1 else {}),
        "open_hits": round_.open_hits,
        "marks": [{"seat": seat or None, "hand": hand, "name": name} for (seat, hand), name in seen.items()],
        "hits": hits_plain(wins, amounts),
        "signed": signed_by(asked),
    }


def further_seats(round_: Round) -> dict[str, list[int]]:
    """Seats with a chip of each further wager that was played, by its code."""
    return {each.wager: [int(seat) for seat in each.seats] for each in round_.further}


def signed_by(win_ids: Sequence[int]) -> list[str]:
    """Who has given a word that still counts for these hits, each person once, in order."""
    if not win_ids:
        return []
    words = Signature.objects.filter(win__in=win_ids, part=Signature.Part.APPROVE, operator__is_active=True)
    # A word by a card that was blocked since is no word any more: who is missing must not look as if they had signed.
    words = words.exclude(card__blocked_at__isnull=False).select_related("operator")
    return list(dict.fromkeys(str(word.operator) for word in words.order_by("id")))


def _of(round_: Round, wins: Sequence[Win]) -> list[Win]:
    return [win for win in wins if win.round_number == round_.number]


def _wins(tables: Sequence[Table], rounds: Mapping[int, Round]) -> dict[str, list[Win]]:
    """By table: whatever stands in its running round, and what is open of earlier ones."""
    running = {table.code: rounds[table.pk].number for table in tables if table.pk in rounds}
    if not running:
        return {}
    rows = Win.objects.filter(table_code__in=running, difference_of=None).filter(
        Q(state__in=OPEN) | Q(round_number__in=set(running.values()), state__in=STANDING)
    )
    found: dict[str, list[Win]] = {}
    for win in rows.select_related("jackpot").order_by("place", "mark_seq", "id"):
        # The question above takes any table's running number for every table; here each keeps its own.
        if win.state in OPEN or win.round_number == running[win.table_code]:
            found.setdefault(win.table_code, []).append(win)
    return found


def _dealers(tables: Sequence[Table]) -> dict[int, str]:
    duties = TableDuty.objects.filter(table__in=tables, ended_at__isnull=True).select_related("operator")
    return {duty.table_id: str(duty.operator) for duty in duties}
