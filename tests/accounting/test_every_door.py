"""Every address of the house, for everybody: who comes in, who does not. A new address fails until it stands here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounting.lab import api as api_laboratory
from accounting.lab.pages import lab
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from accounting.people_desk.actions.asking import ask_code
from accounting.reports.actions.exports import ask_for_run
from accounting.reports.models import ReportRun
from accounting.reports.printing.writing import write_reports
from accounting.reports.queries.catalogue import REPORTS
from jackpot.adjusting.models import Adjustment
from jackpot.authority.actions import asking
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.configure import TermsWish
from jackpot.people.models import Card, Operator, Role
from jackpot.requests.models import Request
from jackpot.wins.models import Win
from tables.calculation.desk import desk
from tables.floor.actions.checklist import look_at
from tables.floor.models.check import TableCheck
from tables.floor.models.sign import Sign
from tables.floor.models.table import Table
from tables.floor.rules.checklist import Item
from tables.games.registry import find_game
from tables.hits.actions import hit
from tables.par.actions import decisions, own_tables, par_sheets
from tables.requests.actions import configure
from tables.rulebook.api import games_edges
from tests.builders import EMERALD, a_person
from tests.scenes_adjusting import asked
from tests.tables.games.sheet_scene import typed

pytestmark = pytest.mark.django_db

ANYONE: Final = "anyone"
EVERY_ROLE: Final = "every role"
PHOTO: Final = b"\xff\xd8\xff a photo"
BOOKS: Final = frozenset({"supervisor", "executive", "accountant", "surveillance", "operator", "auditor", "regulator"})
TRAIL: Final = frozenset({"executive", "accountant", "surveillance", "auditor", "regulator", "administrator"})
PIT: Final = BOOKS | {"technician"}
RUNS: Final = frozenset({"supervisor", "executive", "operator"})
APPROVES: Final = frozenset({"supervisor", "executive"})
PEOPLE: Final = frozenset({"administrator"})
ASKS: Final = frozenset({"supervisor", "executive", "accountant", "operator"})
SLIPS: Final = BOOKS | {"cage"}
PRINTS: Final = APPROVES | {"cage", "accountant"}
SERVICE: Final = frozenset({"technician", "administrator"})
ASKS_TERMS: Final = frozenset({"executive", "accountant", "operator", "administrator"})  # and signs them
EVERYBODY: Final = frozenset(
    {
        "dealer", "supervisor", "executive", "accountant", "count-team", "cage", "technician", "surveillance",
        "operator", "auditor", "regulator", "administrator",
    }
)  # fmt: skip
CLOSES: Final = frozenset({"accountant", "executive"})
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
OPEN: Final = EVERYBODY | {ANYONE}

# Who comes in, per address and method. A method that is not named is closed to all.
DOORS: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "home": {"GET": OPEN},
    "office": {"GET": BOOKS},
    "find": {"GET": EVERYBODY},
    "reports": {"GET": BOOKS | SERVICE | {"cage"}},
    "report": {"GET": BOOKS},
    "report-export": {"POST": BOOKS},
    "general-ledger": {"GET": BOOKS},
    "general-ledger-accounts": {"POST": frozenset({"accountant"})},
    "general-ledger-export": {"POST": frozenset({"accountant"})},
    "report-save": {"POST": BOOKS},
    "report-put-away": {"POST": BOOKS},
    "report-run": {"GET": BOOKS},
    "report-run-file": {"GET": BOOKS},
    "api-reports": {"GET": BOOKS | SERVICE | {"cage"}},
    "api-report": {"GET": BOOKS},
    "sign-in": {"GET": OPEN, "POST": OPEN},
    "sign-out": {"POST": OPEN},
    "stay": {"POST": OPEN},
    "pending": {"GET": PIT},
    "tour-steps": {"GET": OPEN},  # of a demo casino; elsewhere there is no tour
    "tour-sign": {"POST": OPEN},
    "tour-again": {"POST": OPEN},
    "jackpots": {"GET": EVERYBODY},
    "jackpot": {"GET": BOOKS},
    "ledger": {"GET": BOOKS},
    "entry": {"GET": BOOKS},
    "falls": {"GET": BOOKS},
    "versions": {"GET": BOOKS},
    "proof": {"GET": BOOKS},
    "entries-csv": {"GET": BOOKS},
    "tables": {"GET": EVERYBODY},
    "pit": {"GET": PIT},
    "pit-table": {"GET": PIT},
    "pit-state": {"POST": RUNS},
    "pit-hits": {"GET": PIT},
    "pit-seats": {"POST": APPROVES},
    "pit-park": {"POST": APPROVES},
    "pit-claim": {"POST": APPROVES},
    "pit-void": {"POST": APPROVES},
    "pit-cards": {"GET": PIT | {"administrator"}},
    "pit-card-block": {"POST": APPROVES | {"administrator"}},
    "pit-card-unlock": {"POST": APPROVES | {"administrator"}},
    "checklist": {"GET": PIT | {"administrator"}},
    "check-off": {"POST": RUNS | SERVICE},
    "check-photo": {"GET": PIT | {"administrator"}},
    "rule-card": {"GET": EVERYBODY},
    "pit-keys": {"GET": PIT},
    "pit-key-out": {"POST": RUNS},
    "pit-key-back": {"POST": RUNS},
    "win-page": {"GET": BOOKS},
    "win-watch": {"GET": BOOKS},
    "win-tick": {"POST": APPROVES | {"surveillance"}},
    "rounds": {"GET": EVERYBODY},
    "round": {"GET": EVERYBODY},
    "consoles": {"GET": BOOKS | {"dealer"}},
    "console": {"GET": BOOKS | {"dealer"}},
    "duty": {"POST": frozenset({"dealer"})},
    "api-schema": {"GET": OPEN},
    "api-docs": {"GET": OPEN},
    "api-health": {"GET": OPEN},
    "api-ready": {"GET": OPEN},
    "api-metrics": {"GET": OPEN},  # asked from this machine; tests/tables/pit/test_metrics.py has the rest
    "api-jackpots": {"GET": EVERYBODY},
    "api-jackpot": {"GET": EVERYBODY},
    "api-entries": {"GET": BOOKS},
    "api-versions": {"GET": BOOKS, "POST": ASKS_TERMS},
    "api-jackpot-preview": {"POST": ASKS_TERMS},
    "api-changes": {"GET": BOOKS | ASKS_TERMS},
    "api-change": {"GET": BOOKS | ASKS_TERMS},
    "api-change-preview": {"POST": ASKS_TERMS},
    "api-change-approve": {"POST": ASKS_TERMS},
    "api-change-refuse": {"POST": ASKS_TERMS},
    "api-change-withdraw": {"POST": ASKS_TERMS},
    "api-proof": {"GET": BOOKS},
    "api-people": {"GET": TRAIL},
    "api-person": {"GET": TRAIL},
    "api-card-block": {"POST": APPROVES | {"administrator"}},
    "api-card-unlock": {"POST": APPROVES | {"administrator"}},
    "api-cards": {"GET": TRAIL},
    "api-events": {"GET": TRAIL},
    "api-tables": {"GET": EVERYBODY},
    "api-table": {"GET": EVERYBODY},
    "api-checklist": {"GET": PIT | {"administrator"}},
    "api-messages": {},  # the gateway in front of Django answers; here it refuses with 503
    "api-wins": {"GET": EVERYBODY},
    "api-win": {"GET": EVERYBODY},
    "api-win-approve": {"POST": APPROVES},
    "api-win-reject": {"POST": APPROVES},
    "api-win-pass": {"POST": APPROVES},
    "api-win-rejoin": {"POST": APPROVES},
    "api-win-verify": {"POST": APPROVES},
    "api-win-follow": {"POST": APPROVES},
    "api-win-override": {"POST": APPROVES},
    "api-win-pay": {"POST": frozenset({"cage"})},
    "api-win-back-out": {"POST": APPROVES},
    "api-rounds": {"GET": EVERYBODY},
    "api-round": {"GET": EVERYBODY},
    "api-round-seats": {"POST": APPROVES},
    "api-round-park": {"POST": APPROVES},
    "api-round-claim": {"POST": APPROVES},
    "api-round-void": {"POST": APPROVES},
    "api-devices": {"GET": EVERYBODY, "POST": SERVICE},
    "api-device": {"GET": EVERYBODY},
    "api-enrol": {"POST": OPEN},
    "api-device-invite": {"POST": SERVICE},
    "api-device-block": {"POST": SERVICE},
    "api-device-unblock": {"POST": SERVICE},
    "api-device-rotate": {"POST": SERVICE},
    "api-signs": {"GET": EVERYBODY},
    "api-games": {"GET": EVERYBODY},
    "api-game": {"GET": EVERYBODY},
    "api-game-verify": {"POST": EVERYBODY},
    "api-game-settle": {"POST": EVERYBODY},
    "api-game-bets": {"POST": EVERYBODY},
    "api-game-fees": {"GET": EVERYBODY},
    "api-game-edges": {"GET": EVERYBODY},
    "api-game-hands": {"GET": BOOKS | {"administrator"}},
    "api-game-decision": {"GET": BOOKS | {"administrator"}},
    "api-par-sheets": {"GET": BOOKS | {"administrator"}},
    "api-par-sheet": {"GET": BOOKS | {"administrator"}},
    "api-par-sheet-verify": {"GET": BOOKS | {"administrator"}},
    "api-jackpot-par-sheet": {"GET": BOOKS | {"administrator"}},
    "api-jackpot-actual": {"GET": BOOKS | {"administrator"}},
    "api-jackpot-which": {"GET": BOOKS | {"administrator"}},
    "api-own-tables": {"GET": BOOKS | {"administrator"}, "POST": ASKS_TERMS},
    "api-own-table-release": {"POST": ASKS_TERMS},
    "api-own-table-withdraw": {"POST": ASKS_TERMS},
    "par": {"GET": BOOKS | {"administrator"}},
    "par-hands": {"GET": BOOKS | {"administrator"}},
    "par-which": {"GET": BOOKS | {"administrator"}},
    "par-verify": {"GET": BOOKS | {"administrator"}},
    "par-actual": {"GET": BOOKS | {"administrator"}},
    "par-own": {"GET": BOOKS | ASKS_TERMS, "POST": ASKS_TERMS},
    "par-sheet": {"GET": BOOKS | {"administrator"}},
    "par-csv": {"GET": BOOKS | {"administrator"}},
    "par-print": {"POST": BOOKS | {"administrator"}},
    "par-release": {"POST": ASKS_TERMS},
    "par-withdraw": {"POST": ASKS_TERMS},
    "lab": {"GET": BOOKS | {"administrator"}},
    "lab-answer": {"GET": BOOKS | {"administrator"}},
    "lab-export": {"GET": BOOKS | {"administrator"}},
    "lab-cancel": {"POST": BOOKS | {"administrator"}},
    "api-laboratory": {"GET": BOOKS | {"administrator"}, "DELETE": BOOKS | {"administrator"}},
    "config": {"GET": BOOKS | ASKS_TERMS},
    "config-jackpot": {"GET": BOOKS | ASKS_TERMS},
    "config-draft": {"GET": BOOKS | ASKS_TERMS, "POST": ASKS_TERMS},
    "config-change": {"GET": BOOKS | ASKS_TERMS},
    "config-preview": {"POST": ASKS_TERMS},
    "config-approve": {"POST": ASKS_TERMS},
    "config-refuse": {"POST": ASKS_TERMS},
    "config-withdraw": {"POST": ASKS_TERMS},
    "authority": {"GET": BOOKS | ASKS_TERMS},
    "authority-draft": {"GET": BOOKS | ASKS_TERMS, "POST": ASKS_TERMS},
    "authority-card": {"GET": BOOKS | ASKS_TERMS, "POST": ASKS_TERMS},
    "authority-change": {"GET": BOOKS | ASKS_TERMS},
    "authority-approve": {"POST": ASKS_TERMS},
    "authority-refuse": {"POST": ASKS_TERMS},
    "authority-withdraw": {"POST": ASKS_TERMS},
    "api-authority": {"GET": BOOKS | ASKS_TERMS, "POST": ASKS_TERMS},
    "api-authority-preview": {"POST": ASKS_TERMS},
    "api-authority-changes": {"GET": BOOKS | ASKS_TERMS},
    "api-authority-change": {"GET": BOOKS | ASKS_TERMS},
    "api-authority-approve": {"POST": ASKS_TERMS},
    "api-authority-refuse": {"POST": ASKS_TERMS},
    "api-authority-withdraw": {"POST": ASKS_TERMS},
    "api-card-level": {"POST": ASKS_TERMS},
    "people-desk": {"GET": TRAIL},
    "person": {"GET": TRAIL},
    "person-dismiss": {"POST": PEOPLE},
    "person-sessions": {"POST": PEOPLE},
    "person-unlock": {"POST": PEOPLE},
    "person-card": {"POST": PEOPLE},
    "person-withdraw": {"POST": PEOPLE},
    "person-roles": {"POST": PEOPLE},
    "person-new-card": {"POST": PEOPLE},
    "person-code": {"POST": PEOPLE},
    "people-review": {"GET": TRAIL},
    "people-review-sign": {"POST": PEOPLE},
    "people-hire": {"GET": TRAIL, "POST": PEOPLE},
    "people-request-code": {"POST": PEOPLE},
    "own-page": {"GET": EVERYBODY},
    "own-password": {"POST": EVERYBODY},
    "own-pin": {"POST": EVERYBODY},
    "one-time-code": {"GET": OPEN, "POST": OPEN},
    "api-people-requests": {"GET": TRAIL, "POST": PEOPLE},
    "api-people-request-code": {"POST": PEOPLE},
    "api-person-roles": {"POST": PEOPLE},
    "api-person-dismiss": {"POST": PEOPLE},
    "api-person-sessions": {"POST": PEOPLE},
    "api-person-unlock": {"POST": PEOPLE},
    "train": {"GET": EVERYBODY, "POST": RUNS | {"dealer"}},
    "api-nowhere": {},
    "verify": {"GET": OPEN},
    "api-adjustments": {"GET": BOOKS, "POST": ASKS},
    "api-adjustment": {"GET": BOOKS},
    "api-adjustment-approve": {"POST": ASKS},
    "api-adjustment-refuse": {"POST": ASKS},
    "api-requests": {"GET": BOOKS | ASKS | ASKS_TERMS},
    "api-request": {"GET": BOOKS | ASKS | ASKS_TERMS},
    "api-request-approve": {"POST": ASKS | ASKS_TERMS},
    "api-request-refuse": {"POST": ASKS | ASKS_TERMS},
    "api-request-withdraw": {"POST": ASKS | ASKS_TERMS},
    "requests": {"GET": BOOKS | ASKS | ASKS_TERMS},
    "request": {"GET": BOOKS | ASKS | ASKS_TERMS},
    "request-approve": {"POST": ASKS | ASKS_TERMS},
    "request-refuse": {"POST": ASKS | ASKS_TERMS},
    "request-withdraw": {"POST": ASKS | ASKS_TERMS},
    "adjustments": {"GET": BOOKS},
    "adjustments-csv": {"GET": BOOKS},
    "adjustment-new": {"GET": BOOKS},
    "adjustment-ask": {"GET": BOOKS, "POST": ASKS},
    "adjustment": {"GET": BOOKS},
    "adjustment-approve": {"POST": ASKS},
    "adjustment-refuse": {"POST": ASKS},
    "wins": {"GET": SLIPS},
    "wins-csv": {"GET": SLIPS},
    "office-win": {"GET": SLIPS},
    "office-win-preview": {"GET": SLIPS},
    "office-win-copy": {"GET": BOOKS & TRAIL},  # and whoever printed it
    "office-win-print": {"POST": PRINTS},
    "office-win-dispute": {"POST": PRINTS | ASKS},
    "office-win-settle": {"POST": frozenset({"executive", "operator"})},
    "office-win-notice": {"POST": CLOSES | {"cage"}},
    "unclaimed": {"GET": SLIPS},
    "days": {"GET": BOOKS | {"count-team"}},
    "day": {"GET": BOOKS | {"count-team"}},
    "day-read": {"POST": CLOSES | APPROVES | {"count-team"}},
    "day-count": {"POST": frozenset({"count-team"})},
    "day-balance": {"POST": CLOSES},
    "day-chips": {"POST": CLOSES},
    "day-explain": {"POST": CLOSES},
    "day-sign-explanation": {"POST": CLOSES},
    "day-step": {"POST": CLOSES},
    "api-days": {"GET": BOOKS},
    "api-day": {"GET": BOOKS},
    "api-day-readings": {"POST": CLOSES | APPROVES | {"count-team"}},
    "api-day-counts": {"POST": frozenset({"count-team"})},
    "api-day-balance": {"POST": CLOSES},
    "api-day-explanations": {"POST": CLOSES},
    "api-day-explanation-sign": {"POST": CLOSES},
    "api-day-steps": {"POST": CLOSES},
    "cage": {"GET": SLIPS},
    "cage-slip": {"GET": SLIPS},
    "cage-pay": {"POST": frozenset({"cage"})},
    "api-win-page": {"GET": SLIPS},
    "api-win-receipt": {"GET": SLIPS},
    "api-win-copies": {"POST": PRINTS},
    # signs: the demo shows them to this machine; tests/tables/displays has the rest
    "signs": {"GET": OPEN},
    "sign": {"GET": OPEN},
    "sign-snapshot": {"GET": OPEN},
}
CALCULATES: Final = {"api-game-verify", "api-game-settle", "api-game-bets"}  # only carries cards; nothing is kept
OWN: Final = {"own-password", "own-pin"}  # a person's own secrets
TAKES_BACK: Final = {"lab-cancel", "api-laboratory"}  # one's own question, before its answer
TAKES_ALONG: Final = {
    "par-print",
    "report-export",
    "report-save",
    "report-put-away",
}  # paper for whoever reads; only the trail says that it was printed
QUESTIONS: Final = {
    "api-game-decision": "?hole=7c+2d&board=Kh+8h+Kd+9s+4s",
    "api-par-sheet-verify": f"?digest={'0' * 64}&signature={'0' * 64}",
    "api-jackpot-which": "?house_edge=0",
}  # doors that answer nothing without a question
UNREADABLE_IS_ENTERED: Final = {400, 409}  # a door that is open may still refuse an empty form
AT_A_TABLE: Final = {
    "console", "duty", "round", "api-table", "api-round", "api-messages", "pit-table", "pit-state", "win-page",
    "pit-hits", "pit-seats", "pit-park", "pit-claim", "pit-void", "api-round-seats", "api-round-park",
    "api-round-claim", "api-round-void", "win-watch", "win-tick",
    "checklist", "check-off", "api-checklist", "check-photo", "rule-card",
}  # fmt: skip
WORDS: Final = {
    "username": "auditor", "number": "1", "seq": "1", "digest": "0" * 64, "copy": 0, "game": "uth", "form": "csv",
    "change": "1", "profile": "card", "bet": "trips", "on": date(2026, 11, 18), "day": date(2026, 11, 18),
}  # fmt: skip


def patterns(resolver: URLResolver | None = None) -> Iterator[URLPattern]:
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each)
        else:
            yield each


def address(pattern: URLPattern) -> str:
    """The pattern with the codes of the demo house in it."""
    if pattern.name == "api-nowhere":
        return "/api/v1/no/such/thing"
    name = str(pattern.name)
    code = {"jackpot": "GRAND", "device": "UTH-01-C", "sign": "GRAND"}.get(name.removeprefix("api-").split("-")[0])
    if name in AT_A_TABLE:
        code = "UTH-01"
    if "bet" in pattern.pattern.converters:
        code = "HOUSE-01"  # the house's own, so that it can be released
    thing = Card.objects.latest("id") if name.startswith(("api-card-", "authority-card")) else Win.objects.latest("id")
    words = {"code": code or "GRAND", "id": str(thing.id), **WORDS}
    if name == "check-photo":
        words["number"] = str(TableCheck.objects.latest("id").pk)
    if name in ("report", "report-export", "report-save", "api-report"):
        words["code"] = "coin-in-table"
    if name.startswith("report-run"):
        words["number"] = str(ReportRun.objects.latest("id").pk)
    if "adjustment" in name or name.removeprefix("api-").startswith("request"):
        words["id"] = words["number"] = str(Adjustment.objects.latest("id").pk)
    if "people-request" in name:
        words["id"] = words["number"] = str(Request.objects.filter(kind="people").latest("id").pk)
    return reverse(name, kwargs={word: words[word] for word in pattern.pattern.converters}) + QUESTIONS.get(name, "")


def a_code_is_asked_for(person: Operator) -> None:
    chief = a_person("chief", roles=["administrator"], premises=person.premises)
    ask_code(person=person, card_id=None, reason="to look at", by=chief)


@pytest.fixture
def house(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Client]]:
    """The demo house, and a browser for nobody and for one person of each of its roles.

    No door waits for mathematics.
    """
    monkeypatch.setattr(lab, "IN_A_REQUEST", 0.0)
    monkeypatch.setattr(api_laboratory, "IN_A_REQUEST", 0.0)
    monkeypatch.setattr(games_edges, "IN_A_REQUEST", 0.0)
    monkeypatch.setattr(par_sheets, "IN_A_REQUEST", 0.0)
    monkeypatch.setattr(decisions, "IN_A_REQUEST", 0.0)
    monkeypatch.setattr(configure, "IN_A_REQUEST", 0.0)
    from accounting.house_file.loader import load_casino
    from tests.jackpot.books.api_scene import play

    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    load_casino(EMERALD)
    play(Table.objects.get(code="UTH-01").devices.get(kind="controller"), 1, "12", ends=False)
    hit.mark(table_code="UTH-01", round_number=1, seat=1, hand="full_house", by="Demo Dealer")
    hit.confirm(table_code="UTH-01", round_number=1, by="Demo Supervisor")
    hit.swipe(table_code="UTH-01", round_number=1, card="6000000000000201", at_table=True)
    inspector = Operator.objects.get(username="supervisor")
    look_at(table=Table.objects.get(code="UTH-01"), item=Item.LAYOUT, in_order=True, by=inspector, photo=PHOTO)
    print_page(win=Win.objects.get(slip=1), form=Form.LETTER, by=Operator.objects.get(username="supervisor"))
    grand = Jackpot.objects.get(code="GRAND")
    wish = TermsWish(configure.wished_terms(grand, {"rate": "60"}), "to have a change to look at")
    configure.draft(jackpot=grand, wish=wish, by=Operator.objects.get(username="operator"))
    office = Operator.objects.get(username="operator")
    asking.ask(premises=grand.premises, wished={"executive_threshold": "7500.00"}, reason="to look at", by=office)
    own_tables.write(game=find_game("uth"), plain=typed("trips"), by=office)
    a_code_is_asked_for(inspector)
    asked("adjust", Jackpot.objects.get(code="GRAND"), amount="15.00", by="supervisor")
    now = timezone.now()
    report_house = Table.objects.get(code="UTH-01").premises
    ask_for_run(report=REPORTS["wins"], words={}, form="csv", house=report_house, by=office, now=now)
    write_reports()
    browsers = {ANYONE: Client(raise_request_exception=False)}
    for role in Role.objects.all():
        person = a_person(f"only-{role.code}", roles=[role.code], premises=Sign.objects.all()[0].premises)
        browsers[role.code] = Client(raise_request_exception=False)
        browsers[role.code].force_login(person)
    yield browsers
    desk().close()


def test_every_address_stands_on_the_list() -> None:
    registered = {str(pattern.name) for pattern in patterns()}
    assert registered == set(DOORS)


def test_the_house_has_the_roles_that_the_list_speaks_of(house: dict[str, Client]) -> None:
    assert set(house) == OPEN


@pytest.mark.timeout(600)  # some ten thousand requests, on a machine that others keep busy too
def test_nobody_comes_through_a_door_that_is_not_theirs(house: dict[str, Client]) -> None:
    """What is closed to all is tried by nobody and by one who has every role: a role never takes anything away."""
    wrong, everything = [], Client(raise_request_exception=False)
    premises = Sign.objects.all()[0].premises
    everything.force_login(a_person(EVERY_ROLE, roles=[role.code for role in Role.objects.all()], premises=premises))
    for pattern in patterns():
        where = address(pattern)  # once: it asks the database for the newest of everything
        for method in METHODS:
            named = DOORS[str(pattern.name)].get(method)
            for who in house if named is not None else (ANYONE, EVERY_ROLE):
                status = knock(house.get(who) or everything, method, where)
                if not fits(method, who in (named or ()), status):
                    wrong.append(f"{who} {method} {pattern.name}: {status}")
    assert not wrong, "\n".join(sorted({line.split(" ", 1)[1] for line in wrong}))


def knock(browser: Client, method: str, where: str) -> Any:
    """One request, undone afterwards, so that a blocked device or an ended session harms nobody behind."""
    cookies = dict(browser.cookies.items())
    with transaction.atomic():
        answer = browser.generic(method, where, b"{}", content_type="application/json")
        status = answer.status_code if "/sign-in/" not in answer.headers.get("Location", "") else "sign in"
        transaction.set_rollback(True)
    browser.cookies.update(cookies)  # type: ignore[arg-type]
    return status


def fits(method: str, comes_in: bool, status: Any) -> bool:
    if comes_in and method == "GET":
        return status != "sign in" and 200 <= status < 400
    if comes_in:
        return status == "sign in" or 200 <= status < 400 or status in UNREADABLE_IS_ENTERED
    return status in {"sign in", 401, 403, 404, 405, 415, 503}


def test_who_audits_reads_everything_and_changes_nothing() -> None:
    for who in ("auditor", "regulator"):
        for name, methods in DOORS.items():
            for method, people in methods.items():
                if method == "GET":
                    assert who in people, name
                elif name not in CALCULATES | TAKES_ALONG | TAKES_BACK | OWN:
                    assert who not in people or ANYONE in people or name in CALCULATES, name


def test_no_page_changes_anything_by_being_looked_at(house: dict[str, Client]) -> None:
    from jackpot.trail.models import Trail

    before = (Trail.objects.count(), Operator.objects.count())
    for pattern in patterns():
        house["regulator"].get(address(pattern))
    assert (Trail.objects.count(), Operator.objects.count()) == before
