"""What the simulator needs of a demo: enrolled controllers and what a chip adds to each meter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from config.casino.demo import EMERALD, is_demo
from config.casino.reader import read_casino
from jackpot.actions.people import card_numbered
from jackpot.actions.post import in_force
from jackpot.actions.refusals import NotAllowed, NotAllowedNow
from jackpot.models import Jackpot
from tables.actions.enrol import invite
from tables.models import Device, DeviceKind, DeviceState, Table, TableState
from tables.simulator.reckoning import Terms
from tables.simulator.wires import Controller, enrol

BY = "simulate"


def controllers(url: str, tables: int | None) -> Iterator[Controller]:
    """One controller a table, enrolled over the network like any other: by a one-time code."""
    badges = _dealer_badges()
    for device in _devices(tables):
        assert device.table is not None
        code, table, secret = enrol(url, invite(device=device, by=BY))
        yield Controller(code, table, device.version or "2.0.0", device.table.profile, secret, next(badges, ""))


def check_demo() -> None:
    """Simulated chips move meters like real ones, so they are kept out of every casino but a demo."""
    if not is_demo():
        why = "This casino was not made by a demo file. Simulated players would move real meters, so none are let in."
        raise NotAllowed(why, "no_demo")


def tables_to_play(tables: int | None) -> list[Table]:
    check_demo()
    open_tables = list(Table.objects.filter(state=TableState.OPEN, premises__demo=True).order_by("code")[:tables])
    if not open_tables:
        raise NotAllowedNow("No table of the demo is open. Open one on the pit page.")
    if tables is not None and len(open_tables) < tables:
        raise NotAllowedNow(f"The demo has {len(open_tables)} open tables, not {tables}. Ask for fewer.")
    return open_tables


def terms_of(tables: Iterable[str]) -> dict[str, Terms]:
    """By jackpot code, for every jackpot that these tables feed."""
    jackpots = Jackpot.objects.filter(links__table__code__in=list(tables)).distinct()
    told = {}
    for jackpot in jackpots:
        assert jackpot.version_id is not None
        terms = in_force(jackpot.version_id).terms
        limit = None if terms.limit is None else terms.limit.decimal()
        told[jackpot.code] = Terms(terms.meter_part.decimal(), limit)
    return told


def _dealer_badges() -> Iterator[str]:
    """The dealers' cards of the demo file, as far as these dealers work here; nobody deals at two tables."""
    for person in read_casino(EMERALD).people:
        for card in person.cards:
            if "dealer" in person.roles and card_numbered(card.code) is not None:
                yield card.code


def _devices(tables: int | None) -> Iterator[Device]:
    for table in tables_to_play(tables):
        device = (
            Device.objects.filter(table=table, kind=DeviceKind.CONTROLLER)
            .exclude(state=DeviceState.BLOCKED)
            .select_related("table")
            .first()
        )
        if device is None:
            raise NotAllowedNow(f"{table.code} has no controller that is not blocked. Register one first.")
        yield device
