"""A house of a given size, made by the product's own acts: python -m proving.size_house WANTED prints what stands.

WANTED is JSON: how many jackpots, tables, rounds and wins there shall be when it ends; what stands already is counted.
Each table feeds GRAND, as every table does, and a few jackpots of its group, so a round is several entries.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

BY: Final = "proving"
CARD: Final = "700000000001"
LINES: Final = [
    {"code": "royal_flush", "name": "Royal flush", "part": "1"},
    {"code": "four_of_a_kind", "name": "Four of a kind", "for_one": 300, "source": "tray"},
]
FED: Final = 5  # jackpots a table, GRAND among them
BATCH: Final = 500
SEATS: Final = "12357"
EVERY_SUM: Final = 1_000_000_000


def make(wanted: Mapping[str, int]) -> dict[str, Any]:
    """What is missing is made; says how long the rounds took, for the report."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, skip_checks=True)
    premises = _premises()
    jackpots = _jackpots(premises, wanted["jackpots"])
    _tables(premises, jackpots, wanted["tables"])
    rounds, seconds = _play(wanted["rounds"])
    _win(wanted["wins"])
    return {"rounds_played": rounds, "seconds": round(seconds, 1), **_standing(), "session": _reader(premises)}


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


def _jackpots(premises: Any, count: int) -> list[Any]:
    from jackpot.books.actions.opening import open_jackpot
    from jackpot.books.models.jackpot import Jackpot
    from jackpot.terms.rules.terms import Terms

    for number in range(Jackpot.objects.count(), count):
        code = f"J-{number:03}" if number else "GRAND"
        plain = {
            "wager": "1.00", "seed": "10000.00", "rate": "10", "reserve_rate": "2",
            "pay_table": {"code": f"{code}-LINES", "lines": LINES if code == "GRAND" else LINES[:1]},
        }  # fmt: skip
        open_jackpot(
            premises=premises, code=code, name=f"Jackpot {number}", terms=Terms.of(plain), requested_by=BY,
            approved_by="second person",
        )  # fmt: skip
    return list(Jackpot.objects.order_by("code"))


def _tables(premises: Any, jackpots: Sequence[Any], count: int) -> None:
    from jackpot.money import Money
    from tables.floor.models.table import Table
    from tables.setup.actions.enrol import enrol, invite
    from tables.setup.actions.floor import DeviceFacts, TableDescription, register_device, set_up_table

    facts, others = TableDescription(wager=Money.of("1.00"), game="uth"), jackpots[1:]
    for number in range(Table.objects.count() + 1, count + 1):
        code, first = f"T-{number:04}", (number * (FED - 1)) % max(1, len(others))
        group = [others[(first + each) % len(others)] for each in range(min(FED - 1, len(others)))]
        set_up_table(premises=premises, code=code, facts=facts, jackpots=[jackpots[0], *group], by=BY)
        enrol(code=invite(device=register_device(
            code=f"{code}-C", facts=DeviceFacts(table=code, version="2.0.0"), by=BY), by=BY))  # fmt: skip


def _play(wanted: int) -> tuple[int, float]:
    """Coin-in and END of one table after the other, in the batches of the gateway."""
    from tables.rounds.models.round import Round

    missing, began = max(0, wanted - Round.objects.count()), time.perf_counter()
    places = _places(missing)
    while batch := list(islice(places, BATCH)):
        _say(batch)
    return missing, time.perf_counter() - began


def _places(rounds: int) -> Iterator[tuple[str, int, int]]:
    """Table, controller and number of every round still to be played; each table in its turn."""
    from django.db.models import Max

    from tables.floor.models.device import Device

    rows = list(
        Device.objects.filter(table__isnull=False)
        .annotate(last=Max("table__rounds__number"))
        .order_by("table__code")
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


def _win(wanted: int) -> None:
    """Four of a kind, paid from the tray: marked, asked for and accepted at the table, a slip each."""
    from jackpot.people.actions.presence import CardSource
    from jackpot.wins.models import Win
    from tables.hits.actions import hit
    from tables.rounds.actions.round import post_messages
    from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest

    for code, device, number in _places(max(0, wanted - Win.objects.count())):
        place: Any = {"table_code": code, "round_number": number}
        post_messages([DeviceRequest(code, device, 1, CoinInRequest(number, SEATS))])
        hit.mark(**place, seat=3, hand="four_of_a_kind", by="dealer")
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
    sys.stdout.write(json.dumps(make(json.loads(sys.argv[1]))))
