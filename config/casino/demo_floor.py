"""What the simulator needs of a demo: enrolled controllers and what a chip adds to each meter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal

from config.casino.demo import EMERALD, is_demo
from config.casino.reader import read_casino
from jackpot.actions.keys import sign_key_back, sign_key_out
from jackpot.actions.people import card_numbered
from jackpot.actions.post import in_force
from jackpot.actions.refusals import NotAllowed, NotAllowedNow
from jackpot.models import Entry, Jackpot, Win
from tables.actions.enrol import invite
from tables.models import Device, DeviceKind, DeviceState, Profile, Table, TableState
from tables.simulator.hits import Staff, Won
from tables.simulator.reckoning import Terms
from tables.simulator.wires import Controller, enrol

BY = "simulate"


def controllers(url: str, tables: int | None) -> Iterator[Controller]:
    """One controller a table, enrolled over the network like any other: by a one-time code."""
    badges = _dealer_badges()
    for device in _devices(tables):
        assert device.table is not None
        code, table, secret = enrol(url, invite(device=device, by=BY))
        profile, version = device.table.profile, device.version or "2.0.0"
        yield Controller(code, table, version, profile, secret, next(badges, ""), key_of(table))


def key_of(table_code: str) -> str:
    """The number of the supervisor key of a simulated table."""
    return f"SIM-{table_code}"[:20]


@contextmanager
def keys_out(tables: Iterable[str]) -> Iterator[None]:
    """The tables with a key switch get a key that speaks for the demo's supervisor; in the end it is signed back."""
    rows = Table.objects.filter(code__in=list(tables), profile=Profile.KEY).select_related("premises")
    cards = [card for number, _ in staff(show=False).supervisors if (card := card_numbered(number)) is not None]
    signed = [(table.premises, key_of(table.code)) for table in rows if cards]
    for premises, number in signed:
        with suppress(NotAllowedNow):  # it is still out from an evening that ended suddenly
            sign_key_out(premises=premises, number=number, operator=cards[0].operator, by=BY)
    yield
    for premises, number in signed:
        with suppress(NotAllowedNow):
            sign_key_back(premises=premises, number=number, by=BY)


def staff(*, show: bool) -> Staff:
    """The cards of the demo file's supervisors and executives, as far as these people work here."""
    held = [(person.roles, card) for person in read_casino(EMERALD).people for card in person.cards]
    known = [(roles, (card.code, card.pin)) for roles, card in held if card_numbered(card.code) is not None]
    return Staff(
        [card for roles, card in known if "supervisor" in roles],
        [card for roles, card in known if "executive" in roles], show,
    )  # fmt: skip


def moved_by(wins: Iterable[Won]) -> dict[str, Decimal]:
    """What the books say these awards did to each meter; an award that is not there, or differs, is a sentence."""
    moved: dict[str, Decimal] = {}
    for won in wins:
        win = Win.objects.filter(number=won.number, jackpot__code=won.jackpot, jackpot__premises__demo=True).first()
        if win is None or str(win.amount_money) != won.amount or win.award_seq is None:
            raise NotAllowedNow(f"The books do not have win {won.number} of {won.amount} on {won.jackpot}.")
        entry = Entry.objects.get(jackpot_id=win.jackpot_id, seq=win.award_seq)
        moved[won.jackpot] = moved.get(won.jackpot, Decimal(0)) + entry.meter
    return moved


def check_demo() -> None:
    """Simulated chips move meters like real ones, so they are kept out of every casino but a demo."""
    if not is_demo():
        why = "This casino was not made by a demo file. Simulated players would move real meters, so none are let in."
        raise NotAllowed(why, "no_demo")


def tables_to_play(tables: int | None) -> list[Table]:
    check_demo()
    playable = Table.objects.filter(state=TableState.OPEN, premises__demo=True, for_people=False)
    open_tables = list(playable.order_by("code")[:tables])
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
    """The dealers' cards of the demo file, as far as these dealers work here; nobody deals at two tables.

    Dealers who can sign in come last: people of flesh deal in their names.
    """
    for person in sorted(read_casino(EMERALD).people, key=lambda each: bool(each.password)):
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
