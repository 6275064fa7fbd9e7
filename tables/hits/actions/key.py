"""The supervisor's key: at JPH the table waits, J-POT logs the wins, back at RUN the meter moves."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction

from jackpot.people.actions.keys import key_holder
from jackpot.people.actions.presence import CardSource, holder_with_pin, key_needs_pin
from jackpot.people.models import Card, Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.actions.life import refuse_unassigned
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import WinState
from tables.floor.actions.state import lock_jackpots_of
from tables.floor.models.table import Table
from tables.hits.actions import hit
from tables.hits.actions.at_round import at_round
from tables.hits.actions.lit_keys import seats_missing, unassigned
from tables.rounds.models.round import Round
from tables.rounds.queries.begin import check_may_begin

AT_THE_SWITCH: Final = CardSource(box="key switch")


def turn(*, table_code: str, key_number: str, position: str, below_version: str | None = None) -> dict[str, Any]:
    """A key is turned. What stands between J-POT and RUN survives every restart, because it stands in the books."""
    if position == "JPH":
        return _to_jph(table_code, key_number, below_version)
    return _to_run(table_code, key_number)


@transaction.atomic
def _to_jph(table_code: str, key_number: str, below_version: str | None) -> dict[str, Any]:
    """The round's marks are closed and shown to be verified; without a mark the key just stands there.

    A lit key whose seats are not said is asked for as soon as the pit has said them.
    """
    table = _locked_table(table_code)
    key = key_holder(premises=table.premises, number=key_number)
    if table.key_at_jph and table.key_at_jph != key_number:
        raise NotAllowedNow(
            f"Key {table.key_at_jph} already stands at JPH at {table_code}. Turn it to RUN first.", "wrong_key"
        )
    if table.profile != "key":
        raise NotAllowedNow(f"{table_code} works with cards; it has no key switch.", "profile")
    # JPH begins something, so a held or outdated table refuses it; the key back to RUN is heard always (decision 0008).
    check_may_begin(table, below_version)
    table.key_at_jph = key_number
    table.save(update_fields=["key_at_jph"])
    record(actor=key.operator, act="key_jph", about=objects.table(table_code), details={"key": key_number})
    place = _open_place(table)
    missing = "" if place is None else seats_missing(place)
    if missing:
        return {"position": "JPH", "hits": [], "missing": missing}
    if place is not None and wins_of(place).filter(state__in=[WinState.MARKED, WinState.ASKED]).exists():
        closed = hit.confirm(table_code=table_code, round_number=place.round_number, by=key.operator)
        return {"position": "JPH", **closed}
    return {"position": "JPH", "hits": []}


@transaction.atomic
def _to_run(table_code: str, key_number: str) -> dict[str, Any]:
    """Posts exactly what J-POT fixed; JPH and back without J-POT changes nothing."""
    table = _locked_table(table_code)
    if table.key_at_jph and table.key_at_jph != key_number:
        why = f"Key {table.key_at_jph} stands at JPH at {table_code}, not key {key_number}. Turn that one to RUN."
        raise NotAllowedNow(why, "wrong_key")
    place = _open_place(table)
    moved: dict[str, Any] = {"wins": []}
    if place is not None and wins_of(place).filter(state__in=[WinState.ASKED, WinState.LOGGED]).exists():
        # Posts what is logged; where J-POT was never pressed it finds nothing, and what was asked for is let go below.
        moved = hit.run(table_code=table_code, round_number=place.round_number)
        if not moved["wins"]:
            hit.release(table_code=table_code, round_number=place.round_number, by=f"key {table.key_at_jph}")
    elif place is not None and wins_of(place).exists():
        with at_round(table_code, place.round_number):
            pass  # what was backed out since J-POT is open no more: END may come
    if table.key_at_jph:
        record(actor=f"key {table.key_at_jph}", act="key_run", about=objects.table(table_code))
    table.key_at_jph = ""
    table.save(update_fields=["key_at_jph"])
    return {"position": "RUN", **moved}


def j_pot(*, table_code: str, pin: str = "", source: CardSource = AT_THE_SWITCH) -> dict[str, Any]:
    """Logs the asked hits on the word of the person who signed the key out; larger sums only ask for the executive.

    A switch reads its key. Where the key's number was typed, that person shows to be there, before anything is locked;
    who only asks need not.
    """
    table = Table.objects.select_related("premises").filter(code=table_code).first()
    shown, card = None, None
    if not source.box and table is not None and table.key_at_jph:
        holder = key_holder(premises=table.premises, number=table.key_at_jph).operator
        # Typed, a number is only a name (decision 0066): the PIN shows its holder, or the holder's own sign-in does.
        if pin or source.person == holder:
            card = holder_with_pin(holder=holder, number=table.key_at_jph, pin=pin, source=source)
            shown = holder
    return _j_pot(table_code, source, shown, card)


@transaction.atomic
def _j_pot(table_code: str, source: CardSource, shown: Operator | None, card: Card | None) -> dict[str, Any]:
    table = _locked_table(table_code)
    if not table.key_at_jph:
        raise NotAllowedNow(f"Turn the key to JPH at {table_code} before J-POT.", "key_at_run")
    key = key_holder(premises=table.premises, number=table.key_at_jph)
    # The PIN was proved before the lock, and the register may have given this key to somebody else since.
    if shown is not None and shown.pk != key.operator_id:
        raise NotAllowed(f"Key {key.number} changed hands a moment ago. Press J-POT again.", "pin_needed")
    place = _open_place(table)
    if place is not None:
        # A lit key without its seats would be logged for nobody: the pit says whose it is first.
        refuse_unassigned(unassigned(place), place)
    if place is None or not wins_of(place).filter(state__in=[WinState.ASKED, WinState.LOGGED]).exists():
        raise NotAllowedNow(f"No hand is lit at {table_code}. Light the winning hand first.", "no_hit")
    unshown = None if source.box or shown is not None else key_needs_pin(key.operator, key.number)
    return hit.j_pot(table_code=table_code, round_number=place.round_number, key=key, card=card, unshown=unshown)


def _locked_table(table_code: str) -> Table:
    table = Table.objects.select_related("premises").filter(code=table_code).first()
    if table is None:
        raise NotFound(f"There is no table {table_code} here.", "no_table")
    lock_jackpots_of(table)
    # Read again: whoever changed the table meanwhile held these locks.
    return Table.objects.select_related("premises").get(id=table.id)


def _open_place(table: Table) -> RoundRef | None:
    last = Round.objects.filter(table=table).order_by("-number").first()
    return RoundRef(table.code, last.number) if last is not None and last.state == "open" else None
