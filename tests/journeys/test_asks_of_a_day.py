"""T16 through the doors: a day of chips, a part and an adjustment, its sign read by a person, closed by two people."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from accounting.days.actions.snapshots import snapshot_due_days
from jackpot.configuring.actions.house_rules import declare_notice
from jackpot.notices.models import Notice
from jackpot.property.models.property import Property
from jackpot.property.rules.notice import NoticeAbout, NoticeRule
from tests.builders import a_property, a_role
from tests.jackpot.books.api_scene import signed_in
from tests.journeys.room import RoomIndoors
from tests.journeys.story import played, told
from tests.scenes_days import EAST, WEST

KEYS = itertools.count()
CHIPS = {"UTH-01": 7 * 60 + 7 + 7 * 20}


def sends(client: Client, where: str, **words: Any) -> dict[str, Any]:
    headers = {"Idempotency-Key": f"key-{next(KEYS):08}"}
    answer = client.post(where, words, content_type="application/json", headers=headers)
    plain: dict[str, Any] = answer.json()
    return plain


def an_evening(room: RoomIndoors) -> Property:
    """427 chips at 65 % and 4 %, 5 % of 16,677.55, 140 chips, an adjustment of 22.50 by two people."""
    house = a_property(time_zone=WEST)
    a_role("accountant", "close_day", "read_books")
    day = house.gaming_day(timezone.now())
    for about in (NoticeAbout.ADJUST, NoticeAbout.EXPLANATION):
        declare_notice(premises=house, rule=NoticeRule(day, about, "the regulator", "accountant", 24), by="tests")
    desks = room.ref_b(1, "16400.00", "0.00", rate="65", reserve_rate="4")
    played(desks, "A plays 1 2 3 4 5 6 7;" * 60 + "A bets 1 2 3 4 5 6 7; A asks 4=five; A pays 4=833.88")
    played(desks, "A plays 1 2 3 4 5 6 7;" * 20)
    asker = signed_in("see", "read_books", "adjust", username="asker")
    signer = signed_in("see", "read_books", "sign_adjustments", username="signer", password="right")
    why = {"reason": "malfunction", "why": "a sensor was dead", "evidence": "camera 3, 21:40"}
    asked = sends(asker, "/api/v1/adjustments/", kind="adjust", jackpot="GRAND", amount="22.50", **why)["adjustment"]
    done = sends(signer, f"/api/v1/adjustments/{asked['id']}/approve/", password="right")
    assert done["adjustment"]["posted"]["jackpots"]["GRAND"]["after"]["meter"] == "15957.17"
    assert told(room) == "15957.17 / 22.68 / 0.00"
    return house


def worked(house: Property, shown: str) -> str:
    """The sign read, chips counted by two, the page printed, the bank typed; then the day rolls. Its address."""
    day = house.gaming_day(timezone.now())
    where = f"/api/v1/days/{day}/"
    reader = signed_in("close_day", "read_books", username="reader")
    cage = signed_in("pay", "read_books", username="cage")
    read = sends(reader, where + "readings/", jackpot="GRAND", shown=shown, read_at=timezone.now().isoformat())
    assert read["ok"], read
    assert sends(cage, "/api/v1/slips/1/copies/", form="letter")["copy"] == "ORIGINAL"
    for name in ("count-1", "count-2"):
        assert sends(signed_in("count", username=name), where + "counts/", table="UTH-01", chips=CHIPS["UTH-01"])["ok"]
    assert sends(reader, where + "balance/", amount="40000.00")["ok"]
    Property.objects.filter(pk=house.pk).update(time_zone=EAST)
    snapshot_due_days()
    return where


def test_t16_the_day_adds_up_and_two_close_it(room_indoors: RoomIndoors) -> None:
    """COMAR 36.05.03.24: 16,400.00 + 567 x 0.65 - 833.88 + 22.50 = 15,957.17, the reserve 567 x 0.04 = 22.68."""
    where = worked(an_evening(room_indoors), "15957.17")
    one, two = (signed_in("close_day", "read_books", username=f"acc-{number}") for number in "12")
    told_of = one.get(where).json()
    assert {each["column"]: each["to_do"] for each in told_of["columns"]} == dict.fromkeys(
        ("books", "signs", "chips", "wins", "fees", "bank"), 0
    )
    [equation] = told_of["equations"]
    assert set(equation["variance"].values()) == {"0.00"}
    assert equation["chips"] == 567
    assert [equation["reckoned"][each] for each in ("meter", "reserve")] == ["15957.17", "22.68"]
    assert equation["lines"]["contributions"]["meter"] == "368.55"
    assert sends(one, where + "steps/", act="sign")["ok"]
    assert sends(one, where + "steps/", act="close")["code"] == "same_person"
    assert sends(two, where + "steps/", act="close")["ok"]
    assert [notice.about for notice in Notice.objects.all()] == ["adjust"], (
        "the regulator hears of the adjustment alone"
    )


def test_t16_a_sign_that_shows_less_is_a_case_and_the_regulator_hears_of_it(room_indoors: RoomIndoors) -> None:
    """SD 20:18:17:24.02: 56.00 less than it should be keeps the day open until two have explained it."""
    house = an_evening(room_indoors)
    where = worked(house, "15901.17")
    one = signed_in("close_day", "read_books", username="acc-1", password="right")
    two = signed_in("close_day", "read_books", username="acc-2", password="right")
    [line] = one.get(where + "lines/?to_do=true").json()["results"]
    assert (line["subject"], line["state"], line["variance"]) == ("signs/GRAND", "differs", "-56.00")
    assert "signs" in sends(one, where + "steps/", act="sign")["why"].lower()
    why = {"subject": "signs/GRAND", "cause": "counting", "why": "read too early", "evidence": "camera 1, 05:40"}
    number = sends(one, where + "explanations/", **why)["id"]
    signing = where + f"explanations/{number}/sign/"
    assert sends(one, signing, password="right")["code"] == "same_person"
    assert sends(two, signing, password="right")["ok"]
    notice = Notice.objects.get(about="explanation")
    assert (notice.to, "differs by -56.00" in notice.subject) == ("the regulator", True)
    assert notice.due_at - timezone.now() <= timedelta(hours=24)
    assert sends(one, where + "steps/", act="sign")["ok"]
    assert sends(two, where + "steps/", act="close")["ok"]
