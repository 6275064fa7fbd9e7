"""The worker as the database knows it: everything that comes round is done under its own role, and little else is.

Each chore of the timekeeper and each of its watches has something to do here, with real commits, and does it. A right
that is missing fails here and not at night.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from accounting.alarms.models import AlarmAddress, AlarmMessage, HouseAlarm
from accounting.audit.actions.runs import ask_for_parcel, ask_for_proof
from accounting.audit.models import AuditRun
from accounting.days.actions.snapshots import take_snapshot
from accounting.days.actions.writing import type_balance
from accounting.feed.models import FeedEvent, UnnumberedEvent
from accounting.paper.models.printer import PrintJob
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from accounting.reports.models import ReportLetter, ReportRun, SavedReport
from accounting.webhooks.models import Webhook
from config.connections import pointed_at
from config.timekeeper import CHORES, ROUNDS_OF_WORK, Timekeeper
from jackpot.answers.models import StoredAnswer
from jackpot.books.actions.row_watch import watch_rows
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.models.went_back import WentBack
from jackpot.configuring.actions.house_rules import declare_unclaimed
from jackpot.database.rights import WORKER
from jackpot.errands import actions as errands
from jackpot.errands.models import Errand
from jackpot.money import Money
from jackpot.notices.models import Notice
from jackpot.proof.actions.high_water import guard
from jackpot.proof.models import ProofReach
from jackpot.property.models.property import Property
from jackpot.property.rules.unclaimed import UnclaimedRule
from jackpot.software.actions import note_build
from jackpot.software.models import InstalledBuild
from jackpot.terms.models.terms_change import TermsChange
from jackpot.trail.actions.watching import watch_trail
from jackpot.trail.models import Trail, UnsealedTrail
from tables.floor.models.table import Table
from tables.play_sums.models import SummedPlay, SumsBegun
from tests import databases
from tests.accounting.alarms.letterbox import letterbox
from tests.accounting.webhooks.receiver import a_receiver
from tests.accounting.webhooks.scene import chief, registered
from tests.builders import a_jackpot
from tests.jackpot.books.test_attacks import ATTACKS, REFUSED, a_house, done_and_judged, entry, with_row
from tests.patience import until
from tests.scenes import played
from tests.scenes_adjusting import person
from tests.scenes_owed import OwedFloor
from tests.tables.requests.test_previews import drafted
from tests.tampering import tamper
from tests.ways_out import an_allowed_mailbox

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def workers_address(fresh_database: str, test_server: databases.TestServer) -> str:
    if not test_server.worker:
        pytest.skip("DATABASE_WORKER_URL names no role of the worker on this server.")
    return test_server.url(test_server.worker, connection.settings_dict["NAME"])


def house_with_work(address: str) -> OwedFloor:
    """Something for everybody: a paid royal, a page, a slip of age, a preview, runs, a saved report, an address."""
    floor = OwedFloor(2)
    house = floor.casino.premises
    declare_unclaimed(premises=house, rule=UnclaimedRule(date(2026, 1, 1), 0, 365), by="tests")
    win, _ = floor.v9b()
    print_page(win=win, form=Form.LETTER, by=person("cage"))
    drafted(floor)
    today = house.gaming_day(timezone.now())
    ask_for_proof(house=house, by=chief())
    ask_for_parcel(house=house, first=today, last=today, by=chief())
    asked: dict[str, Any] = {"premises": house, "report": "wins", "words": {"period": "all"}, "form": "csv"}
    ReportRun.objects.create(**asked, asked_by=chief(), asked_at=timezone.now())
    mailbox = an_allowed_mailbox(premises=house, name="Ledger", address="ledger@casino.example", by=chief())
    SavedReport.objects.create(
        **asked, name="Wins", rota="daily", folder="ledger", mailbox=mailbox, due_day=today, saved_by=chief()
    )
    registered(address, premises=house)
    long_ago = timezone.now() - timedelta(days=400)
    StoredAnswer.objects.create(actor="me", key="k", asked="0" * 64, answer={}, at=long_ago)
    return floor


def comes_round() -> None:
    """All of it, whatever it is due, as the timekeeper would."""
    errands.put_up(ROUNDS_OF_WORK)
    Errand.objects.update(due_at=timezone.now() - timedelta(days=1))
    for chore in CHORES:
        chore.task()
    for watch in (watch_trail, watch_rows, guard.look, Timekeeper().look_for_alarms):
        watch()


def test_all_that_comes_round_is_done_by_the_workers_role(workers_address: str, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    with a_receiver(200) as receiver, letterbox() as mail:
        settings.SMTP_URL = mail.url
        floor = house_with_work(receiver.address)
        change = TermsChange.objects.get()
        with pointed_at(workers_address):
            note_build(project=PROJECT)
            take_snapshot(jackpot=floor.jackpot, day=floor.casino.premises.gaming_day(timezone.now()))
            comes_round()
            until(lambda: comes_round() or TermsChange.objects.get().state == "previewed", "the preview")
            assert connection.settings_dict["USER"] == WORKER
    assert [(each.code, each.last_error) for each in Errand.objects.exclude(last_error="")] == []
    assert change.state == "asked"
    assert set(AuditRun.objects.values_list("state", flat=True)) == {"done"}
    assert [(each.state, each.trouble) for each in ReportRun.objects.all()] == [("done", ""), ("done", "")]
    assert sorted(letter["Subject"].partition(": ")[2] for letter in mail.letters) == ["Wins", "reports come here"]
    assert [(each.waits, each.sent_at is not None) for each in ReportLetter.objects.all()] == [(False, True)] * 2
    assert [(each.state, each.last_error) for each in PrintJob.objects.all()] == [("sent", "")]
    assert (Webhook.objects.get().deliveries > 0, Webhook.objects.get().tries) == (True, 0)
    assert (FeedEvent.objects.exists(), UnnumberedEvent.objects.exists()) == (True, False)
    assert Notice.objects.exists()
    assert ProofReach.objects.count() == Jackpot.objects.count()
    assert InstalledBuild.objects.count() == 1
    assert not StoredAnswer.objects.exists()
    assert not UnsealedTrail.objects.exists()
    assert not WentBack.objects.exists()
    assert (SummedPlay.objects.exists(), SumsBegun.objects.count()) == (True, 1)


def test_what_stops_or_closes_something_is_done_by_it_too(workers_address: str, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    floor = OwedFloor(1)
    floor.coin_ins(7)
    house = floor.casino.premises
    a_jackpot("MINI", premises=house)
    type_balance(premises=house, amount=Money.of("0.00"), as_of=house.gaming_day(timezone.now()), by=person("acc"))
    Property.objects.update(short_cover_suspends=True, unapproved_closes=True, approves_pay_table=True)
    with pointed_at(workers_address):
        comes_round()
    assert set(Jackpot.objects.values_list("state", flat=True)) == {"suspended"}
    assert Table.objects.get().state == "closed"
    tamper("UPDATE jackpot_entry SET contributed = contributed + 1, outside = outside - 1 WHERE seq = 2")
    ProofReach.objects.update(seq=1)
    with a_receiver(200) as receiver:
        AlarmAddress.objects.create(premises=house, name="pit", address=receiver.address, added_by=chief())
        with pointed_at(workers_address):
            comes_round()
            comes_round()  # what rang is told
    assert WentBack.objects.filter(jackpot=floor.jackpot, accepted_at=None).exists()
    errors = Errand.objects.exclude(last_error="")
    assert [(each.code, each.last_error) for each in errors] == []
    assert Trail.objects.filter(act="books went back", written_by=WORKER).exists()
    assert HouseAlarm.objects.exists()
    assert set(AlarmMessage.objects.values_list("last_answer", flat=True)) == {"It answered 200 (OK)."}


@pytest.fixture(scope="module")
def house(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    if not test_server.worker:
        pytest.skip("DATABASE_WORKER_URL names no role of the worker on this server.")
    with played(test_server, django_db_blocker, a_house) as name:
        yield test_server.url(test_server.worker, name)


@pytest.fixture
def intruder(house: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(house) as connected:
        yield connected
        connected.rollback()


def line(kind: str, key: str) -> str:
    return (
        "INSERT INTO jackpot_trail (actor, act, object_kind, object_key, subject, outcome, why, details) "
        f"VALUES ('me', 'x', '{kind}', {key}, '', 'done', '', '{{}}'); "
    )


# What the web's role may do, or what a thief of the worker's address would like to.
MORE = {
    "a coin-in": with_row(
        entry('{"kind": "coin_in", "meter": 1, "contributed": -1, "meter_after": 1}'), "last_seq = last_seq + 1"
    ),
    "an entry of nothing that corrects": with_row(entry('{"kind": "suspend", "corrects": 2}')),
    "an entry of nothing of another kind": with_row(entry('{"kind": "resume"}')),
    "bring a jackpot back": "UPDATE jackpot_jackpot SET state = 'retired'",
    "open a table": "UPDATE tables_table SET state = 'held'",
    "another pace": "UPDATE tables_table SET most_a_minute = 900",
    "a round": "INSERT INTO tables_round SELECT * FROM tables_round LIMIT 1",
    "a mark": "INSERT INTO jackpot_win SELECT * FROM jackpot_win LIMIT 1",
    "a win that goes on": "UPDATE jackpot_win SET state = 'asked'",
    "a word": "INSERT INTO jackpot_signature SELECT * FROM jackpot_signature LIMIT 1",
    "a payment": "INSERT INTO jackpot_payment SELECT * FROM jackpot_payment LIMIT 1",
    "a slip": "UPDATE jackpot_slipcounter SET next_slip = next_slip + 1",
    "a win page": "INSERT INTO accounting_winpage SELECT * FROM accounting_winpage LIMIT 1",
    "terms": "INSERT INTO jackpot_version SELECT * FROM jackpot_version LIMIT 1",
    "a request": "INSERT INTO jackpot_request SELECT * FROM jackpot_request LIMIT 1",
    "a second name": "UPDATE jackpot_request SET decided_by_id = asked_by_id",
    "books accepted": "UPDATE jackpot_wentback SET accepted_at = now()",
    "a person, told of": line("person", "'somebody'") + "UPDATE jackpot_operator SET password = 'mine' "
        "WHERE username = 'somebody'",
    "a card, told of": line("person", "'somebody'") + "UPDATE jackpot_card SET wrong_pins = 0",
    "a role, told of": line("role", "'mine'") + "INSERT INTO jackpot_role (code, may) VALUES ('mine', '{}')",
    "a device's secret": "UPDATE tables_device SET state = 'enrolled'",
    "another printer": "UPDATE accounting_printer SET address = '127.0.0.1:9'",
    "a webhook elsewhere": "UPDATE accounting_webhook SET address = 'https://mine.example/'",
    "an address of alarms": "UPDATE accounting_alarmaddress SET ended_at = now()",
    "a mailbox of its own": "INSERT INTO accounting_reportmailbox (premises_id, name, address, added_by_id) "
        "SELECT id, 'me', 'me@mine.example', (SELECT min(id) FROM jackpot_operator) FROM jackpot_property",
    "reports elsewhere": "UPDATE accounting_reportmailbox SET address = 'me@mine.example'",
    "a saved report mailed": "UPDATE accounting_savedreport SET mailbox_id = NULL",
    "another switch of the house": "UPDATE jackpot_property SET short_cover_suspends = false",
    "sessions read": "SELECT * FROM django_session",
    "codes read": "SELECT * FROM jackpot_onetimecode",
    "passkeys read": "SELECT * FROM jackpot_passkey",
    "second factors read": "SELECT * FROM jackpot_secondfactor",
    "be the web": "SET ROLE fairmeter_app",
}  # fmt: skip
ATTACKED = {name: text for name, text in ATTACKS.items() if name != "rights for oneself"} | MORE


@pytest.mark.parametrize("statement", ATTACKED.values(), ids=ATTACKED)
def test_the_database_refuses_the_worker(intruder: psycopg.Connection[Any], statement: str) -> None:
    with pytest.raises(REFUSED):
        done_and_judged(intruder, statement)


def test_a_suspension_that_moves_nothing_is_what_it_may_post(intruder: psycopg.Connection[Any]) -> None:
    """So that what is refused above is refused for what it moves, and not because nothing can be posted."""
    told = '{"kind": "suspend", "key": "suspend/mine", "table_code": "", "win_id": null, "round_number": null}'
    moved = "last_seq = last_seq + 1, last_at = (SELECT max(occurred_at) FROM added), state = 'suspended'"
    done_and_judged(intruder, with_row(entry(told), moved).replace("RETURNING 1", "RETURNING occurred_at"))
