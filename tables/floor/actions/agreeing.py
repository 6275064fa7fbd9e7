"""Jackpots that share a table must agree, in the terms in force and in every version that waits for a reset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from django.db import transaction

from jackpot.books.actions.post import in_force, lock
from jackpot.books.actions.waiting import waiting_change
from jackpot.books.models.jackpot import Jackpot
from jackpot.refusals import NotAllowedNow
from jackpot.terms.rules.terms import Terms
from tables.floor.models.sign import Sign
from tables.floor.models.table import Link, Table
from tables.floor.queries.wagers import FedWager, wagers_of
from tables.floor.rules.links import LinkedLevel, LinksRefused, check_digits, check_levels


def check_links(
    table_code: str, game: str, wagers: Sequence[FedWager], wished: Mapping[int, Terms] | None = None
) -> None:  # fmt: skip
    """The jackpots of one table, wager by wager: the levels of one wager share its 100 % and no fixed line."""
    for wager in wagers:
        where = f"{table_code}, wager {wager.name}" if len(wagers) > 1 else table_code
        _check_wager(table_code, where, game, wager, wished or {})


def _check_wager(table_code: str, where: str, game: str, wager: FedWager, wished: Mapping[int, Terms]) -> None:
    """Each jackpot by every terms it may have: one of them may reset before the others do."""
    games = _games_elsewhere(table_code, wager.jackpots)
    # A jackpot that was not opened yet has no terms to agree with.
    choices = [
        _may_have(jackpot, wished) for jackpot in _as_they_stand(wager.jackpots) if jackpot.version_id is not None
    ]
    for chosen in product(*choices):
        levels = [LinkedLevel(jackpot.code, terms, games[jackpot.pk]) for jackpot, terms in chosen]
        try:
            check_levels(where, game, wager.chip, levels)
        except LinksRefused as why:
            raise NotAllowedNow(str(why), "jackpots") from None


def check_sign(code: str, digits: int, jackpots: Sequence[Jackpot], wished: Mapping[int, Terms] | None = None) -> None:
    """What a sign may have to show fits on it."""
    for jackpot in _as_they_stand(jackpots):
        if jackpot.version_id is None:
            continue
        for _, terms in _may_have(jackpot, wished or {}):
            try:
                check_digits(code, digits, jackpot.code, terms)
            except LinksRefused as why:
                raise NotAllowedNow(str(why), "digits") from None


def check_wished(jackpot: Jackpot, terms: Terms) -> None:
    """Other terms for one jackpot: every table that feeds it and every sign that shows it must be able to go on."""
    wished = {jackpot.pk: terms}
    for table in Table.objects.filter(links__jackpot=jackpot).order_by("code"):
        check_links(table.code, table.game, wagers_of(table), wished)
    for sign in Sign.objects.filter(meters__jackpot=jackpot).order_by("code"):
        check_sign(sign.code, sign.digits, [jackpot], wished)


def sharing(jackpot_id: int) -> set[int]:
    """The jackpot and every other one that a table feeds together with it."""
    tables = Link.objects.filter(jackpot_id=jackpot_id).values("table_id")
    return {jackpot_id, *Link.objects.filter(table_id__in=tables).values_list("jackpot_id", flat=True)}


def lock_sharing(jackpot_id: int) -> set[int]:
    """Locks them all, so that no other of them changes its terms while these are judged."""
    assert transaction.get_connection().in_atomic_block, "a lock is held until its transaction ends"
    # Which jackpots share a table is read without a lock, so it is read again once they are locked.
    ids = sharing(jackpot_id)
    lock(ids)
    if not sharing(jackpot_id) <= ids:
        raise NotAllowedNow("A table was linked to other jackpots at this moment. Look again, then repeat.", "links")
    return ids


def _as_they_stand(jackpots: Sequence[Jackpot]) -> list[Jackpot]:
    """With the terms of this moment: the caller read them before they were locked."""
    now = Jackpot.objects.in_bulk([jackpot.pk for jackpot in jackpots])
    return [now[jackpot.pk] for jackpot in jackpots]


def _may_have(jackpot: Jackpot, wished: Mapping[int, Terms]) -> list[tuple[Jackpot, Terms]]:
    if jackpot.pk in wished:
        return [(jackpot, wished[jackpot.pk])]
    assert jackpot.version_id is not None, "asked before"
    waits = waiting_change(jackpot.pk)
    return [(jackpot, in_force(jackpot.version_id).terms), *([(jackpot, waits.value)] if waits else [])]


def _games_elsewhere(table_code: str, jackpots: Sequence[Jackpot]) -> dict[int, frozenset[str]]:
    shared = Table.objects.filter(links__jackpot__in=[jackpot.pk for jackpot in jackpots]).exclude(code=table_code)
    games: dict[int, set[str]] = {jackpot.pk: set() for jackpot in jackpots}
    for jackpot_id, other in shared.values_list("links__jackpot_id", "game"):
        games.get(jackpot_id, set()).add(other)
    return {jackpot_id: frozenset(found) for jackpot_id, found in games.items()}
