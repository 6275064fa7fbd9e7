"""What people type into a report's filters, read as one question; what cannot be meant gets a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from accounting.reports.rules.declaring import OfficeReport, ReportFilter, ReportQuestion
from jackpot.property.rules.gaming_day import start_of, zone_of
from jackpot.property.rules.typed_days import FIRST_DAY, DaySpan, read_clock, read_day, read_span
from jackpot.trail.rules.objects import NotAnObject, read_object
from jackpot.trail.rules.words import OUTCOMES, search_words

LABELS: Final[Mapping[ReportFilter, str]] = {
    ReportFilter.PERIOD: "Gaming days", ReportFilter.MOMENT: "As of", ReportFilter.JACKPOT: "Jackpot",
    ReportFilter.TABLE: "Table", ReportFilter.SHIFT: "Shift", ReportFilter.PERSON: "Person",
    ReportFilter.ACT: "Act", ReportFilter.OBJECT: "Thing", ReportFilter.OUTCOME: "Outcome", ReportFilter.WORDS: "Words",
    ReportFilter.SLIP: "Slip",
}  # fmt: skip
NOW: Final = frozenset({"", "now", "today"})
PLAIN: Final = (
    ReportFilter.ACT, ReportFilter.OBJECT, ReportFilter.OUTCOME, ReportFilter.WORDS, ReportFilter.SLIP,
)  # fmt: skip
KNOWN: Final = (*(each.value for each in ReportFilter), "property", "sort")
LONGEST: Final = 100
_CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,19}", re.ASCII)


class NotAQuestion(ValueError):
    """A filter that says nothing a report could answer; the message says what it takes."""


@dataclass(frozen=True, slots=True)
class HouseClock:
    """What a house's words for time mean at a moment: its day, its zone, the order in which it writes dates."""

    premises_id: int
    today: date
    now: datetime
    time_zone: str
    roll_minutes: int
    month_first: bool

    def day_begins(self, day: date) -> datetime:
        return start_of(day, self.time_zone, self.roll_minutes)


def words_asked(given: Mapping[str, str]) -> dict[str, str]:
    """The words that a report knows, as they were typed; empty ones say nothing."""
    # Known words alone: they are kept with a saved report and written into addresses.
    typed = {name: given.get(name, "").strip()[:LONGEST] for name in KNOWN}
    return {name: value for name, value in typed.items() if value}


def read_question(report: OfficeReport, words: Mapping[str, str], clock: HouseClock) -> ReportQuestion:
    """Every filter of the report, with its own default where nothing was typed. NotADay and NotAQuestion refuse."""
    # Only what the report takes: a filter of another report in the address narrows nothing unseen.
    typed = {each: words.get(each.value, "").strip()[:LONGEST] for each in report.takes}
    span = DaySpan(clock.today, clock.today)
    if ReportFilter.PERIOD in typed:
        span = read_span(typed[ReportFilter.PERIOD] or report.period, clock.today, month_first=clock.month_first)
    at = read_moment(typed.get(ReportFilter.MOMENT, ""), clock)
    codes = {each: _code(typed.get(each, ""), each) for each in (ReportFilter.JACKPOT, ReportFilter.TABLE)}
    shift, person = typed.get(ReportFilter.SHIFT, ""), typed.get(ReportFilter.PERSON, "")
    said = {
        ReportFilter.PERIOD: span_words(span), ReportFilter.MOMENT: _moment_words(typed, at, clock),
        ReportFilter.JACKPOT: codes[ReportFilter.JACKPOT] or "all",
        ReportFilter.TABLE: codes[ReportFilter.TABLE] or "all",
        ReportFilter.SHIFT: shift or "all", ReportFilter.PERSON: person or "everybody",
        **{each: typed.get(each) or "all" for each in PLAIN},
    }  # fmt: skip
    told = tuple((LABELS[each], said[each]) for each in report.takes)
    return ReportQuestion(
        clock.premises_id, span, at, clock.now, clock.today, codes[ReportFilter.JACKPOT],
        codes[ReportFilter.TABLE], shift, person, _more(typed), clock.day_begins(span.first),
        clock.day_begins(span.last + timedelta(days=1)), told,
    )  # fmt: skip


def _more(typed: Mapping[ReportFilter, str]) -> dict[str, str]:
    """What only some reports take: acts and outcomes by their names, a thing by kind and key, words, a slip."""
    told = dict.fromkeys(("act", "outcome", "object_kind", "object_key", "object_text", "words", "slip"), "")
    told |= {"act": typed.get(ReportFilter.ACT, ""), "outcome": typed.get(ReportFilter.OUTCOME, "")}
    if told["outcome"] and told["outcome"] not in OUTCOMES:
        raise NotAQuestion(f"“{told['outcome'][:40]}” is no outcome. Choose one of {', '.join(OUTCOMES)}.")
    told["words"] = search_words(typed.get(ReportFilter.WORDS, ""))
    if thing := typed.get(ReportFilter.OBJECT):
        try:
            ref = read_object(thing)
        except NotAnObject as problem:
            raise NotAQuestion(str(problem)) from None
        told |= {"object_kind": ref.kind.value, "object_key": ref.key, "object_text": ref.old_subject}
    slip = typed.get(ReportFilter.SLIP, "").lstrip("#")
    # Nineteen digits may pass what the database takes for a number.
    if slip and not (slip.isascii() and slip.isdigit() and len(slip) < 19):
        raise NotAQuestion(f"“{slip[:40]}” is no slip. Write its number, such as 17.")
    return told | {"slip": slip}


def read_moment(typed: str, clock: HouseClock) -> datetime:
    """A day means its close; a day with a time of day means that moment; nothing means now."""
    if typed.strip().lower() in NOW:
        return clock.now
    day_words, time_of_day = read_clock(typed)
    day = read_day(day_words, clock.today, month_first=clock.month_first)
    if time_of_day is None:
        # A day that runs has no close yet: it is asked as of now.
        return min(clock.day_begins(day + timedelta(days=1)), clock.now)
    return datetime.combine(day, time_of_day, zone_of(clock.time_zone))


def span_words(span: DaySpan) -> str:
    """The days of a report as its heading says them."""
    if span.first == FIRST_DAY:
        return f"all days to {day_words(span.last)}"
    if span.is_one_day:
        return day_words(span.first)
    return f"{day_words(span.first)} to {day_words(span.last)}"


def day_words(day: date) -> str:
    return f"{day:%a} {day.day} {day:%b} {day.year}"


def _moment_words(typed: Mapping[ReportFilter, str], at: datetime, clock: HouseClock) -> str:
    local = at.astimezone(zone_of(clock.time_zone))
    said = f"{day_words(local.date())}, {local:%H:%M:%S}"
    return f"now, {said}" if typed.get(ReportFilter.MOMENT, "").lower() in NOW else said


def _code(typed: str, what: ReportFilter) -> str:
    if typed and not _CODE.fullmatch(typed.upper()):
        example = "GRAND" if what is ReportFilter.JACKPOT else "UTH-04"
        raise NotAQuestion(f"“{typed[:40]}” is no {what.value}. Write its code, such as {example}.")
    return typed.upper()
