"""What the simulator needs of a demo: enrolled controllers, keys, and the cards and sign-ins of its people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from accounting.house_file.demo import EMERALD, demo_logins, is_demo
from accounting.house_file.reader import read_casino
from jackpot.people.actions.keys import sign_key_back, sign_key_out
from jackpot.people.actions.presence import card_numbered
from jackpot.refusals import NotAllowed, NotAllowedNow
from tables.floor.models.device import Device, DeviceKind, DeviceState
from tables.floor.models.table import Profile, Table, TableState
from tables.setup.actions.enrol import invite
from tables.simulator.desk import Login
from tables.simulator.hits import Staff
from tables.simulator.wires import Controller, enrol

BY = "simulate"


def controllers(url: str, tables: int | None) -> Iterator[Controller]:
    """One controller a table, enrolled over the network like any other: by a one-time code."""
    badges = _dealer_badges()
    for device in _devices(tables):
        assert device.table is not None
        # By the door that every box uses: what a simulated evening proves, it proves of the real way in.
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
    """The cards and sign-ins of the demo file's people, as far as they work here."""
    people = read_casino(EMERALD).people
    cards = [(person.roles, card) for person in people for card in person.cards]
    known = [(roles, (card.code, card.pin)) for roles, card in cards if card_numbered(card.code) is not None]
    # Backwards, so that of several with the same roles the first one of the file stays.
    logins = {login.roles: Login(login.username, login.password) for login in reversed(demo_logins())}
    return Staff(
        [card for roles, card in known if "supervisor" in roles],
        [card for roles, card in known if "executive" in roles],
        logins.get(("supervisor",)), logins.get(("cage",)), show,
    )  # fmt: skip


def check_demo() -> None:
    """Simulated chips move meters like real ones, so they are kept out of every casino but a demo."""
    if not is_demo():
        why = "This casino was not made by a demo file. Simulated players would move real meters, so none are let in."
        raise NotAllowed(why, "no_demo")


def tables_to_play(tables: int | None) -> list[Table]:
    check_demo()
    # Not those that the file keeps for people: a guest's hand is not played by the machine.
    playable = Table.objects.filter(state=TableState.OPEN, premises__demo=True, for_people=False)
    open_tables = list(playable.order_by("code")[:tables])
    if not open_tables:
        raise NotAllowedNow("No table of the demo is open. Open one on the pit page.")
    if tables is not None and len(open_tables) < tables:
        raise NotAllowedNow(f"The demo has {len(open_tables)} open tables, not {tables}. Ask for fewer.")
    return open_tables


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
