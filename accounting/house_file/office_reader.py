"""Reads what the office declares in a casino file."""

from __future__ import annotations

from datetime import date

from accounting.house_file.named import limits_named, notice_named, schedule_named
from accounting.house_file.parts import (
    CollectionPart,
    ComponentPart,
    CustodyPart,
    LimitsPart,
    NoticePart,
    PrinterPart,
    SchedulePart,
    ShiftsPart,
    SlipBookPart,
    TaxPart,
    UnclaimedPart,
)
from accounting.house_file.sections import Section
from accounting.paper.models.printer import Printer
from accounting.paper.rules.copies import Form
from jackpot.money import millionths_of
from jackpot.property.rules.notice import DECLARED, NoticeAbout, NoticeRule
from jackpot.property.rules.shift import ShiftHours, ShiftPlan
from jackpot.property.rules.tax import TaxRule
from jackpot.property.rules.unclaimed import UnclaimedRule
from tables.custody.actions import LONGEST_WHERE, CustodyFacts
from tables.custody.rules import MOST_HOURS, CustodyKind, GuardedPlace
from tables.floor.models.device import ComponentKind, VersionRule
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.floor.rules.limit_sheets import LimitSheet
from tables.floor.rules.schedules import ScheduleStanding
from tables.games.fees import ScheduleStatus
from tables.setup.actions.components import ComponentRule
from tables.slip_book.actions import BookFacts
from tables.slip_book.rules import LARGEST


def read_shifts(section: Section) -> ShiftsPart:
    begins = _from(section)
    hours = section.section("begin", "the beginnings of shifts")
    shifts = tuple(ShiftHours(name, hours.minutes(name, "")) for name in hours.content())
    if not shifts:
        raise section.refused('Shifts from a day on need a beginning each, such as { Day = "06:00" }.', "begin")
    section.closed()
    return ShiftsPart(section, begins.isoformat(), ShiftPlan(begins, shifts))


def read_tax(section: Section) -> TaxPart:
    begins = _from(section)
    rule = TaxRule(
        begins=begins,
        minimum=section.amount("minimum"),
        multiple=section.whole("multiple", 0, 1_000_000, 0),
        withhold_above=section.amount("withhold_above") if "withhold_above" in section else None,
        rate=millionths_of(section.percent("rate", "0")),
        wager_deducted=section.truth("wager_deducted", default=True),
        form=section.text("form", "", longest=20),
        shared_form=section.text("shared_form", "", longest=20),
        currency_above=section.amount("currency_above") if "currency_above" in section else None,
    )
    section.closed()
    return TaxPart(section, begins.isoformat(), rule)


def read_unclaimed(section: Section) -> UnclaimedPart:
    begins = _from(section)
    rule = UnclaimedRule(
        begins, section.whole("notice_after", 0, 36_500, 180), section.whole("lapse_after", 0, 36_500, 365)
    )
    section.closed()
    return UnclaimedPart(section, begins.isoformat(), rule)


def read_notice(section: Section) -> NoticePart:
    begins, about = _from(section), NoticeAbout(section.choice("about", sorted(DECLARED)))
    ends = section.truth("no_more", default=False)
    # Not asked for where the rule ends: a number of hours beside “no more” would be an unknown key.
    hours = None if ends else section.whole("within_hours", 0, 24 * 366)
    least = section.amount("from_amount") if "from_amount" in section else None
    rule = NoticeRule(begins, about, section.text("to", longest=60), section.text("owner", longest=40), hours, least)
    section.closed()
    return NoticePart(section, notice_named(begins, about, rule.to), rule)


def read_collection(section: Section) -> CollectionPart:
    begins, tables = _from(section), section.texts("tables")
    basis = FeeBasis(section.choice("for", [basis.value for basis in FeeBasis]))
    if not tables:
        raise section.refused('A collection names its tables, such as tables = ["UTH-04"].', "tables")
    rule = CollectionRule(
        begins, basis, section.amount("fee", "0"), section.text("set", "", longest=20),
        section.whole("option", 0, 1_000, 0),
    )  # fmt: skip
    section.closed()
    return CollectionPart(section, f"{begins} at {', '.join(tables)}", rule, tables)


def read_schedule(section: Section) -> SchedulePart:
    begins, rule_set = _from(section), section.text("set", longest=20)
    standing = ScheduleStanding(
        begins, section.text("game", "uth", longest=20), rule_set, section.whole("option", 0, 1_000, 0),
        ScheduleStatus(section.choice("status", [status.value for status in ScheduleStatus])),
        section.text("reference", longest=120),
    )  # fmt: skip
    section.closed()
    return SchedulePart(section, schedule_named(begins, rule_set, standing.option), standing)


def read_limits(section: Section) -> LimitsPart:
    begins, code = _from(section), section.text("sheet", longest=20)
    sheet = LimitSheet(
        begins, code, section.text("game", "uth", longest=20), section.text("reference", longest=120),
        section.whole("least", 1, 1_000_000), section.whole("most", 1, 1_000_000), section.day("until"),
        section.text("wager", "", longest=20),
    )  # fmt: skip
    section.closed()
    return LimitsPart(section, limits_named(begins, code, sheet.wager), sheet)


def read_printer(section: Section) -> PrinterPart:
    code = section.code()
    section.called(f"printer {code}")
    part = PrinterPart(
        section, code, section.choice("kind", Printer.Kind.values), section.text("address"),
        section.choice("form", [form.value for form in Form]),
    )  # fmt: skip
    section.closed()
    return part


def read_component(section: Section) -> ComponentPart:
    kind, model = section.choice("kind", ComponentKind.values), section.text("model", "", longest=60)
    section.called(f"the rule of {f'{kind} {model}'.strip()}")
    rule = ComponentRule(
        kind, model, section.choice("rule", VersionRule.Rule.values, VersionRule.Rule.MINIMUM.value),
        section.text("version", "", longest=40), section.truth("keeps_closed", default=False),
        section.text("approval", "", longest=120),
    )  # fmt: skip
    section.closed()
    return ComponentPart(section, f"{kind} {model}".strip(), rule)


def read_slip_book(section: Section) -> SlipBookPart:
    code = section.code()
    section.called(f"book {code}")
    facts = BookFacts(
        code, section.text("prefix", longest=8), section.whole("first", 0, LARGEST), section.whole("last", 0, LARGEST),
        section.whole("digits", 1, 9),
    )  # fmt: skip
    part = SlipBookPart(section, code, facts, section.text("added_by", longest=60))
    section.closed()
    return part


def read_custody(section: Section) -> CustodyPart:
    code, kind = section.code(), CustodyKind(section.choice("kind", list(CustodyKind)))
    section.called(f"{kind} {code}")
    facts = CustodyFacts(
        code, kind, GuardedPlace(section.choice("place", list(GuardedPlace))),
        section.text("where", longest=LONGEST_WHERE).strip(),
        section.text("holder", longest=20), section.text("countersigner", longest=20),
        section.whole("hours", 1, MOST_HOURS) if kind is CustodyKind.KEY else None,
    )  # fmt: skip
    part = CustodyPart(section, code, facts, section.text("added_by", longest=60))
    section.closed()
    return part


def _from(section: Section) -> date:
    begins = section.day("from")
    if begins is None:
        raise section.refused(f"{section.what} has no from: the first gaming day it counts for.")
    return begins
