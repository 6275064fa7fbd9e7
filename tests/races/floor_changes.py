"""Everything by which a floor changes under a process that remembers it: people's acts, and the rows themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.property.models.property import Property
from tables.floor.actions.state import set_table_state
from tables.floor.models.device import Device
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import FurtherWager, Link, Table, TableState
from tables.hits.actions import hit
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.actions.kept_back import decide_kept_back
from tables.rounds.models.round import Round
from tables.setup.actions.enrol import block, rotate
from tables.setup.actions.floor import TableDescription, alter_table
from tests.builders import a_pay_table
from tests.races.floor_scene import FIRST_CHIP, FURTHER, ONLY_A_PART, Rates, WalkedFloor
from tests.scenes_adjusting import by_others
from tests.scenes_configure import AT_ONCE, approved, in_force

Change = Callable[[WalkedFloor, Random, Table], object]
BY: Final = "tests"
MARK: Final[dict[str, Any]] = {"seat": 1, "hand": "straight_flush"}
# Names of the changes, in the words that the walk counts them by.
CHANGES: Final[dict[str, Change]] = {}
OTHER_LINES: Final = [*ONLY_A_PART, {"code": "full_house", "name": "Full house", "for_one": 9, "source": "tray"}]


def change(words: str) -> Callable[[Change], Change]:
    def known(act: Change) -> Change:
        CHANGES[words] = act
        return act

    return known


@contextmanager
def under_the_locks() -> Iterator[None]:
    """As whoever changes the floor must: the jackpots first."""
    with transaction.atomic():
        lock(list(Jackpot.objects.values_list("pk", flat=True)))
        yield


def put(table: Table, **columns: Any) -> None:
    with under_the_locks():
        Table.objects.filter(pk=table.pk).update(**columns)


def a_box(floor: WalkedFloor, dice: Random, table: Table) -> Device:
    """Mostly the one that speaks for this table."""
    here = Device.objects.filter(table=table).order_by("pk").first()
    return here if here is not None and mostly(dice) else floor.box(dice.choice(floor.boxes))


def put_box(box: Device, **columns: Any) -> None:
    with under_the_locks():
        Device.objects.filter(pk=box.pk).update(**columns)


def mostly(dice: Random) -> bool:
    return dice.random() < 0.75


def last_round(table: Table) -> Round | None:
    return Round.objects.filter(table=table).order_by("-number").first()


@change("closed, held, opened")
def _state(floor: WalkedFloor, dice: Random, table: Table) -> None:
    state = TableState.OPEN if mostly(dice) else dice.choice([each for each in TableState if each != TableState.OPEN])
    set_table_state(table=floor.table(table), state=state, by=BY, why="the walk")


@change("seats")
def _seats(floor: WalkedFloor, dice: Random, table: Table) -> None:
    put(table, seats=7 if mostly(dice) else 3)


@change("chip of the table")
def _chip(floor: WalkedFloor, dice: Random, table: Table) -> None:
    put(table, wager=1 if mostly(dice) else 5)


@change("key")
def _key(floor: WalkedFloor, dice: Random, table: Table) -> None:
    put(table, key_at_jph="" if mostly(dice) else "7")


@change("decks")
def _decks(floor: WalkedFloor, dice: Random, table: Table) -> None:
    put(table, deck_colours=dice.choice([[], ["red"], ["red", "blue"], ["red", "blue", "green"]]))


@change("pace of the table")
def _pace(floor: WalkedFloor, dice: Random, table: Table) -> None:
    a_minute, in_ten = dice.choice([(1, 3), (2, 3), (2, 5), (600, 600)])
    put(table, most_a_minute=a_minute, most_in_ten=in_ten, most_seats=dice.choice([2, 7, 7]))


@change("kept back or not")
def _plausible(floor: WalkedFloor, dice: Random, table: Table) -> None:
    with under_the_locks():
        Property.objects.filter(pk=table.premises_id).update(plausible_play=dice.random() < 0.6)


@change("unsettled hand")
def _unsettled(floor: WalkedFloor, dice: Random, table: Table) -> None:
    last = last_round(table)
    put(table, unsettled=0 if mostly(dice) or last is None else last.number + dice.randint(0, 1))


@change("dealer")
def _dealer(floor: WalkedFloor, dice: Random, table: Table) -> None:
    with under_the_locks():
        TableDuty.objects.filter(table=table, ended_at=None).update(ended_at=timezone.now())
        if mostly(dice):
            TableDuty.objects.create(table=table, operator=dice.choice(floor.dealers), began_at=timezone.now())


@change("box blocked")
def _box_state(floor: WalkedFloor, dice: Random, table: Table) -> None:
    if mostly(dice):
        put_box(a_box(floor, dice, table), state=dice.choice(["active", "active", "waiting"]))
    else:
        block(device=a_box(floor, dice, table), by=BY)


@change("box at another table")
def _box_table(floor: WalkedFloor, dice: Random, table: Table) -> None:
    put_box(floor.box(dice.choice(floor.boxes)), table=table)


@change("secret replaced")
def _secret(floor: WalkedFloor, dice: Random, table: Table) -> None:
    grace = dice.choice([timedelta(0), timedelta(hours=1), timedelta(milliseconds=50)])
    rotate(device=a_box(floor, dice, table), by=BY, grace=grace)


@change("grace ended")
def _grace(floor: WalkedFloor, dice: Random, table: Table) -> None:
    put_box(a_box(floor, dice, table), earlier_until=None)


@change("numbers spent elsewhere")
def _spent(floor: WalkedFloor, dice: Random, table: Table) -> None:
    put_box(a_box(floor, dice, table), last_sequence=floor.sequence + dice.randint(-3, 3))


@change("linked anew")
def _links(floor: WalkedFloor, dice: Random, table: Table) -> None:
    """Any links a row may hold, also those that no page would write: to one jackpot, to two levels, to none.

    Between two rounds, as every page: a recount finds a running round's links as they were at its coin-in.
    """
    last = last_round(table)
    if table.premises_id != floor.house.pk or (last is not None and last.state == "open"):
        return
    first = dice.choice([[floor.grand], [floor.mini], [floor.grand, floor.mini], [floor.mini, floor.grand], []])
    further = bool(first) and dice.random() < 0.4
    with under_the_locks():
        Link.objects.filter(table=table).delete()
        FurtherWager.objects.filter(table=table).delete()
        if further:
            chip = dice.choice(["5.00", "5.00", "1.00"])
            FurtherWager.objects.create(table=table, place=2, code=FURTHER, chip=chip)
        Table.objects.filter(pk=table.pk).update(wagers=2 if further else 1)
        for level, jackpot in enumerate(first, 1):
            Link.objects.create(table=table, jackpot=jackpot, level=level, wager=1)
        if further:
            Link.objects.create(table=table, jackpot=floor.big, level=len(first) + 1, wager=2)


@change("altered on its page")
def _altered(floor: WalkedFloor, dice: Random, table: Table) -> None:
    if table.premises_id != floor.house.pk:
        return
    levels = dice.choice([[floor.grand], [floor.mini], [floor.grand, floor.mini]])
    colours = dice.choice([(), ("red", "blue")])
    facts = TableDescription(wager=FIRST_CHIP, game="uth", seats=dice.choice([5, 7]), deck_colours=colours)
    alter_table(table=floor.table(table), facts=facts, jackpots=levels, by=BY)


@change("suspended")
def _suspended(floor: WalkedFloor, dice: Random, table: Table) -> None:
    jackpot = dice.choice(floor.own)
    jackpot.refresh_from_db()
    by_others("suspend" if jackpot.state == "open" else "resume", jackpot)


@change("other terms")
def _terms(floor: WalkedFloor, dice: Random, table: Table) -> None:
    """A suspended jackpot has them at once, and mostly plays again."""
    jackpot = dice.choice(floor.own)
    jackpot.refresh_from_db()
    if jackpot.state == "open":
        by_others("suspend", jackpot)
    rates, lines = floor.rates[jackpot.code][-1], dice.choice([ONLY_A_PART, OTHER_LINES])
    wished = Rates(rates.wager, dice.choice(["20", "33.3333", "70"]), dice.choice(["0", "2.5", "5"]))
    table_ = a_pay_table(code=f"pays-{dice.randint(1, 9_999)}", lines=lines)
    approved(jackpot, AT_ONCE, rate=wished.rate, reserve_rate=wished.reserve_rate, pay_table=table_.plain())
    floor.rates[jackpot.code].append(wished)
    assert in_force(jackpot) == len(floor.rates[jackpot.code])
    if mostly(dice):
        by_others("resume", jackpot)


@change("voided")
def _voided(floor: WalkedFloor, dice: Random, table: Table) -> None:
    if (last := last_round(table)) is not None:
        void_round(table_code=table.code, round_number=last.number, reason="shuffler malfunction", by=BY)


@change("recounted")
def _recounted(floor: WalkedFloor, dice: Random, table: Table) -> None:
    if (last := last_round(table)) is not None:
        told = {"seats": dice.choice(["1", "23"]), "spots": ""}
        recount_round(table_code=table.code, round_number=last.number, by=BY, **told)


@change("kept back decided")
def _decided(floor: WalkedFloor, dice: Random, table: Table) -> None:
    told = {"accept": mostly(dice), "by": floor.boss, "why": "the walk"}
    decide_kept_back(table_code=table.code, **told, second=floor.second_card if dice.random() < 0.5 else None)


@change("hit")
def _hit(floor: WalkedFloor, dice: Random, table: Table) -> None:
    """A marked round does not end before the mark is taken back."""
    if (last := last_round(table)) is not None:
        act = hit.unmark if last.open_hits else hit.mark
        act(table_code=table.code, round_number=last.number, by=BY, **MARK)


@change("line lost")
def _line(floor: WalkedFloor, dice: Random, table: Table) -> None:
    connection.close()


def heal(floor: WalkedFloor) -> None:
    """Back to a floor that plays."""
    with under_the_locks():
        Table.objects.filter(pk__in=[each.pk for each in floor.tables]).update(
            state="open",
            held_why="",
            seats=7,
            wager=1,
            key_at_jph="",
            unsettled=0,
            most_a_minute=2,
            most_in_ten=3,
            most_seats=9,
        )
        for box in floor.boxes:
            Device.objects.filter(pk=box.pk).update(state="active", table=box.table)
        for table in floor.tables:
            if not Link.objects.filter(table=table).exists():
                Link.objects.create(table=table, jackpot=floor.grand, level=1)
    for table in floor.tables:
        last = last_round(table)
        if last is not None and last.open_hits:
            hit.unmark(table_code=table.code, round_number=last.number, by=BY, **MARK)
    for jackpot in floor.own:
        jackpot.refresh_from_db()
        if jackpot.state == "suspended":
            by_others("resume", jackpot)
