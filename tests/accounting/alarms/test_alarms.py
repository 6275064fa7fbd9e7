"""Alarms: found in the database, on the list once, told at real addresses, ended when they are over."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from accounting.alarms.actions import addresses, sending
from accounting.alarms.actions.sending import send_due
from accounting.alarms.actions.watching import watch_alarms
from accounting.alarms.models import AlarmAddress, AlarmMessage, HouseAlarm
from accounting.alarms.queries import finding
from accounting.alarms.rules import AlarmFinding, AlarmKind, RingingAlarm, changes, where_refusal
from accounting.paper.models.printer import PrintJob
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from accounting.webhooks.actions.wire import PostAnswer
from jackpot.books.models.went_back import WentBack
from jackpot.money import Money
from jackpot.proof.actions.rolling import stop_what_was_found
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tables.signs.reports import SignReport, note_disagreement
from tests.accounting.alarms.letterbox import letterbox
from tests.accounting.webhooks.receiver import a_receiver
from tests.accounting.webhooks.scene import chief
from tests.builders import a_casino, a_jackpot, a_person, a_property, a_sign
from tests.scenes_wins import WinFloor

NOW = datetime(2026, 11, 19, 3, 0, tzinfo=UTC)


def found(kind: AlarmKind, subject: str = "x") -> AlarmFinding:
    return AlarmFinding(1, kind, subject, "words")


def test_an_alarm_rings_once_and_ends_after_half_a_minute_of_quiet() -> None:
    paper = found(AlarmKind.PAPER)
    assert [each.key for each in changes([paper], [], NOW).ring] == [paper.key]
    assert changes([paper], [RingingAlarm(paper.key)], NOW).ring == []
    hushed = changes([], [RingingAlarm(paper.key)], NOW)
    assert (hushed.hush, hushed.end) == ([paper.key], [])
    waits = RingingAlarm(paper.key, NOW - timedelta(seconds=29))
    assert changes([], [waits], NOW).end == []
    assert changes([paper], [waits], NOW).back == [paper.key]
    assert changes([], [RingingAlarm(paper.key, NOW - timedelta(seconds=30))], NOW).end == [paper.key]


@pytest.mark.parametrize(
    ("address", "cure"),
    [
        ("mailto:pit@casino.example", ""),
        ("mailto:pit", "mailto:pit@casino.example"),
        ("mailto:a@b.example\nBcc: x@y.example", "mailto:pit@casino.example"),
        ("ntfy://ntfy.example/pit", ""),
        ("ntfy://ntfy.example/", "host and topic"),
        ("https://alarms.example/in", ""),
        ("https://me:secret@alarms.example/", "no password"),
        ("telnet://x", "Begin with mailto:"),
        ("", "Begin with mailto:"),
    ],
)
def test_an_address_that_means_nothing_is_refused_with_its_cure(address: str, cure: str) -> None:
    refusal = where_refusal(address)
    assert (cure in refusal) if cure else refusal == ""


@pytest.mark.django_db
class TestFinding:
    def kinds(self, now: datetime | None = None) -> list[tuple[str, str]]:
        return [(each.kind.value, each.subject) for each in finding.findings(now or timezone.now())]

    def test_a_quiet_house_rings_nothing(self) -> None:
        a_casino()
        assert self.kinds() == []

    def test_a_box_of_an_open_table_that_is_silent_and_ten_at_once_are_one_alarm(self) -> None:
        a_casino(tables=10)
        Device.objects.update(state="active", last_seen_at=timezone.now())
        Table.objects.update(state="open")
        late = timezone.now() - timedelta(seconds=90)
        Device.objects.filter(table__code="UTH-01").update(last_seen_at=late)
        assert [kind for kind, _ in self.kinds()] == ["device late"]
        Device.objects.update(last_seen_at=late)
        assert self.kinds() == [("links down", "the floor")]
        Table.objects.update(state="closed")
        assert self.kinds() == []

    def test_a_hit_rings_after_three_minutes_and_louder_after_eight(self) -> None:
        heard: list[list[tuple[str, str]]] = []

        def look() -> None:
            marked = Win.objects.earliest("marked_at").marked_at
            heard.extend(self.kinds(marked + timedelta(seconds=age)) for age in (179, 181, 479, 481))

        WinFloor().won({2: "royal"}, meanwhile=look)
        assert heard == [[], [("hit waits", "UTH-01 round 1")], [("hit waits", "UTH-01 round 1")],
                         [("hit waits long", "UTH-01 round 1")]]  # fmt: skip
        assert self.kinds(timezone.now() + timedelta(minutes=9)) == []

    def test_a_sign_that_differs(self) -> None:
        jackpot = a_jackpot("GRAND")
        a_sign("MAIN", jackpot)
        note_disagreement("MAIN", "MAIN", "GRAND", SignReport(Money.of("9.00"), 1), "It shows 9.00.")
        assert self.kinds() == [("sign differs", "MAIN")]
        assert self.kinds(timezone.now() + timedelta(minutes=6)) == []

    def test_a_page_that_is_not_on_paper(self) -> None:
        win = WinFloor().royal()
        print_page(win=win, form=Form.LETTER, by=a_person("cage"))
        assert self.kinds() == []
        assert [kind for kind, _ in self.kinds(timezone.now() + timedelta(minutes=3))] == ["paper"]
        PrintJob.objects.update(state="givenup")
        assert [kind for kind, _ in self.kinds()] == ["paper"]

    def test_a_jackpot_that_is_stopped_until_two_people_accept(self) -> None:
        stopped = WentBack.objects.create(
            jackpot=a_jackpot("GRAND"),
            known_seq=9,
            known_seal=b"s",
            found_seq=7,
            why="They went back.",
            told_by="tests",
        )
        assert self.kinds() == [("stopped", "GRAND")]
        WentBack.objects.filter(pk=stopped.pk).update(accepted_at=timezone.now())
        assert self.kinds() == []

    def test_a_finding_that_names_no_jackpot_rings_thing_by_thing(self) -> None:
        a_jackpot("GRAND")
        findings = Findings()
        for thing in ("evidence 9f86", "trail 17"):
            findings.add(Promise.TRAIL, thing, "seal", "a", "b")
        assert stop_what_was_found(findings) == []
        assert sorted(self.kinds()) == [("proof", "evidence 9f86"), ("proof", "trail 17")]
        assert self.kinds(timezone.now() + timedelta(hours=26)) == []

    def test_numbers_that_are_not_due_again_and_again(self) -> None:
        a_casino()

        def refused() -> None:
            Trail.objects.create(
                actor="UTH-01-C", act="coin_in", object_kind="table", object_key="UTH-01", outcome="refused",
                details={"code": "gap"},
            )  # fmt: skip

        refused()
        refused()
        assert self.kinds() == []
        refused()
        assert self.kinds() == [("numbers", "UTH-01")]
        assert self.kinds(timezone.now() + timedelta(minutes=11)) == []

    def test_a_disk_that_fills(self, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Any) -> None:
        class Room(NamedTuple):
            total: int
            used: int
            free: int

        a_property()
        settings.DATA_DIR = tmp_path
        monkeypatch.setattr(finding.shutil, "disk_usage", lambda _: Room(10**12, 0, 4 * 10**10))
        assert self.kinds() == [("disk", "the data folder")]
        monkeypatch.setattr(finding.shutil, "disk_usage", lambda _: Room(10**12, 0, 6 * 10**10))
        assert self.kinds() == []


def ring(monkeypatch: pytest.MonkeyPatch, *wrong: AlarmFinding) -> None:
    monkeypatch.setattr("accounting.alarms.actions.watching.findings", lambda _: list(wrong))


@pytest.mark.django_db
class TestTelling:
    def add(self, address: str, *, loud_only: bool = False) -> AlarmAddress:
        row = addresses.add_address(
            premises=a_property(), name="Shift", address=address, loud_only=loud_only, by=chief()
        )  # fmt: skip
        AlarmMessage.objects.filter(address=row).update(given_up_at=timezone.now())
        return row

    def waiting(self) -> list[AlarmMessage]:
        return list(AlarmMessage.objects.filter(given_up_at=None, sent_at=None))

    def test_a_letter_a_post_and_an_ntfy_say_what_rings_and_that_it_is_over(
        self, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        paper = AlarmFinding(a_property().pk, AlarmKind.PAPER, "CAGE", "Printer CAGE: 2 of its pages wait.")
        with letterbox() as box, a_receiver() as program:
            settings.SMTP_URL = box.url
            self.add("mailto:pit@casino.example")
            self.add(program.address)
            self.add(f"ntfy+http://127.0.0.1:{program.port}/pit")
            ring(monkeypatch, paper)
            assert (watch_alarms(), watch_alarms()) == (1, 0), "it rings once"
            assert send_due() == 3
            ring(monkeypatch)
            later = timezone.now() + timedelta(seconds=40)
            assert (watch_alarms(), watch_alarms(later)) == (0, 0)
            assert send_due() == 3
        assert [letter["Subject"] for letter in box.letters] == ["REF: paper: CAGE", "REF: over: paper: CAGE"]
        assert "2 of its pages wait" in box.letters[0].get_content()
        assert box.letters[0]["To"] == "pit@casino.example"
        posts = [each for each in program.heard if each.path.startswith("/events")]
        notes = [each for each in program.heard if each.path == "/pit"]
        assert [(each.told["kind"], each.told["ended"] is not None) for each in posts] == [
            ("paper", False),
            ("paper", True),
        ]
        assert [each.headers["Title"] for each in notes] == ["REF: paper: CAGE", "REF: over: paper: CAGE"]
        assert HouseAlarm.objects.get().ended_at == later
        assert list(Trail.objects.filter(act__startswith="alarm").order_by("id").values_list("act", flat=True)) == [
            "alarm", "alarm over",
        ]  # fmt: skip

    def test_who_hears_loud_ones_only_is_not_told_of_paper(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.add("https://alarms.example/in", loud_only=True)
        house = a_property().pk
        ring(monkeypatch, AlarmFinding(house, AlarmKind.PAPER, "CAGE", "waits"))
        watch_alarms()
        assert self.waiting() == []
        ring(monkeypatch, AlarmFinding(house, AlarmKind.HIT_WAITS_LONG, "UTH-01 round 1", "waits"))
        watch_alarms()
        assert [str(each.alarm) for each in self.waiting()] == ["hit waits long: UTH-01 round 1"]

    def test_what_is_not_taken_is_tried_again_later_and_given_up_after_a_day(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        row = self.add("https://alarms.example/in")
        addresses.try_address(row=row, by=chief())
        refuses = PostAnswer(False, "It answered 500.")
        assert send_due(lambda _: refuses) == 0
        waits = self.waiting()[0]
        assert (waits.tries, waits.due_at > timezone.now(), waits.last_answer) == (1, True, "It answered 500.")
        assert send_due(lambda _: refuses) == 0, "not before its moment"
        assert self.waiting() == [waits]
        monkeypatch.setattr(sending, "GIVEN_UP_AFTER", timedelta(0))
        AlarmMessage.objects.filter(pk=waits.pk).update(due_at=timezone.now())
        send_due(lambda _: refuses)
        assert self.waiting() == []

    def test_a_worker_that_died_with_a_message_leaves_it_to_the_next(self) -> None:
        addresses.try_address(row=self.add("https://alarms.example/in"), by=chief())

        def dies(_: AlarmMessage) -> PostAnswer:
            raise SystemExit

        with pytest.raises(SystemExit):
            send_due(dies)
        assert send_due(lambda _: PostAnswer(True, "")) == 0, "not while it may be under way"
        AlarmMessage.objects.update(due_at=timezone.now())
        assert send_due(lambda _: PostAnswer(True, "")) == 1

    def test_a_try_that_came_back_too_late_puts_nothing_off(self) -> None:
        addresses.try_address(row=self.add("https://alarms.example/in"), by=chief())

        def overtaken(message: AlarmMessage) -> PostAnswer:
            AlarmMessage.objects.filter(pk=message.pk).update(tries=message.tries + 1, sent_at=timezone.now())
            return PostAnswer(False, "It answered 500.")

        send_due(overtaken)
        assert (self.waiting(), AlarmMessage.objects.latest("id").last_answer) == ([], "")

    def test_a_mail_server_that_is_missing_away_or_refuses_says_so(self, settings: Any) -> None:
        row = self.add("mailto:pit@casino.example")
        said = []
        with letterbox() as box:
            box.refuses = True
            for url in ("", "smtp://127.0.0.1:9", box.url):
                settings.SMTP_URL = url
                addresses.try_address(row=row, by=chief())
                send_due()
                said.append(AlarmMessage.objects.latest("id").last_answer)
        assert "set FAIRMETER_SMTP" in said[0]
        assert "cannot be reached" in said[1]
        assert "does not take letters for pit@casino.example" in said[2]

    def test_whoever_is_no_administrator_adds_nothing(self) -> None:
        with pytest.raises(NotAllowed, match="administrator"):
            addresses.add_address(
                premises=a_property(), name="Me", address="https://x.example", loud_only=False,
                by=a_person("curious", may=("see",)),
            )  # fmt: skip

    def test_an_ended_address_hears_nothing_more_and_the_same_is_not_added_twice(self) -> None:
        row = self.add("https://alarms.example/in")
        with pytest.raises(NotAllowedNow, match="already"):
            self.add("https://alarms.example/in")
        addresses.try_address(row=row, by=chief())
        addresses.end_address(row=row, by=chief())
        assert send_due(lambda _: PostAnswer(True, "")) == 0
        with pytest.raises(NotAllowedNow, match="was ended"):
            addresses.try_address(row=row, by=chief())
        with pytest.raises(NotUnderstood, match="who listens"):
            addresses.add_address(
                premises=a_property(), name=" ", address="https://x.example", loud_only=False, by=chief()
            )


def test_while_it_is_told_no_row_is_held_and_nobody_tells_it_twice(fresh_database: str) -> None:
    """Another line of the database, as another worker has it, writes the row while a mail server drips."""
    where: dict[str, Any] = {"name": "Shift", "address": "https://alarms.example/in", "loud_only": False}
    row = addresses.add_address(premises=a_property(), **where, by=chief())
    begun: list[int] = []

    def drips(message: AlarmMessage) -> PostAnswer:
        begun.append(message.pk)
        assert not connection.in_atomic_block, "a strange program takes its time outside of any transaction"
        with ThreadPoolExecutor(1) as beside:
            assert beside.submit(lambda: alone(lambda: send_due(drips))).result(20) == 0
            assert beside.submit(lambda: alone(lambda: locked(message.pk))).result(20) == row.pk
        return PostAnswer(True, "It answered 200.")

    assert send_due(drips) == 1
    assert (len(begun), AlarmMessage.objects.get().sent_at is not None) == (1, True)


def alone(work: Callable[[], int]) -> int:
    """In a thread, on a line of its own, which ends with it."""
    try:
        return work()
    finally:
        connection.close()


def locked(key: int) -> int:
    with transaction.atomic():
        return AlarmMessage.objects.select_for_update(nowait=True).get(pk=key).address_id


@pytest.mark.django_db
class TestPages:
    def test_the_pit_and_the_page_show_what_rings_and_an_administrator_adds_an_address(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        a_casino()
        ring(monkeypatch, AlarmFinding(a_property().pk, AlarmKind.DISK, "the data folder", "1.0 GB are left."))
        watch_alarms()
        desk = Client()
        desk.force_login(a_person("boss", may=("see", "people", "run_tables"), premises=a_property()))
        assert "1.0 GB are left." in desk.get("/pit/").content.decode()
        assert "1.0 GB are left." in desk.get("/office/alarms/").content.decode()
        refused = desk.post("/office/alarms/add/", {"name": "Shift", "address": "telnet://x"})
        assert (refused.status_code, "Begin with mailto:" in refused.content.decode()) == (400, True)
        told = desk.post("/office/alarms/add/", {"name": "Shift", "address": "mailto:pit@casino.example"}, follow=True)
        assert "a first message that says so is on its way" in told.content.decode()
        row = AlarmAddress.objects.get()
        ended = desk.post(f"/office/alarms/{row.pk}/end/", follow=True)
        assert "Nothing more is told to Shift." in ended.content.decode()
        gone = desk.post(f"/office/alarms/{row.pk}/try/", follow=True)
        assert "There is no such address" in gone.content.decode()
