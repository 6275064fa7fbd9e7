"""The parts of a house that are set up on a form: each is a section of the casino file with its fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from accounting.setup_desk.rules.part_fields import FieldKind, PartField

_F = PartField
_K = FieldKind


@dataclass(frozen=True, slots=True)
class PartKind:
    """One kind of part. `key` is its section of the file, `listed` how many fields its list shows.

    `dated` parts are added and never altered.
    """

    key: str
    title: str
    one: str
    lead: str
    fields: tuple[PartField, ...]
    dated: bool = False
    listed: int = 7

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)


PROPERTY: Final = PartKind(
    "property", "Property", "property", "Its name, money and time. The gaming day rolls at a local time of its zone.",
    (
        _F("name", "Name", needed=True),
        _F("address", "Address", _K.LINES, meaning="Several lines, as win pages print it."),
        _F("currency", "Currency", needed=True, start="USD", meaning="Three letters, such as USD."),
        _F("locale", "Way of writing", start="en_US", meaning="Such as en_US: how amounts and days look."),
        _F("time_zone", "Time zone", needed=True, start="America/Los_Angeles", options="time_zone"),
        _F("day_roll", "Gaming day rolls at", needed=True, start="06:00", meaning="Local time, such as 06:00."),
        _F("surveillance", "Surveillance ticks off", _K.CHOICES, options="surveillance"),
        _F("checklist_opens", "A table opens only with its checklist done", _K.TRUTH),
        _F("evidence_files", "No signature without a file of evidence", _K.TRUTH),
        _F("limit_may_equal_meter", "A new limit may be the present meter itself", _K.TRUTH),
        _F("raise_limit_at_once", "A higher limit need not wait for a reset", _K.TRUTH),
        _F("approves_game", "A table opens only with the approval of its game", _K.TRUTH),
        _F("approves_agreement", "… with the agreement of its game’s owner", _K.TRUTH),
        _F("approves_pay_table", "… with the approval of its pay tables", _K.TRUTH),
        _F("approves_jackpot", "… with the approval of its jackpots", _K.TRUTH),
        _F("approves_schedule", "… with the approval of its collection schedule", _K.TRUTH),
        _F("unapproved_closes", "A table closes when an approval of what it plays ends", _K.TRUTH),
        _F("terms_wait_for_notice", "Other terms count only when whoever must be told was told", _K.TRUTH),
        _F("seed_recovery", "The house may take its seed back out of a meter", _K.TRUTH),
        _F("short_cover_suspends", "Jackpots suspend themselves while the bank holds too little", _K.TRUTH),
        _F("plausible_play", "Coin-ins faster than a table can deal wait for a supervisor", _K.TRUTH, start="yes"),
        _F("most_games", "Games that a player may wager on at a table", _K.WHOLE, start="4"),
        _F("each_wager_a_game", "Ante, blind and play count as a game each", _K.TRUTH),
        _F("player_dealer_jackpots", "A table that a player banks may feed a jackpot", _K.TRUTH),
        _F("each_progressive_a_game", "Each progressive wager of a table counts as a game", _K.TRUTH, start="yes"),
        _F("end_waits_for_settling", "A hand that a player banks ends only when it is settled", _K.TRUTH),
        _F("bad_beat_takes_trips", "A bad beat wager takes a trips wager beside it", _K.TRUTH,
           meaning="Else its pay table says what it takes."),
        _F("losers_play_first", "A losing hand gives play, then ante and blind, where a player banks", _K.TRUTH,
           meaning="Else ante, play, blind. It matters only where the bank’s wager runs out."),
        _F("limits_close", "A table that plays outside a limit sheet closes", _K.TRUTH),
        _F("surveillance_first", "A hit is approved only with surveillance’s list ticked off", _K.TRUTH),
        _F("slips_need_two", "Books of hand-written slips take two people", _K.TRUTH, start="yes"),
        _F("unreasonable_share", "An hour of a table rings from this per cent of what is expected", _K.WHOLE, start="0",
           meaning="Such as 300; 0: never."),
        _F("rule_book", "Rule book", _K.CHOICE, needed=True, start="NONE", options="rule_book",
           meaning="What the house is compared with; the switches stay as they are."),
    ),
)  # fmt: skip
SHIFTS: Final = PartKind(
    "shifts", "Shifts", "shift plan", "From a gaming day on. A shift lasts until the next one begins.",
    (
        _F("from", "From the gaming day", _K.DAY, needed=True),
        _F("begin", "Shifts and when they begin", _K.HOURS, needed=True, start="Day 06:00\nSwing 14:00\nNight 22:00",
           meaning="A name and a local time each."),
    ), dated=True,
)  # fmt: skip
TAX: Final = PartKind(
    "tax", "Tax rules", "tax rule",
    "From a gaming day of payment on. Your accountant knows which figures your law asks for.",
    (
        _F("from", "From the gaming day", _K.DAY, needed=True),
        _F("minimum", "Reported from", _K.AMOUNT, needed=True, meaning="A win of this sum or more is reported."),
        _F("multiple", "… and from so many times the wager", _K.WHOLE, start="0"),
        _F("withhold_above", "Withheld above", _K.AMOUNT, meaning="Empty: nothing is withheld."),
        _F("rate", "Percent withheld", _K.PERCENT, start="0"),
        _F("wager_deducted", "All sums are the win less its wager", _K.TRUTH, start="yes"),
        _F("form", "Form of a reported win", meaning="W-2G: whom it is paid to is written down. Empty: nobody is."),
        _F("shared_form", "Form where several share it", meaning="5754."),
        _F("currency_above", "Cash report above", _K.AMOUNT, meaning="To one person on one gaming day."),
    ), dated=True,
)  # fmt: skip
UNCLAIMED: Final = PartKind(
    "unclaimed", "Unclaimed slips", "rule of unclaimed slips", "For slips given from a gaming day on.",
    (
        _F("from", "From the gaming day", _K.DAY, needed=True),
        _F("notice_after", "Days until the owner is told", _K.WHOLE, start="180"),
        _F("lapse_after", "Days until the slip lapses", _K.WHOLE, start="365"),
    ), dated=True,
)  # fmt: skip
NOTICES: Final = PartKind(
    "notices", "Notices", "rule of notices", "Whom your rule book asks to be told of what, and within how many hours.",
    (
        _F("from", "From the gaming day", _K.DAY, needed=True),
        _F("about", "Is told of", _K.CHOICE, needed=True, options="notice_about"),
        _F("to", "Who is told", needed=True, meaning="Such as the gaming commission."),
        _F("owner", "Told by whoever is", _K.CHOICE, needed=True, options="roles"),
        _F("within_hours", "Within hours of the second signature", _K.WHOLE, meaning="Empty: nobody any more."),
        _F("from_amount", "Only from this amount on", _K.AMOUNT, meaning="Up or down. Empty: of whatever."),
        _F("no_more", "From this day on nobody is told any more", _K.TRUTH),
    ), dated=True,
)  # fmt: skip
COLLECTIONS: Final = PartKind(
    "collections", "Collections", "collection",
    "What tables take for their hands, from a gaming day on; the close compares each drop box with it.",
    (
        _F("from", "From the gaming day", _K.DAY, needed=True),
        _F("tables", "Tables", _K.WORDS, needed=True, meaning="UTH-01, or several with commas between."),
        _F("for", "Taken for", _K.CHOICE, needed=True, options="fee_basis"),
        _F("fee", "Fee", _K.AMOUNT, meaning="For a hand, a player or a half hour."),
        _F("set", "Rule set of the game", meaning="For total action: such as 001."),
        _F("option", "… and its option", _K.WHOLE),
    ), dated=True,
)  # fmt: skip
SCHEDULES: Final = PartKind(
    "schedules", "Schedules", "word on a schedule",
    "How a collection schedule stands from a gaming day on. A withdrawn one collects nothing from that day.",
    (
        _F("from", "From the gaming day", _K.DAY, needed=True),
        _F("game", "Game", _K.CHOICE, needed=True, start="uth", options="game"),
        _F("set", "Rule set of the game", needed=True, meaning="Such as 001."),
        _F("option", "Its option", _K.WHOLE, meaning="Empty: every option of the rule set."),
        _F("status", "Stands as", _K.CHOICE, needed=True, start="approved", options="schedule_status"),
        _F("reference", "Says who", needed=True, meaning="The letter, approval or notice that says so."),
    ), dated=True,
)  # fmt: skip
LIMITS: Final = PartKind(
    "limits", "Limit sheets", "limit sheet",
    "What your rule book authorizes for one wager, in whole units. No table takes a chip above it.",
    (
        _F("from", "From the gaming day", _K.DAY, needed=True),
        _F("sheet", "Sheet", needed=True, meaning="A short name of yours, such as CARD-ROOM."),
        _F("game", "Game", _K.CHOICE, needed=True, start="uth", options="game"),
        _F("least", "Smallest posted minimum", _K.WHOLE, needed=True, start="1"),
        _F("most", "Largest wager", _K.WHOLE, needed=True),
        _F("wager", "Only of one kind", meaning="Such as trips or progressive. Empty: of every wager."),
        _F("until", "Last day", _K.DAY, meaning="Empty: it goes on."),
        _F("reference", "Authorized by", needed=True, meaning="The rule or letter that says so."),
    ), dated=True,
)  # fmt: skip
PRINTERS: Final = PartKind(
    "printers", "Printers", "printer", "The first printer of a form, by code, gets the pages of that form.",
    (
        _F("code", "Code", needed=True, meaning="Such as CAGE-1."),
        _F("kind", "Kind", _K.CHOICE, needed=True, options="printer_kind"),
        _F("address", "Address", needed=True, meaning="host:port, or a folder inside the data folder."),
        _F("form", "Paper", _K.CHOICE, needed=True, options="form"),
    ),
)  # fmt: skip
TABLES: Final = PartKind(
    "tables", "Tables", "table", "One, or many at once: T-01…T-12 sets up twelve alike.",
    (
        _F("code", "Code", needed=True, meaning="T-01, or T-01…T-12, or T-01, T-05, T-09."),
        _F("game", "Game", _K.CHOICE, needed=True, start="uth", options="game"),
        _F("seats", "Seats", _K.WHOLE, needed=True, start="7"),
        _F("wager", "Wager", _K.AMOUNT, needed=True, start="1.00", meaning="The size of the progressive chip."),
        _F("profile", "Controller profile", _K.CHOICE, needed=True, start="card", options="profile"),
        _F("jackpots", "Feeds the jackpots", _K.WORDS, options="jackpots", meaning="Level by level: GRAND, MINI."),
        _F("games", "Games beside the progressive", _K.WORDS,
           meaning="Bet and pay table of each: pairs/PT1, bad_beat/BBB-01."),
        _F("further", "Further wagers", _K.WAGERS,
           meaning="One a line: code, chip, jackpots, such as MEGA 5.00: MEGA. Empty: one wager."),
        _F("wager_name", "Name of the first wager", meaning="Only where there are several."),
        _F("name", "Name"),
        _F("shuffler", "Procedure of the shuffler", _K.CHOICE, options="shuffler"),
        _F("bank", "Who banks", _K.CHOICE, start="house", options="bank"),
        _F("deck_colours", "Deck colours in turn", _K.WORDS, meaning="Such as red, blue."),
        _F("drop_box", "Drop box"),
        _F("for_people", "Simulated players leave it to people", _K.TRUTH),
        _F("most_a_minute", "Rounds dealt in a minute, at most", _K.WHOLE, start="4"),
        _F("most_in_ten", "Rounds dealt in ten minutes, at most", _K.WHOLE, start="20"),
        _F("most_seats", "Seats that play in one round, at most", _K.WHOLE, start="9"),
    ),
)  # fmt: skip
SIGNS: Final = PartKind(
    "signs", "Signs", "sign", "A display on the wall and the meters it shows.",
    (
        _F("code", "Code", needed=True, meaning="Such as WALL-1."),
        _F("meters", "Shows the meters of", _K.WORDS, needed=True, options="jackpots", meaning="In this order."),
        _F("type", "Type", _K.CHOICE, start="picture", options="sign_type"),
        _F("digits", "Digits it can show, cents included", _K.WHOLE, start="12"),
        _F("name", "Name"),
        _F("notice", "Posted under the meter"),
    ),
)  # fmt: skip
DEVICES: Final = PartKind(
    "devices", "Devices", "device", "Each has a secret of its own, which it gets once, by a one-time code.",
    (
        _F("code", "Code", needed=True, meaning="Such as T-01-C."),
        _F("kind", "Kind", _K.CHOICE, needed=True, start="controller", options="device_kind"),
        _F("table", "Stands at table", _K.CHOICE, options="tables"),
        _F("sign", "Hangs as sign", _K.CHOICE, options="signs"),
        _F("model", "Model", meaning="Its maker’s name for it, where rules of software differ by it."),
        _F("serial", "Serial number"),
        _F("version", "Software it came with"),
        _F("contact", "Contact"),
        _F("back", "Comes back after it was blocked", _K.TRUTH, meaning="Beside another controller: by two."),
    ), listed=4,
)  # fmt: skip
COMPONENTS: Final = PartKind(
    "components", "Software", "rule of software",
    "Which version a machine may run, as its approval says; model by model, or for a whole kind.",
    (
        _F("kind", "Kind", _K.CHOICE, needed=True, start="controller", options="component_kind"),
        _F("model", "Model", meaning="Its maker’s name for it; empty: every model without a rule of its own."),
        _F("rule", "Runs", _K.CHOICE, needed=True, start="minimum", options="version_rule"),
        _F("version", "Version", meaning="Such as 6.10 or 6.6 Build 520; empty for any and for no other model."),
        _F("keeps_closed", "A table whose machine does not fit stays closed", _K.TRUTH),
        _F("approval", "Approved under", meaning="The reference of the approval."),
    ), dated=True,
)  # fmt: skip
JACKPOTS: Final = PartKind(
    "jackpots", "Jackpots", "jackpot", "One person asks for its opening, another, who may configure, signs it.",
    (
        _F("code", "Code", needed=True, meaning="Such as GRAND. It never changes."),
        _F("name", "Name on signs", needed=True),
        _F("pay_table", "Pay table", _K.CHOICE, needed=True, options="pay_table"),
        _F("fixed_from", "Fixed awards come from", _K.CHOICE, needed=True, start="tray", options="fixed_from"),
        _F("wager", "Wager", _K.AMOUNT, needed=True, start="1.00"),
        _F("seed", "Seed", _K.AMOUNT, needed=True, meaning="What each new meter starts with."),
        _F("rate", "Percent of the chip to the meter", _K.PERCENT, needed=True),
        _F("reserve_rate", "Percent of the chip to the reserve", _K.PERCENT, start="0"),
        _F("limit", "Limit of the meter", _K.AMOUNT, meaning="Empty: none."),
        _F("opening", "Its books begin with", _K.CHOICE, needed=True, start="seed", options="opening"),
        _F("meter", "Reading: meter", _K.AMOUNT, meaning="The next five only where it is taken over."),
        _F("reserve", "Reading: reserve", _K.AMOUNT),
        _F("overflow", "Reading: overflow", _K.AMOUNT),
        _F("house_seed", "Put in by the house, not yet got back", _K.AMOUNT),
        _F("evidence", "What proves the reading", meaning="Such as photo 12."),
        _F("freeze", "An amount freezes at", _K.CHOICE, start="mark", options="freeze"),
        _F("order", "Hits of one round are paid", _K.CHOICE, start="counter_clockwise", options="order"),
        _F("shortfall", "What an award lacks comes from", _K.CHOICE, start="reserve_then_house", options="shortfall"),
        _F("overflow_policy", "What the limit cuts off", _K.CHOICE, start="next_meter", options="overflow"),
        _F("overflow_at_reset", "A reset takes back", _K.CHOICE, start="since_frozen", options="overflow_at_reset",
           meaning="Of what the limit cut off."),
        _F("row", "A seat wins", _K.CHOICE, start="highest", options="row"),
        _F("dry_meter", "A meter that an award leaves dry", _K.CHOICE, start="stay", options="dry_meter"),
        _F("rate_rise", "A higher rate, where only parts come from the meter", _K.CHOICE, start="told",
           options="rate_rise"),
        _F("repay_rate", "Percent that repays the house", _K.PERCENT,
           meaning="Of what comes in, where a dry meter began anew."),
    ),
)  # fmt: skip
PARTS: Final[Mapping[str, PartKind]] = {
    kind.key: kind
    for kind in (
        PROPERTY,
        SHIFTS,
        TAX,
        UNCLAIMED,
        NOTICES,
        PRINTERS,
        JACKPOTS,
        TABLES,
        COLLECTIONS,
        SCHEDULES,
        LIMITS,
        SIGNS,
        DEVICES,
        COMPONENTS,
    )
}
READING: Final = ("meter", "reserve", "overflow", "house_seed", "evidence")
SWITCHES: Final[Mapping[str, str]] = {
    "freeze": "freeze", "order": "order", "shortfall": "shortfall", "overflow_policy": "overflow",
    "overflow_at_reset": "overflow_at_reset", "row": "row", "dry_meter": "dry_meter",
    "rate_rise": "rate_rise",
}  # fmt: skip
