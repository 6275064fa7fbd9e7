"""What a coin-in must hear now and leave behind: asked of the tables themselves, with nothing remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.property.rules.gaming_day import gaming_day
from tables.floor.models.device import Device
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import FurtherWager, Link, Table
from tables.rounds.models.kept_back import KeptBack
from tables.rounds.models.round import Round, RoundEntry
from tables.rounds.rules.pace import Played, TablePace, why_implausible
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, Outcome, Refusal, request_digest
from tests.races.floor_scene import WalkedFloor, moved

COUNTED, REPEAT, KEPT_BACK = "counted", "repeat", "kept back"
BY_THE_CLOCK: Final = "by the clock"  # a grace that ends in this moment: either is right
MOMENT: Final = timedelta(seconds=5)


@dataclass(frozen=True)
class JackpotDue:
    """A jackpot that the round feeds, with so many chips of so much."""

    jackpot: Jackpot
    chip: Money
    chips: int


@dataclass(frozen=True)
class DueRound:
    """What a round that is counted must say of its table, and how its pace is judged."""

    dealer: int | None
    deck: str
    fed: Sequence[JackpotDue]
    pace: TablePace | None = None
    before: tuple[datetime | None, datetime | None, datetime | None] = (None, None, None)


@dataclass(frozen=True)
class Due:
    """The word that a coin-in must hear: counted, a repeat of this answer, or the refusal's code."""

    word: str
    answer: str = ""
    round: DueRound | None = None


def due(floor: WalkedFloor, request: DeviceRequest) -> Due:
    """As the floor stands before it is said."""
    act, table = request.act, Table.objects.get(code=request.table_code)
    assert isinstance(act, CoinInRequest)
    device = Device.objects.get(pk=request.device_id)
    if word := _speaker(request, device, table):
        return Due(word)
    known = Round.objects.filter(table=table, number=act.round).first()
    if known is not None:
        same = bytes(known.request) == request_digest(table.code, act.round, act.seats, act.further)
        return Due(REPEAT, known.answer) if same else Due("clash")
    last = Round.objects.filter(table=table).order_by("-number").first()
    if word := _number(request, device) or _table(table, act) or _next(act, last):
        return Due(word)
    fed = _fed(table, act)
    if word := _jackpots(floor, table, fed):
        return Due(word)
    return Due(COUNTED, round=_round(table, act, last, [each for each in fed if each.chips]))


def check(request: DeviceRequest, floor: WalkedFloor, told: Due, heard: Outcome) -> str:
    """The word that was heard; what was counted left exactly what was due."""
    word = heard.code if isinstance(heard, Refusal) else REPEAT if heard.repeat else COUNTED
    if told.word == BY_THE_CLOCK:
        return word
    assert word == told.word, f"{told.word} was due: {heard}"
    if isinstance(heard, Refusal) or told.round is None:
        assert isinstance(heard, Refusal) or heard.answer == told.answer, "a repeat hears the first answer"
        return word
    act, row = request.act, Round.objects.select_related("table__premises").get(
        table__code=request.table_code, number=request.act.round
    )  # fmt: skip
    table, house = row.table, row.table.premises
    assert isinstance(act, CoinInRequest)
    stands = row.dealer_id, row.deck_colour, row.device_id, row.seats, row.wager, row.gaming_day
    day = gaming_day(row.opened_at, house.time_zone, house.day_roll_minutes)
    assert stands == (told.round.dealer, told.round.deck, request.device_id, act.seats, table.wager, day)
    why = _implausible(told.round, row, len(act.players))
    assert (row.kept_back == "waiting") == (why is not None), f"{row.kept_back or 'not kept back'}, and {why}"
    if why is not None:
        kept = KeptBack.objects.get(table=table, number=row.number)
        assert (kept.why, list(kept.jackpots)) == (why, [each.jackpot.pk for each in told.round.fed])
        return KEPT_BACK
    _check_entries(floor, row, told.round.fed)
    return word


def _speaker(request: DeviceRequest, device: Device, table: Table) -> str:
    if device.state != "active":
        return "secret_ended" if device.state == "waiting" else "blocked"
    if device.table_id != table.pk:
        return "wrong_table"
    if request.generation in (None, device.generation):
        return ""
    left = (device.earlier_until or timezone.now()) - timezone.now()
    if request.generation != device.generation - 1 or left <= -MOMENT or device.earlier_until is None:
        return "secret_ended"
    return "" if left > MOMENT else BY_THE_CLOCK


def _number(request: DeviceRequest, device: Device) -> str:
    """Of the message itself: what its secret has spent."""
    if request.generation is None or not request.sequence:
        return ""
    spent = device.last_sequence if request.generation == device.generation else device.earlier_sequence
    return "replay" if request.sequence <= spent else ""


def _table(table: Table, act: CoinInRequest) -> str:
    if table.state != "open":
        return table.state
    if table.key_at_jph:
        return "key_at_jph"
    if any(int(seat) > table.seats for seat in act.players):
        return "seats"
    known = set(FurtherWager.objects.filter(table=table).values_list("code", flat=True))
    return "" if {each.code for each in act.further} <= known else "wager"


def _next(act: CoinInRequest, last: Round | None) -> str:
    if last is not None and last.state == "open":
        return "round_open"
    return "" if act.round == (last.number if last is not None else 0) + 1 else "gap"


def _fed(table: Table, act: CoinInRequest) -> list[JackpotDue]:
    """Every jackpot of the table, by level, with the chips of the wager that feeds it."""
    wagers = {row.place: row for row in FurtherWager.objects.filter(table=table)}
    said = {each.code: len(each.seats) for each in act.further}
    fed = []
    for link in Link.objects.filter(table=table).order_by("level").select_related("jackpot"):
        wager = wagers.get(link.wager)
        chip, chips = (table.wager_money, len(act.seats)) if wager is None else (
            Money.of(str(wager.chip)), said.get(wager.code, 0)
        )  # fmt: skip
        fed.append(JackpotDue(link.jackpot, chip, chips))
    return fed


def _jackpots(floor: WalkedFloor, table: Table, fed: Sequence[JackpotDue]) -> str:
    """What is played asks its jackpots; a round without a chip asks those of the first wager."""
    if not fed:
        return "no_jackpot"
    further = set(Link.objects.filter(table=table, wager__gt=1).values_list("jackpot_id", flat=True))
    first = [each for each in fed if each.jackpot.pk not in further]
    for each in [each for each in fed if each.chips] or first:
        if each.jackpot.state != "open":
            return "suspended"
        if floor.rates[each.jackpot.code][-1].wager != each.chip:
            return "wager"
    return ""


def _round(table: Table, act: CoinInRequest, last: Round | None, fed: Sequence[JackpotDue]) -> DueRound:
    duty = TableDuty.objects.filter(table=table, ended_at=None).first()
    colours = table.deck_colours
    told = DueRound(
        None if duty is None else duty.operator_id, colours[act.round % len(colours)] if colours else "", fed
    )
    if not fed or not Property.objects.get(pk=table.premises_id).plausible_play:
        return told
    done = last.number if last is not None else 0
    numbers = [done, done + 1 - table.most_a_minute, done + 1 - table.most_in_ten]
    rows = Round.objects.filter(table=table, number__in=numbers).values_list("number", "played_at", "opened_at")
    times = {number: played or opened for number, played, opened in rows}
    last_played, a_minute_ago, ten_ago = (times.get(number) for number in numbers)
    pace = TablePace(table.most_a_minute, table.most_in_ten, table.most_seats, table.opened_at)
    return replace(told, pace=pace, before=(last_played, a_minute_ago, ten_ago))


def _implausible(told: DueRound, row: Round, players: int) -> str | None:
    if told.pace is None:
        return None
    played = Played(row.played_at or row.opened_at, *told.before)
    return why_implausible(told.pace, played, players, row.opened_at)


def _check_entries(floor: WalkedFloor, row: Round, fed: Sequence[JackpotDue]) -> None:
    """One entry for each jackpot, by the newest version that two people signed."""
    listed = RoundEntry.objects.filter(table=row.table, number=row.number, revision=row.revision).order_by("level")
    entries = [Entry.objects.select_related("version").get(jackpot_id=each.jackpot_id, seq=each.seq) for each in listed]
    assert [entry.jackpot_id for entry in entries] == [each.jackpot.pk for each in fed]
    for entry, each in zip(entries, fed, strict=True):
        versions = floor.rates[each.jackpot.code]
        assert entry.version.number == len(versions), f"{each.jackpot.code} by an older version"
        assert moved(entry) == versions[-1].raised(each.chips), f"{each.jackpot.code} was raised by something else"
