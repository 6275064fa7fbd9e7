"""A house of a given size, made by the product's own acts: python -m proving.size_house WANTED prints what stands.

WANTED is JSON: how many jackpots, tables, rounds and wins there shall be when it ends; what stands already is counted.
Each table feeds the large jackpot of its hall (GRAND is the first hall's) and a few of its group, so a round is several
entries. Halls share no jackpot, so each is played by a process of its own: a second word, JSON too, is a hall's part.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import ceil
from typing import Any, Final, TypeVar

BY: Final = "proving"
CARD: Final = "700000000001"
LINES: Final = [
    {"code": "royal_flush", "name": "Royal flush", "part": "1"},
    {"code": "full_house", "name": "Full house", "for_one": 50, "source": "tray"},
]
FED: Final = 5  # jackpots a table, the large one of its hall among them
MOST_HALLS: Final = 4
BATCH: Final = 1_000  # messages of a transaction
TOGETHER: Final = 50  # tables of a transaction
SEATS: Final = "12357"
EVERY_SUM: Final = 1_000_000_000
T = TypeVar("T")


def make(wanted: Mapping[str, int]) -> dict[str, Any]:
    """What is missing is made; says how long the rounds took, for the report."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, skip_checks=True)
    premises = _premises()
    _jackpots(premises, wanted["jackpots"])
    began = time.perf_counter()
    seconds = _halls(wanted)
    whole = time.perf_counter() - began
    _sum_play()
    return {**seconds, "made_seconds": round(whole, 1), **_standing(), "session": _reader(premises)}


def _sum_play() -> None:
    """As the worker has done by the time a house is that large."""
    from config.connections import pointed_at
    from tables.play_sums.actions import sum_play

    with pointed_at(os.environ["DATABASE_WORKER_URL"]):
        while not sum_play():
            pass


def _halls(wanted: Mapping[str, int]) -> dict[str, Any]:
    """Every hall in a process of its own: how many rounds were played, and how long the slowest of them played."""
    from jackpot.wins.models import Win
    from tables.rounds.models.round import Round

    halls = _count_of_halls(wanted["jackpots"])
    missing = max(0, wanted["rounds"] - Round.objects.count()), max(0, wanted["wins"] - Win.objects.count())
    parts = [
        json.dumps({"hall": hall, "rounds": _share(missing[0], hall, halls), "wins": _share(missing[1], hall, halls)})
        for hall in range(halls)
    ]
    words = [sys.executable, "-m", __spec__.name, json.dumps(wanted)]
    started = [subprocess.Popen([*words, part], stdout=subprocess.PIPE, text=True) for part in parts]
    told = [each.communicate()[0] for each in started]
    if any(each.returncode for each in started):
        raise SystemExit("A hall was not made.")
    return {"rounds_played": missing[0], "seconds": max(json.loads(each)["seconds"] for each in told)}


def _count_of_halls(jackpots: int) -> int:
    return max(1, min(MOST_HALLS, jackpots // FED))


def _share(whole: int, hall: int, halls: int) -> int:
    return whole // halls + (hall < whole % halls)


def make_hall(wanted: Mapping[str, int], part: Mapping[str, int]) -> dict[str, Any]:
    """Its tables, rounds and wins. Nothing here forms a circle, so nothing is looked for."""
    from jackpot.property.models.property import Property

    gc.disable()
    _tables(Property.objects.get(), wanted, part["hall"])
    seconds = _play(part["hall"], part["rounds"])
    _win(part["hall"], part["wins"])
    return {"seconds": round(seconds, 1)}


def _premises() -> Any:
    from jackpot.people.actions.people import define_role, hire, issue_card
    from jackpot.property.models.property import Property
    from tables.setup.actions.floor import PropertyFacts, make_property

    found = Property.objects.first()
    if found is not None:
        return found
    made = make_property(code="SIZE", facts=PropertyFacts(name="House of size", plausible_play=False), by=BY)
    made.executive_threshold = EVERY_SUM
    made.save()
    define_role(code="supervisor", name="Supervisor", may=["see", "verify", "approve"], by=BY)
    boss = hire(premises=made, username="supervisor", name="Supervisor of size", roles=["supervisor"], by=BY)
    issue_card(operator=boss, number=CARD, level="supervisor", pin="", by=BY)
    return made


def _jackpots(premises: Any, count: int) -> None:
    from jackpot.books.actions.opening import open_jackpot
    from jackpot.books.models.jackpot import Jackpot
    from jackpot.terms.rules.terms import Terms

    halls = _count_of_halls(count)
    for number in range(Jackpot.objects.count(), count):
        code = f"J-{number:03}" if number else "GRAND"
        plain = {
            "wager": "1.00", "seed": "10000.00", "rate": "10", "reserve_rate": "2",
            "pay_table": {"code": f"{code}-LINES", "lines": LINES if number < halls else LINES[:1]},
        }  # fmt: skip
        open_jackpot(
            premises=premises, code=code, name=f"Jackpot {number}", terms=Terms.of(plain), requested_by=BY,
            approved_by="second person",
        )  # fmt: skip


def _tables(premises: Any, wanted: Mapping[str, int], hall: int) -> None:
    from jackpot.books.models.jackpot import Jackpot
    from jackpot.money import Money
    from tables.floor.models.table import Table
    from tables.setup.actions.enrol import enrol, invite
    from tables.setup.actions.floor import DeviceFacts, TableDescription, register_device, set_up_table

    facts, jackpots = TableDescription(wager=Money.of("1.00"), game="uth"), list(Jackpot.objects.order_by("code"))
    stand = set(Table.objects.values_list("code", flat=True))
    ours = range(hall + 1, wanted["tables"] + 1, _count_of_halls(wanted["jackpots"]))
    for number in _by_transactions(number for number in ours if f"T-{number:04}" not in stand):
        code = f"T-{number:04}"
        set_up_table(premises=premises, code=code, facts=facts, jackpots=_fed_by(jackpots, hall, number), by=BY)
        enrol(code=invite(device=register_device(
            code=f"{code}-C", facts=DeviceFacts(table=code, version="2.0.0"), by=BY), by=BY))  # fmt: skip


def _fed_by(jackpots: Sequence[Any], hall: int, number: int) -> list[Any]:
    """The large one of the hall, and the group of this table."""
    halls = _count_of_halls(len(jackpots))
    others = jackpots[halls + hall :: halls]
    first = (number // halls * (FED - 1)) % max(1, len(others))
    return [jackpots[hall], *(others[(first + each) % len(others)] for each in range(min(FED - 1, len(others))))]


def _by_transactions(things: Iterable[T]) -> Iterator[T]:
    """Each in its turn, and so many acts with one commit: the disk is not what is measured here."""
    from django.db import transaction

    waiting = iter(things)
    while some := list(islice(waiting, TOGETHER)):
        with transaction.atomic():
            yield from some


def _play(hall: int, rounds: int) -> float:
    """Coin-in and END of one table after the other, on a connection that follows keys only, as the gateway's."""
    from django.db import connection

    from jackpot.database.raw import refresh_query_plans

    places, began = _places(hall, rounds), time.perf_counter()
    while batch := list(islice(places, BATCH)):
        refresh_query_plans()
        _say(batch)
    connection.close()
    return time.perf_counter() - began


def _places(hall: int, rounds: int) -> Iterator[tuple[str, int, int]]:
    """Table, controller and number of every round still to be played; each table in its turn, a group at a time."""
    from django.db.models import OuterRef, Subquery

    from jackpot.books.models.jackpot import Jackpot
    from tables.floor.models.device import Device
    from tables.floor.models.table import Link
    from tables.rounds.models.round import Round

    large = Jackpot.objects.order_by("code")[hall]
    rows = list(
        Device.objects.filter(table__links__jackpot=large)
        .annotate(
            last=Subquery(Round.objects.filter(table=OuterRef("table")).order_by("-number").values("number")[:1]),
            group=Subquery(Link.objects.filter(table=OuterRef("table"), level=2).values("jackpot_id")[:1]),
        )
        .order_by("group", "table__code")
        .values_list("table__code", "pk", "last")
    )
    for number in range(rounds):
        lap, place = divmod(number, len(rows))
        code, device, last = rows[place]
        yield code, device, (last or 0) + lap + 1


def _say(places: Sequence[tuple[str, int, int]]) -> None:
    from tables.rounds.actions.round import post_messages
    from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer

    unique: dict[str, tuple[str, int, int]] = {}
    for place in places:  # one message a table in a batch, as the gateway's lanes have it
        if place[0] in unique:
            _say(list(unique.values()))
            unique = {}
        unique[place[0]] = place
    for act in (lambda number: CoinInRequest(number, SEATS), EndRequest):
        told = post_messages([DeviceRequest(code, device, 1, act(number)) for code, device, number in unique.values()])
        refused = next((each for each in told if not isinstance(each, PostedAnswer)), None)
        if refused is not None:
            raise SystemExit(f"A round was refused: {refused}")


def _win(hall: int, wins: int) -> None:
    """A full house on the board, paid from the tray: every seat marked, asked for and accepted at the table at once, a
    slip each."""
    from jackpot.people.actions.presence import CardSource
    from tables.hits.actions import hit
    from tables.rounds.actions.round import post_messages
    from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest

    seats = max(1, min(wins, len(SEATS)))
    for code, device, number in _places(hall, ceil(wins / seats)):
        place: Any = {"table_code": code, "round_number": number}
        post_messages([DeviceRequest(code, device, 1, CoinInRequest(number, SEATS))])
        for seat in SEATS[:seats]:
            hit.mark(**place, seat=int(seat), hand="full_house", by="dealer")
        hit.confirm(**place, by="dealer")
        hit.swipe(**place, card=CARD, at_table=True, source=CardSource(box=f"{code}-C"))
        post_messages([DeviceRequest(code, device, 1, EndRequest(number))])


def _standing() -> dict[str, Any]:
    """What the addresses of the walk are filled with, and how large the house is."""
    from jackpot.books.models.entry import Entry
    from jackpot.wins.models import Win
    from tables.rounds.models.round import Round

    entry = Entry.objects.filter(jackpot__code="GRAND").order_by("-seq").values_list("seq", "gaming_day").first()
    win, last = (
        Win.objects.order_by("-id").first(),
        Round.objects.select_related("table").order_by("table__code", "-number").first(),
    )
    assert entry is not None
    assert last is not None
    return {
        "entries": Entry.objects.count(), "of_grand": entry[0], "rounds": Round.objects.count(),
        "wins": Win.objects.count(), "day": entry[1].isoformat(), "table": last.table.code, "round": last.number,
        "win": win.pk if win else None, "slip": win.slip if win else None,
    }  # fmt: skip


def _reader(premises: Any) -> dict[str, str]:
    """Somebody who may look at everything; what a page costs must not depend on who looks."""
    from jackpot.people.actions.people import VERBS
    from jackpot.people.models import Operator
    from proving.scene import hired, session_of

    person = Operator.objects.filter(username="reader").first() or hired(premises, "reader", sorted(VERBS))
    return session_of(person)


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    words = [json.loads(word) for word in sys.argv[1:]]
    sys.stdout.write(json.dumps(make(*words) if len(words) == 1 else make_hall(*words)))
