"""The floor is set up and altered: property, tables, links, signs, devices.

Whoever changes a table's jackpots, wager, seats or state, or a device, first locks the jackpots of that table: the
batch that posts coin-ins holds these locks and reads tables and devices without locking them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db import transaction

from jackpot.approvals.queries import asked_by_house
from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.rule_books.queries import rule_books
from jackpot.rule_books.rules.rule_book import NO_RULE_BOOK
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from tables.floor.actions.agreeing import check_links, check_sign
from tables.floor.actions.state import _change, hold_row_of, lock_jackpots_of
from tables.floor.models.device import Device, DeviceKind
from tables.floor.models.sign import Sign, SignMeter
from tables.floor.models.table import Bank, Profile, Table, TableState
from tables.floor.rules.links import LinksRefused, check_meters
from tables.floor.rules.wagers import FurtherWagerFacts
from tables.hits.rules.surveillance import ITEMS
from tables.rounds.models.round import Round, RoundState
from tables.setup.actions.equipment import check_equipment
from tables.setup.actions.limit_sheets import check_chips
from tables.setup.actions.offers import check_offer
from tables.setup.actions.wagers import all_fed, told_words, wagers_described, wagers_told, write_wagers

_CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,19}")


_DEVICE_CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class PropertyFacts:
    name: str
    address: str = ""
    time_zone: str = "UTC"
    day_roll_minutes: int = 360
    currency: str = "USD"
    locale: str = "en_US"
    limit_may_equal_meter: bool = False
    raise_limit_at_once: bool = False
    surveillance: tuple[str, ...] = ()
    checklist_opens: bool = False
    approves_game: bool = False
    approves_agreement: bool = False
    approves_pay_table: bool = False
    approves_jackpot: bool = False
    approves_schedule: bool = False
    evidence_files: bool = False
    seed_recovery: bool = False
    short_cover_suspends: bool = False
    unapproved_closes: bool = False
    terms_wait_for_notice: bool = False
    plausible_play: bool = True
    most_games: int = 4
    each_wager_a_game: bool = False
    player_dealer_jackpots: bool = False
    slips_need_two: bool = True
    surveillance_first: bool = False
    limits_close: bool = False
    bad_beat_takes_trips: bool = False
    losers_play_first: bool = False
    each_progressive_a_game: bool = True
    end_waits_for_settling: bool = False
    unreasonable_share: int = 0
    rule_book: str = NO_RULE_BOOK


@dataclass(frozen=True, slots=True)
class TableDescription:
    """What a table is, apart from the jackpots that its first wager feeds."""

    wager: Money
    game: str
    seats: int = 7
    profile: str = Profile.CARD.value
    name: str = ""
    shuffler: str = ""
    bank: str = Bank.HOUSE.value
    deck_colours: tuple[str, ...] = ()
    drop_box: str = ""
    for_people: bool = False
    most_a_minute: int = 4
    most_in_ten: int = 20
    most_seats: int = 9
    wager_name: str = ""
    further: tuple[FurtherWagerFacts, ...] = ()
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SignFacts:
    name: str = ""
    type: str = Sign.Type.PICTURE.value
    digits: int = 12
    notice: str = ""


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """A device stands at one table or hangs as one sign."""

    kind: str = DeviceKind.CONTROLLER.value
    table: str = ""
    sign: str = ""
    model: str = ""
    serial: str = ""
    version: str = ""
    contact: str = ""


@transaction.atomic
def make_property(
    *, code: str, facts: PropertyFacts, by: str, demo: bool = False, authority: Mapping[str, Any] | None = None
) -> Property:
    """A casino or card room. Whether it is a demo is decided here and never again.

    The first values of authority too: from here on two people change them (jackpot.authority.actions).
    """
    _check_code(code, "property")
    _check_property(facts)
    if Property.objects.filter(code=code).exists():
        raise NotAllowedNow(f"There is already a property {code}. Choose another code.", "exists")
    premises = Property.objects.create(code=code, demo=demo, **_property_columns(facts), **_first(authority or {}))
    told = {"demo": demo, **asdict(facts), **(authority or {})}
    record(actor=by, act="make_property", about=objects.house(code), details=told)
    return premises


@transaction.atomic
def alter_property(*, premises: Property, facts: PropertyFacts, by: str) -> None:
    """Other facts of the property. Its time and day count for entries from now on; what is written keeps its day."""
    _check_property(facts)
    # Entries take their gaming day from the house under these locks: in the middle of a batch it must not change.
    lock(list(premises.jackpots.values_list("id", flat=True)))
    _change(premises, _property_columns(facts), by, "alter_property")


@transaction.atomic
def name_jackpot(*, jackpot: Jackpot, name: str, by: str) -> None:
    """Another name on signs and pages; the terms and the books are untouched."""
    lock([jackpot.id])
    _change(jackpot, {"name": name}, by, "name_jackpot")


@transaction.atomic
def set_up_table(
    *, premises: Property, code: str, facts: TableDescription, jackpots: Sequence[Jackpot], by: str
) -> Table:
    """A new table and the jackpots its first wager feeds, the first is level 1; further wagers name their own."""
    _check_code(code, "table")
    _check_table(code, facts, jackpots, premises)
    wagers = wagers_described(code, facts, jackpots, premises)
    lock([jackpot.id for jackpot in all_fed(wagers)])
    # Under the locks: no jackpot of them changes its terms while they are held against each other.
    check_links(code, facts.game, wagers)
    if Table.objects.filter(code=code).exists():
        raise NotAllowedNow(f"There is already a table {code}. Choose another code.", "exists")
    # Where a checklist or an approval opens a table, a new one is not open by being new.
    waits = premises.checklist_opens or bool(asked_by_house(premises))
    state = TableState.CLOSED if waits else TableState.OPEN
    table = Table.objects.create(premises=premises, code=code, state=state, **_table_columns(facts))
    write_wagers(table, facts, wagers)
    details = {**_as_details(facts), "jackpots": [jackpot.code for jackpot in jackpots]}
    record(actor=by, act="set_up_table", about=objects.table(code), details=details)
    return table


@transaction.atomic
def alter_table(*, table: Table, facts: TableDescription, jackpots: Sequence[Jackpot], by: str) -> None:
    """Other facts or other jackpots, between two rounds: a running round ends as it began."""
    _check_table(table.code, facts, jackpots, table.premises)
    wagers = wagers_described(table.code, facts, jackpots, table.premises)
    lock_jackpots_of(table, all_fed(wagers))
    hold_row_of(table.code)
    # Behind the locks that a coin-in or a told action holds: no round begins between this look and the change.
    _check_between_rounds(table)
    check_links(table.code, facts.game, wagers)
    before, after = wagers_told(table), [jackpot.code for jackpot in jackpots]
    if before != (after, facts.further):
        write_wagers(table, facts, wagers)
        details = {"before": told_words(*before), "after": told_words(after, facts.further)}
        record(actor=by, act="link_table", about=objects.table(table.code), details=details)
    _change(table, _table_columns(facts), by, "alter_table")


@transaction.atomic
def hang_sign(*, premises: Property, code: str, facts: SignFacts, jackpots: Sequence[Jackpot], by: str) -> Sign:
    """A new sign and its meters in the order shown."""
    _check_code(code, "sign")
    lock([jackpot.id for jackpot in jackpots])  # as whoever signs other terms: the limit and the width meet
    _check_sign(code, facts, jackpots)
    if Sign.objects.filter(code=code).exists():
        raise NotAllowedNow(f"There is already a sign {code}. Choose another code.", "exists")
    sign = Sign.objects.create(premises=premises, code=code, **asdict(facts))
    _write_meters(sign, jackpots)
    details = {**asdict(facts), "meters": [jackpot.code for jackpot in jackpots]}
    record(actor=by, act="hang_sign", about=ObjectRef(ObjectKind.SIGN, code), details=details)
    return sign


@transaction.atomic
def alter_sign(*, sign: Sign, facts: SignFacts, jackpots: Sequence[Jackpot], by: str) -> None:
    """Another type, width, notice or other meters."""
    _hold_what_it_shows(sign, facts, jackpots)
    _check_sign(sign.code, facts, jackpots)
    before = list(sign.meters.order_by("place").values_list("jackpot__code", flat=True))
    after = [jackpot.code for jackpot in jackpots]
    if before != after:
        sign.meters.all().delete()
        _write_meters(sign, jackpots)
        record(
            actor=by,
            act="set_meters",
            about=ObjectRef(ObjectKind.SIGN, sign.code),
            details={"before": before, "after": after},
        )
    _change(sign, asdict(facts), by, "alter_sign")


@transaction.atomic
def register_device(*, code: str, facts: DeviceFacts, by: str) -> Device:
    """The house knows a device; it can say nothing before it is enrolled with a one-time code."""
    if not _DEVICE_CODE.fullmatch(code):
        raise NotUnderstood(f"“{code}” is no device code. Use up to 40 of A–Z, 0–9 and -.", "code")
    table, sign = _place_of(code, facts)
    if table is not None:
        lock_jackpots_of(table)
    if Device.objects.filter(code=code).exists():
        raise NotAllowedNow(f"There is already a device {code}. Choose another code.", "exists")
    told = asdict(facts)
    device = Device.objects.create(code=code, **{**told, "table": table, "sign": sign})
    record(actor=by, act="register_device", about=objects.device(code), details=told)
    return device


@transaction.atomic
def alter_device(*, device: Device, facts: DeviceFacts, by: str) -> None:
    """Another serial or contact, or another place. Its secret stays; what it may speak for does not."""
    table, sign = _place_of(device.code, facts)
    places = [place for place in (device.table, table) if place is not None]
    # A device that moves is silenced at one table and heard at another: both must stand still.
    fed = list(Jackpot.objects.filter(links__table__in=places).distinct())
    for place in places:  # the first locks those of both, in their order
        lock_jackpots_of(place, fed)
    told = {
        "kind": facts.kind,
        "model": facts.model,
        "serial": facts.serial,
        "version": facts.version,
        "contact": facts.contact,
    }
    _change(device, {**told, "table": table, "sign": sign}, by, "alter_device")


def _check_code(code: str, what: str) -> None:
    if not _CODE.fullmatch(code):
        raise NotUnderstood(f"“{code}” is no code of a {what}. Use up to 20 of A–Z, 0–9 and -, such as UTH-04.", "code")


def _check_property(facts: PropertyFacts) -> None:
    if not 0 <= facts.day_roll_minutes < 24 * 60:
        raise NotUnderstood("The gaming day rolls at a time between 00:00 and 23:59.", "day_roll")
    try:
        # What the system does not know must not be stored: every gaming day after would fail on it.
        ZoneInfo(facts.time_zone)
    except (KeyError, ValueError, OSError):
        why = f"“{facts.time_zone}” is no time zone. Write it like America/Los_Angeles."
        raise NotUnderstood(why, "time_zone") from None
    if not re.fullmatch(r"[A-Z]{3}", facts.currency):
        raise NotUnderstood(f"“{facts.currency}” is no currency. Write it like USD.", "currency")
    for item in facts.surveillance:
        if item not in ITEMS:
            why = f"“{item}” is nothing that surveillance ticks off. Known: {', '.join(ITEMS)}."
            raise NotUnderstood(why, "surveillance")
    known = rule_books().books
    if facts.rule_book not in known:
        why = f"There is no rule book “{facts.rule_book}”. Known: {', '.join(known)}."
        raise NotUnderstood(why, "rule_book")


def _check_table(code: str, facts: TableDescription, jackpots: Sequence[Jackpot], premises: Property) -> None:
    if not 1 <= facts.seats <= 9:
        raise NotUnderstood(f"{code} cannot have {facts.seats} seats. A table has 1 to 9.", "seats")
    if not 1 <= facts.most_a_minute <= facts.most_in_ten <= 600 or not 1 <= facts.most_seats <= 9:
        why = (
            f"{code}: say at most how many rounds are dealt in a minute (from 1), in ten minutes (no fewer, at most "
            "600), and at how many seats (1 to 9)."
        )
        raise NotUnderstood(why, "pace")
    if facts.profile not in Profile.values:
        raise NotUnderstood(f"{code}: “{facts.profile}” is no profile. Choose key or card.", "profile")
    if not facts.game:
        raise NotUnderstood(f"{code} names no game.", "game")
    if facts.bank not in Bank.values:
        raise NotUnderstood(f"{code}: “{facts.bank}” is no bank. Choose house or player_dealer.", "bank")
    fed = [*(jackpot.code for jackpot in jackpots), *(code for each in facts.further for code in each.jackpots)]
    # A rule of California's, so a switch of the house: where a player banks the house may have no interest.
    if facts.bank == Bank.PLAYER_DEALER and fed and not premises.player_dealer_jackpots:
        raise NotAllowedNow(
            f"At {code} a player banks: the house may have no interest in its game, so it feeds no jackpot. "
            f"Take {fed[0]} away, or let the house bank.",
            "bank",
        )
    check_equipment(code, facts.game, facts.shuffler, facts.bank, facts.deck_colours)
    check_offer(code, facts.game, facts.games, (len(jackpots) > 0) + len(facts.further), premises)
    check_chips(code, facts.game, [facts.wager, *(each.chip for each in facts.further)], premises)


def _check_between_rounds(table: Table) -> None:
    running = Round.objects.filter(table_id=table.id, state=RoundState.OPEN).order_by("-number").first()
    if running is not None:
        raise NotAllowedNow(
            f"Round {running.number} at {table.code} is still open. Press END GAME first.", "round_open"
        )


def _check_sign(code: str, facts: SignFacts, jackpots: Sequence[Jackpot]) -> None:
    if facts.type not in Sign.Type.values:
        raise NotUnderstood(f"Sign {code}: “{facts.type}” is no type. Choose picture or digits.", "type")
    try:
        check_meters(code, [jackpot.code for jackpot in jackpots])
    except LinksRefused as why:
        raise NotAllowedNow(str(why), "meters") from None
    check_sign(code, facts.digits, jackpots)


def _hold_what_it_shows(sign: Sign, facts: SignFacts, jackpots: Sequence[Jackpot]) -> None:
    """Whoever signs other terms looks at widths and meters under the jackpots' locks; a notice waits for nobody."""
    wished = (facts.digits, [jackpot.id for jackpot in jackpots])
    stands = _shown_by(Sign.objects.get(pk=sign.pk))
    if stands != wished:
        lock(wished[1])
    if _shown_by(Sign.objects.select_for_update(no_key=True, of=("self",)).get(pk=sign.pk)) != stands:
        raise NotAllowedNow(f"Sign {sign.code} was altered at this moment. Look again, then repeat.", "altered")


def _shown_by(sign: Sign) -> tuple[int, list[int]]:
    return sign.digits, list(sign.meters.order_by("place").values_list("jackpot_id", flat=True))


def _place_of(code: str, facts: DeviceFacts) -> tuple[Table | None, Sign | None]:
    if facts.kind not in DeviceKind.values:
        raise NotUnderstood(
            f"{code}: “{facts.kind}” is no kind. Choose one of: {', '.join(DeviceKind.values)}.", "kind"
        )
    wanted = "sign" if facts.kind == DeviceKind.SIGN else "table"
    if not getattr(facts, wanted) or getattr(facts, "table" if wanted == "sign" else "sign"):
        raise NotUnderstood(
            f"Device {code} is a {facts.kind}: it belongs to one {wanted} and to nothing else.", "place"
        )
    table = Table.objects.filter(code=facts.table).first()
    sign = Sign.objects.filter(code=facts.sign).first()
    if table is None and sign is None:
        raise NotFound(f"Device {code} belongs to {wanted} {getattr(facts, wanted)}, which does not exist.")
    return table, sign


def _property_columns(facts: PropertyFacts) -> dict[str, Any]:
    return {**asdict(facts), "surveillance": list(facts.surveillance)}


def _first(authority: Mapping[str, Any]) -> dict[str, Any]:
    """Amounts are kept as text until they are columns."""
    return {name: Decimal(value) if isinstance(value, str) else value for name, value in authority.items()}


def _table_columns(facts: TableDescription) -> dict[str, Any]:
    columns = {**asdict(facts), "wager": facts.wager.decimal(), "deck_colours": list(facts.deck_colours)}
    del columns["further"]
    columns["games"] = list(facts.games)
    return {**columns, "wagers": 1 + len(facts.further)}


def _as_details(facts: TableDescription) -> dict[str, Any]:
    told = {**asdict(facts), "wager": str(facts.wager), "deck_colours": list(facts.deck_colours)}
    return {**told, "further": [str(each) for each in facts.further], "games": list(facts.games)}


def _write_meters(sign: Sign, jackpots: Sequence[Jackpot]) -> None:
    SignMeter.objects.bulk_create(
        SignMeter(sign=sign, jackpot=jackpot, place=place) for place, jackpot in enumerate(jackpots, 1)
    )
