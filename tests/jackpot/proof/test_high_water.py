"""Books that went back: noticed by the node, the published heads and the boxes, stopped, accepted by two people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from config.connections import pointed_at
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.models.went_back import WentBack
from jackpot.books.rules.high_water import BooksNow, HighWater, why_gone_back
from jackpot.proof.actions import heads
from jackpot.proof.actions.high_water import HighWaterGuard, guard, heard_from, mark_told, marks_of
from jackpot.trail.models import Trail
from tables.floor.models.device import Device
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer, Refusal
from tests import databases
from tests.builders import a_card, a_casino, a_person
from tests.controller import HttpController, SocketController, secret_for
from tests.journeys.visitor import BoxSign
from tests.living import living
from tests.patience import until
from tests.stranger import nothing_disagrees

KNOWN = HighWater(b"first", 31_350, b"seal")


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (BooksNow(b"first", 31_400, b"other", b"seal"), None),
        (BooksNow(b"another house", 5, b"x", None), None),
        (BooksNow(b"first", 29_926, b"x", None), "and stand at entry 29926; entries 29927 to 31350 are gone"),
        (BooksNow(b"first", 31_349, b"x", None), "entry 31350 is gone"),
        (BooksNow(b"first", 31_400, b"x", b"other"), "took another course: entry 31350"),
    ],
)  # fmt: skip
def test_what_is_said_of_books_that_were_seen_higher(now: BooksNow, why: str | None) -> None:
    told = why_gone_back("GRAND", KNOWN, now)
    assert (told is None) if why is None else (why in (told or ""))


def plays(device: Device, first: int, last: int) -> Any:
    Device.objects.filter(pk=device.pk).update(state="active")
    outcome: Any = None
    for number in range(first, last + 1):
        for ask in (CoinInRequest(number, "12"), EndRequest(number)):
            (outcome,) = post_messages([DeviceRequest("UTH-01", device.pk, 0, ask)])
            if isinstance(outcome, Refusal):
                return outcome
    return outcome


@pytest.fixture
def two_primaries(
    fresh_database: str, test_server: databases.TestServer, settings: Any, tmp_path: Path
) -> Iterator[tuple[str, str]]:
    """One house at entry 4, copied as an isolated primary would hold it; then it plays on to entry 11."""
    settings.DATA_DIR = tmp_path
    guard.forget()
    device = a_casino().controller
    secret_for(device)
    plays(device, 1, 3)
    connection.close()
    name = test_server.next_name()
    source = fresh_database.rpartition("/")[2].partition("?")[0]
    test_server.run(
        "CREATE DATABASE {name} TEMPLATE {source} OWNER {owner}", name=name, source=source, owner=test_server.owner_role
    )
    plays(device, 4, 10)
    yield fresh_database, test_server.url(test_server.app, name)
    connection.close()
    test_server.drop(name)
    guard.forget()


def stopped() -> WentBack:
    return WentBack.objects.select_related("jackpot").get(accepted_at=None)


def test_a_node_that_has_seen_more_stops_the_jackpot_also_after_its_own_restart(two_primaries: tuple[str, str]) -> None:
    _, old = two_primaries
    assert HighWaterGuard().look() == []
    with pointed_at(old):
        (why,) = HighWaterGuard().look()  # a new process: it knows what stands in the file
        assert "they stood at entry 11 and stand at entry 4; entries 5 to 11 are gone" in why
        assert HighWaterGuard().look() == [why], "said once in the trail, known at every look"
        assert Trail.objects.filter(act="books went back").count() == 1
        refused = plays(Device.objects.get(), 4, 4)
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.why) == ("books_differ", why)
        assert Client().get("/api/v1/ready").json()["stopped"] == ["GRAND"]


def test_published_heads_and_boxes_remember_too(two_primaries: tuple[str, str], settings: Any) -> None:
    new, old = two_primaries
    with pointed_at(old):
        heads.publish_heads()
    with pointed_at(new):
        heads.publish_heads()
        marks = marks_of(["GRAND"])
        assert heard_from(by="device UTH-01-C", marks=marks) == []
    with pointed_at(old):
        heads.publish_heads()
        assert (stopped().told_by, stopped().known_seq) == ("published heads", 11)
        told = mark_told("GRAND", 99, b"x", 1)
        forged = told[:-1] + ("1" if told.endswith("0") else "0")
        assert heard_from(by="device UTH-01-C", marks={"GRAND": forged}) == []
        assert stopped().known_seq == 11, "a number that this house never signed is not believed"
        assert len(heard_from(by="device UTH-01-C", marks=marks)) == 1


def test_other_books_in_the_same_folder_never_went_back(two_primaries: tuple[str, str]) -> None:
    HighWaterGuard().look()
    mark = json.loads(guard.path.read_text())["GRAND"]
    guard.path.write_text(json.dumps({"GRAND": ["00" * 32, 99_999, mark[2], mark[3]], "GONE": mark}))
    assert HighWaterGuard().look() == []
    guard.path.write_text("half a fi")
    assert HighWaterGuard().look() == []


def test_two_people_accept_and_the_jackpot_plays_on(two_primaries: tuple[str, str]) -> None:
    _, old = two_primaries
    watching = HighWaterGuard()
    watching.look()
    with pointed_at(old):
        marks = {"GRAND": mark_told("GRAND", 9, b"lost", 1)}
        watching.look()
        house = Jackpot.objects.get().premises
        asks, signs = Client(), Client()
        asks.force_login(a_person("asks", may=("read_books", "adjust"), premises=house))
        boss = a_person("boss", may=("read_books", "adjust", "sign_adjustments"), premises=house, password="a long one")
        a_card(boss, number="900000000301", level="executive", pin="274916")
        signs.force_login(boss)
        page = asks.get("/jackpots/GRAND/proof/").content.decode()
        assert "Books went back" in page
        early = signs.post("/jackpots/GRAND/went-back/accept/", {"password": "a long one"}, follow=True)
        assert "Nobody has asked for it yet" in early.content.decode()
        asks.post("/jackpots/GRAND/went-back/ask/", {"why": "the old primary came back; 7 rounds adjusted"})
        by_api = asks.post("/api/v1/jackpots/GRAND/went-back/accept/", {}, content_type="application/json")
        assert by_api.status_code == 403
        sent = {"card": "900000000301", "pin": "274916"}
        done = signs.post("/jackpots/GRAND/went-back/accept/", sent, follow=True).content.decode()
        assert "Accepted. GRAND plays on from entry 4." in done
        assert watching.look() == []
        assert HighWaterGuard().look() == []
        assert heard_from(by="device UTH-01-C", marks=marks) == [], "what was seen before it was accepted is no news"
        assert isinstance(plays(Device.objects.get(), 4, 5), PostedAnswer)
        assert [line.act for line in Trail.objects.filter(act__contains="accept").order_by("id")] == [
            "ask_to_accept_books", "accept_books"
        ]  # fmt: skip
        assert nothing_disagrees()


def test_who_asked_is_asked_anew_when_somebody_remembers_more(two_primaries: tuple[str, str]) -> None:
    """The second accepts what the first knew, and nothing that was remembered between the two."""
    _, old = two_primaries
    with pointed_at(old):
        assert len(heard_from(by="device UTH-01-C", marks={"GRAND": mark_told("GRAND", 9, b"lost", 1)})) == 1
        house = Jackpot.objects.get().premises
        asks, other, signs = Client(), Client(), Client()
        asks.force_login(a_person("asks", may=("read_books", "adjust"), premises=house))
        other.force_login(a_person("other", may=("read_books", "adjust"), premises=house))
        boss = a_person("boss", may=("read_books", "adjust", "sign_adjustments"), premises=house, password="a long one")
        a_card(boss, number="900000000301", level="executive", pin="274916")
        signs.force_login(boss)
        address, sent = "/api/v1/jackpots/GRAND/went-back/", {"card": "900000000301", "pin": "274916"}
        kind = "application/json"
        assert asks.post(address, {"why": "five rounds adjusted"}, content_type=kind).json()["asked_entry"] == 9
        assert heard_from(by="device UTH-02-C", marks={"GRAND": mark_told("GRAND", 11, b"more", 2)}) != []
        refused = signs.post(f"{address}accept/", sent, content_type=kind)
        assert (refused.status_code, refused.json()["code"]) == (409, "more_remembered")
        assert "remembered entries up to 11" in refused.json()["why"]
        assert stopped().accepted_at is None
        page = signs.get("/jackpots/GRAND/proof/").content.decode()
        assert "more was remembered: entries up to 11" in page
        assert "Ask to accept these books" in page
        assert other.post(address, {"why": "seven rounds adjusted"}, content_type=kind).json()["asked_entry"] == 11
        assert signs.post(f"{address}accept/", sent, content_type=kind).status_code == 200
        assert (WentBack.objects.get().asked_by.username, WentBack.objects.get().known_seq) == ("other", 11)


def test_a_box_is_told_marks_and_tells_them_with_hello_and_beat(two_primaries: tuple[str, str]) -> None:
    new, old = two_primaries
    with pointed_at(new):
        device = Device.objects.select_related("table").get()
        secret = secret_for(device)
        with living() as live:
            line = SocketController(live, device, secret)
            marks = line.greeting["marks"]
            assert marks["GRAND"].startswith("11:")
            assert line.say(do="beat", marks=marks)["ok"]
            line.close()
    guard.forget()
    guard.path.unlink(missing_ok=True)  # another node, which has seen nothing yet
    with pointed_at(old):
        device = Device.objects.select_related("table").get()
        secret = secret_for(device)
        with living() as live:
            box = HttpController(live, device, secret)
            said = {"device": device.code, "version": "2.0.0", "profile": "card"}
            assert box.say(do="hello", **said, marks=marks)[0] == 200
            status, told = box.say(do="coin_in", round=4, seats=[1])
            assert (status, told["code"]) == (409, "books_differ")
            assert "entries 5 to 11 are gone" in told["why"]
            assert until(lambda: WentBack.objects.get().told_by) == f"device {device.code}"
            assert box.say(do="beat", marks={"GRAND": 7})[1]["code"] == "not_a_message"


def test_a_sign_keeps_the_mark_of_its_frames_and_gives_it_back(two_primaries: tuple[str, str]) -> None:
    new, old = two_primaries
    with pointed_at(new), living() as live:
        wall = BoxSign(live, "WALL", Jackpot.objects.get())
        (frame,) = wall.hears(GRAND="10014.00")[-1]["meters"]
        assert frame["mark"].startswith("11:")
        wall.close()
    guard.forget()
    guard.path.unlink(missing_ok=True)
    with pointed_at(old), living() as live:
        wall = BoxSign(live, "WALL", Jackpot.objects.get())
        wall.hears(GRAND="10004.20")
        wall.says(code="GRAND", shown="10004.20", version=4, mark=frame["mark"])
        assert until(lambda: WentBack.objects.filter(told_by="sign WALL").exists())
        until(lambda: "stands still" in wall.heard()["notice"])
        wall.close()
