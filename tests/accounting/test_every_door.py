"""Every address of the house, for everybody: who comes in, who does not. A new address fails until it stands here."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

import pytest
from django.db import transaction
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounting.audit.actions.runs import ask_for_parcel
from accounting.audit.actions.working import work_through
from accounting.audit.models import AuditRun
from accounting.days.models import Explanation
from accounting.desk.pages.requests import DECIDERS
from accounting.lab import api as api_laboratory
from accounting.lab.pages import lab
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from accounting.people_desk.actions.asking import ask_code
from accounting.programs.actions.tokens import GiveToken
from accounting.programs.models import ProgramToken
from accounting.programs.rules.token import SCOPES
from accounting.reports.actions.exports import ask_for_run
from accounting.reports.models import ReportRun
from accounting.reports.printing.writing import write_reports
from accounting.reports.queries.catalogue import REPORTS
from accounting.ways_out.actions import ask_way_out
from accounting.webhooks.actions.registering import SendEvents
from accounting.webhooks.models import Webhook
from jackpot.adjusting.actions.back_out import back_out
from jackpot.adjusting.models import Adjustment
from jackpot.authority.actions import asking
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.configure import TermsWish
from jackpot.evidence.actions.keep import add_evidence, checked_upload
from jackpot.evidence.actions.of_round import add_to_round
from jackpot.evidence.models import RequestEvidence, RoundEvidence
from jackpot.money import Money
from jackpot.people.actions.presence import CardSource
from jackpot.people.models import Card, Operator, Role
from jackpot.requests.models import Request
from jackpot.signing.actions import register
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.kinds import unregister
from jackpot.wins.actions.pay import redeem
from jackpot.wins.actions.receive import receive_back
from jackpot.wins.models import Win
from jackpot.wins.rules.round_ref import RoundRef
from tables.calculation.desk import CalculationDesk, desk
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
from tests.accounting.door_kinds import (
    AT_A_TABLE,
    ATTENDS,
    CALCULATES,
    LOOK_IS_NOTED,
    NOTHING_OF_THE_HOUSE,
    OWN,
    PHOTO,
    QUESTIONS,
    TAKES_ALONG,
    TAKES_BACK,
    UNREADABLE_IS_ENTERED,
    WORDS,
)
from tests.accounting.door_roles import ANYONE, OPEN
from tests.accounting.door_visitors import Visitors
from tests.accounting.doors import DOORS, METHODS
from tests.builders import AT_BOX, EMERALD, a_person, marks_at
from tests.jackpot.signing.test_tiny_kind import RenameHouse
from tests.scenes_adjusting import asked
from tests.tables.games.sheet_scene import typed
from tests.undoing import as_a_test
from tests.ways_out import a_given_token, a_registered_webhook

pytestmark = pytest.mark.django_db
# Whose newest row an address is about, by how its name begins; elsewhere it is about a win, or number 1.
THINGS: Final[Mapping[str, type[Model]]] = {
    "audit-parcel": AuditRun, "card-": Card, "authority-card": Card, "check-photo": TableCheck, "report-run": ReportRun,
    "adjustment": Adjustment, "request": Request, "day-explanation": Explanation,
    "program-": ProgramToken, "webhook": Webhook,
}  # fmt: skip


FILES_OF_PEOPLE: Final = {"api-audit-parcel-file"}  # bears the name of who took it home, which a program has not


class DecidedByAll(RenameHouse):
    """Every kind has doors of its own, for its own people; at the doors for all kinds stand all who decide any."""

    may_ask = may_sign = frozenset(DECIDERS)


def patterns(resolver: URLResolver | None = None) -> Iterator[URLPattern]:
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each)
        else:
            yield each


WAYS_OUT = {"program-fetch": GiveToken(), "webhook-fetch": SendEvents()}


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
    if name in ("report", "report-export", "report-save", "api-report"):
        code = "coin-in-table"
    thing = next((each for prefix, each in THINGS.items() if name.removeprefix("api-").startswith(prefix)), None)
    words = {"code": code or "GRAND", "id": newest(thing or Win), **WORDS}
    if "sha256" in pattern.pattern.converters:
        rows = RoundEvidence if name in AT_A_TABLE else RequestEvidence
        words["sha256"] = rows.objects.latest("id").file_id
    if thing is not None:
        words["number"] = words["id"]
    if name in ("receipt-paper", "api-slip-receipt-paper"):
        words["number"] = words["slip"] = "2"
    if name.removeprefix("api-") in WAYS_OUT:
        kind = WAYS_OUT[name.removeprefix("api-")].code
        words["id"] = words["number"] = str(Request.objects.filter(kind=kind).latest("id").pk)
    if "people-request" in name:
        words["id"] = words["number"] = str(Request.objects.filter(kind="people").latest("id").pk)
    return reverse(name, kwargs={word: words[word] for word in pattern.pattern.converters}) + QUESTIONS.get(name, "")


def newest(thing: Any) -> str:
    return str(thing.objects.latest("id").pk)


def what_needs_a_second_person(office: Operator) -> None:
    """One of each that an address is about; the request that has no page of its own is the newest of them."""
    grand = Jackpot.objects.get(code="GRAND")
    wish = TermsWish(configure.wished_terms(grand, {"rate": "60"}), "to have a change to look at")
    configure.draft(jackpot=grand, wish=wish, by=office)
    asking.ask(premises=grand.premises, wished={"executive_threshold": "7500.00"}, reason="to look at", by=office)
    own_tables.write(game=find_game("uth"), plain=typed("trips"), by=office)
    asked("adjust", grand, amount="15.00", by="supervisor")
    Explanation.objects.create(
        kind="explanation", number=1, premises=grand.premises, day=WORDS["day"], subject="a count", state="previewed",
        amount=Decimal("1.00"), asked_by=office, ground=Explanation.Cause.COUNTING, reason="counted twice",
        evidence="the second sheet",
    )  # fmt: skip
    row = Request(kind=DecidedByAll.code, premises=grand.premises, payload={"name": "Grand"}, reason="to look at")
    put_in(row=row, by=office)
    add_to_round(place=RoundRef("UTH-01", 1), upload=checked_upload("still.txt", b"camera 7"), by=office)
    add_evidence(request=row, upload=checked_upload("sheet.txt", b"counted"), by=office)


def money_that_came_back() -> None:
    """Slip 2 was paid and its win backed out; a part of it came back over the window."""
    from tests.jackpot.books.api_scene import play

    table = Table.objects.get(code="UTH-02")
    play(table.devices.get(kind="controller"), 1, "12", ends=False)
    hit.mark(table_code="UTH-02", round_number=1, seat=1, hand="full_house", by="Demo Dealer")
    hit.confirm(table_code="UTH-02", round_number=1, by="Demo Supervisor")
    hit.swipe(
        table_code="UTH-02", round_number=1, card="6000000000000201", at_table=True, source=CardSource(box="UTH-02-C")
    )
    cage = Operator.objects.get(username="cage")
    redeem(slip=2, payer=cage, premises=table.premises)
    one, two = (a_person(name, premises=table.premises) for name in ("first", "other"))
    back_out(
        win_id=Win.objects.get(slip=2).pk, reason="misdeal", evidence="camera 7", differences_seen=True,
        requested_by=one, approved_by=two,
    )  # fmt: skip
    receive_back(slip=2, number=1, amount=Money.of("1.00"), taker=cage, premises=table.premises)


def a_written_report(by: Operator) -> None:
    """A run of the worker's, so that there is one to look at and to take home."""
    premises = Table.objects.get(code="UTH-01").premises
    ask_for_run(report=REPORTS["wins"], words={}, form="csv", house=premises, by=by, now=timezone.now())
    write_reports()


def a_parcel_of_a_day(by: Operator) -> None:
    """A parcel of the worker's, so that there is one to look at and to take along."""
    house = Table.objects.get(code="UTH-01").premises
    ask_for_parcel(house=house, first=WORDS["day"], last=WORDS["day"], by=by)
    work_through()


def a_code_is_asked_for(person: Operator) -> None:
    chief = a_person("chief", roles=["administrator"], premises=person.premises)
    ask_code(person=person, card_id=None, reason="to look at", by=chief)


def a_token(*scopes: str) -> str:
    """What a program shows that may read this much of the demo house."""
    premises = Sign.objects.all()[0].premises
    giver = Operator.objects.filter(username="giver").first() or a_person(
        "giver", roles=["administrator"], premises=premises
    )
    today = timezone.now().astimezone(premises.zone).date()
    given = a_given_token(
        premises=premises, name="Figures", scopes=scopes, last_day=today, reason="Nightly figures", by=giver
    )
    return given.written


def a_webhook() -> None:
    giver = Operator.objects.get(username="giver")
    assert giver.premises is not None
    a_registered_webhook(
        premises=giver.premises, name="Figures", address="https://reports.example/events", kinds=["books"], after=None,
        reason="to look at", by=giver,
    )  # fmt: skip
    # Asked for and signed by nobody yet: whoever comes in hears that.
    told: dict[str, object] = {"name": "Waits", "address": "https://waits.example/", "kinds": ["books"], "after": "",
                               "scopes": ["see"], "last_day": timezone.now().date().isoformat()}  # fmt: skip
    for kind in WAYS_OUT.values():
        ask_way_out(kind=kind, premises=giver.premises, payload=told, reason="to look at", by=giver)


def no_mathematics(monkeypatch: pytest.MonkeyPatch) -> None:
    """No door waits for an answer, and none is reckoned: nobody reads it here."""
    for asks in (lab, api_laboratory, games_edges, par_sheets, decisions, configure):
        monkeypatch.setattr(asks, "IN_A_REQUEST", 0.0)
    monkeypatch.setattr(CalculationDesk, "_give_out", lambda self, lane: None)


@pytest.fixture(scope="module")
def filled(around_all: None) -> Iterator[None]:
    """The demo house with all that is in it, for every test of this file."""
    with pytest.MonkeyPatch.context() as patch:
        no_mathematics(patch)
        fill_the_house()
    yield
    unregister(DecidedByAll.code)


@pytest.fixture
def house(
    filled: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Iterator[dict[str, Client]]:
    """The demo house, and a browser for nobody and for one person of each of its roles.

    Thousands of refusals are not written down; faults are.
    """
    no_mathematics(monkeypatch)
    caplog.set_level(logging.ERROR, "django.request")
    browsers = {ANYONE: Client(raise_request_exception=False)}
    for role in Role.objects.all():
        person = a_person(f"only-{role.code}", roles=[role.code], premises=Sign.objects.all()[0].premises)
        browsers[role.code] = Client(raise_request_exception=False)
        browsers[role.code].force_login(person)
    yield browsers
    desk().close()


def fill_the_house() -> None:
    """The demo house with one of each thing that an address is about; whoever fills it takes `DecidedByAll` back."""
    from accounting.house_file.loader import load_casino
    from tests.jackpot.books.api_scene import play

    load_casino(EMERALD)
    play(Table.objects.get(code="UTH-01").devices.get(kind="controller"), 1, "12", ends=False)
    hit.mark(table_code="UTH-01", round_number=1, seat=1, hand="full_house", by="Demo Dealer")
    hit.confirm(table_code="UTH-01", round_number=1, by="Demo Supervisor")
    hit.swipe(table_code="UTH-01", round_number=1, card="6000000000000201", at_table=True, source=AT_BOX)
    money_that_came_back()
    inspector = Operator.objects.get(username="supervisor")
    table = Table.objects.get(code="UTH-01")
    marks = marks_at(table, Item.LAYOUT)
    look_at(table=table, item=Item.LAYOUT, in_order=True, by=inspector, photo=PHOTO, marks=marks)
    print_page(win=Win.objects.get(slip=1), form=Form.LETTER, by=inspector)
    a_code_is_asked_for(inspector)
    a_token(*SCOPES)
    a_webhook()
    register(DecidedByAll())
    office = Operator.objects.get(username="operator")
    what_needs_a_second_person(office)
    a_written_report(office)
    a_parcel_of_a_day(office)


def test_every_address_stands_on_the_list() -> None:
    registered = {str(pattern.name) for pattern in patterns()}
    assert registered == set(DOORS)


@pytest.mark.timeout(1800)  # some four thousand requests, on a machine that others keep busy too
def test_nobody_comes_through_a_door_that_is_not_theirs(house: dict[str, Client]) -> None:
    """A role never takes anything away: where one who has all the roles that are not named is refused, so is each.

    What is closed to all is tried by nobody and by one who has every role. So is what is open even to nobody, but for
    the start, which is another page for every role.
    """
    assert set(house) == OPEN, "the house has the roles that the list speaks of"
    wrong, visitors = [], Visitors(house)
    for pattern in patterns():
        where = address(pattern)  # once: it asks the database for the newest of everything
        for method in METHODS:
            for comes_in, who in visitors.tries(str(pattern.name), method):
                status = knock(visitors.with_roles(*who), method, where)
                if not fits(method, comes_in, status):
                    wrong.append(f"{method} {pattern.name}: {status} for {', '.join(sorted(who)) or ANYONE}")
    assert not wrong, "\n".join(wrong)


def test_a_role_never_takes_anything_away(house: dict[str, Client]) -> None:
    """What the doors are tried with together rests on it."""
    alone = [person.verbs() for person in Operator.objects.filter(username__startswith="only-")]
    together = a_person("together", roles=sorted(set(house) - {ANYONE}), premises=Sign.objects.all()[0].premises)
    assert together.verbs() == frozenset().union(*alone)


def knock(browser: Client, method: str, where: str) -> Any:
    """One request, undone afterwards, so that a blocked device or an ended session harms nobody behind."""
    cookies = dict(browser.cookies.items())
    with as_a_test():
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
                elif name not in CALCULATES | TAKES_ALONG | TAKES_BACK | OWN | ATTENDS:
                    assert who not in people or ANYONE in people or name in CALCULATES, name


@pytest.mark.timeout(900)
def test_a_program_comes_in_where_a_person_with_its_rights_does_and_changes_nothing(house: dict[str, Client]) -> None:
    """Each right alone, so that a door which expects a person behind it shows itself; every form is closed."""
    premises, wrong = Sign.objects.all()[0].premises, []
    pages = [each for each in patterns() if str(each.name).startswith(("api-", "sign-snapshot"))]
    rights = ("see", "read_books", "read_trail")
    for scope, held in ({each: [each] for each in rights} | {"all": [*rights]}).items():
        shown = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {a_token(*held)}"})
        person = Client(raise_request_exception=False)
        person.force_login(a_person(f"has-{scope}", may=held, premises=premises))
        for pattern in pages:
            where = address(pattern)
            answers = knock(shown, "GET", where), knock(person, "GET", where)
            alike = answers[0] == answers[1] or (pattern.name in FILES_OF_PEOPLE and answers[0] == 403)
            if not alike:
                wrong.append(f"GET {pattern.name} with {scope}: {answers[0]} for a program, {answers[1]} for a person")
            posted = DOORS[str(pattern.name)].get("POST", OPEN)  # where a stranger may post, nobody looks for a token
            if posted != OPEN and knock(shown, "POST", where) not in (403, 404):
                wrong.append(f"POST {pattern.name} with {scope} is open to a program")
    assert not wrong, "\n".join(wrong)
    assert house["administrator"].get("/office/programs/").status_code == 200


def test_no_page_changes_anything_by_being_looked_at(house: dict[str, Client]) -> None:
    from jackpot.trail.models import Trail

    def stands() -> tuple[int, int]:
        """The trail alone grows: by a look at what is somebody's own, a list taken home, a door that stays shut."""
        own = ("look", "export_list", "refused")
        return Trail.objects.exclude(act__in=own).count(), Operator.objects.count()

    before, unnoted = stands(), []
    for pattern in patterns():
        if pattern.name not in LOOK_IS_NOTED:
            lines = Trail.objects.count()
            answer = house["regulator"].get(address(pattern))
            if answer.get("Content-Disposition", "").startswith("attachment") and Trail.objects.count() == lines:
                unnoted.append(str(pattern.name))
    assert stands() == before
    assert set(unnoted) <= NOTHING_OF_THE_HOUSE, "a file that leaves the house has its line in the trail"
