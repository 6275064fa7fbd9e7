"""Parts of a house on their pages: at once where one administrator may, by two where money or authority follows."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from accounting.house_file.writer import house_content
from accounting.setup_desk.actions.setting_up import SetUpWish, set_up
from accounting.setup_desk.queries import house_facts, standing_parts
from accounting.setup_desk.rules.house_steps import StepState, steps_of
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN
from jackpot.trail.models import Trail
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tests.accounting.house_file.conftest import SMALL
from tests.accounting.setup_desk.desk_scene import (
    JACKPOT,
    JACKPOT_FORM,
    TABLES_FORM,
    an_opened_jackpot,
    browser,
    person,
    post,
    signed,
)
from tests.jackpot.books.api_scene import play

pytestmark = pytest.mark.django_db
PROPERTY_FORM = {
    "name": "New", "currency": "USD", "time_zone": "America/Denver", "day_roll": "06:00", "rule_book": "NONE",
}  # fmt: skip


def states(house: Property) -> dict[str, str]:
    return {step.code: step.state.value for step in steps_of(house_facts(house))}


def test_the_path_leads_from_an_empty_house_to_its_first_round(house: Property, ann: Client) -> None:
    page = ann.get("/office/setup/")
    assert [step.code for step, *_, following in page.context["steps"] if following] == ["jackpots"]
    assert states(house)["tables"] == states(house)["devices"] == states(house)["round"] == "missing"
    an_opened_jackpot(ann)
    post(ann, "tables", **TABLES_FORM, jackpots="GRAND")
    ann.post("/office/setup/controllers/")
    sheet = ann.post("/office/setup/codes/", {"devices": ["T-01-C", "T-02-C", "T-03-C"]})
    assert sheet.content.startswith(b"%PDF"), sheet.content[:2000]
    for device in Device.objects.all():
        play(device, 1, "123")
    missing = {code for code, state in states(house).items() if state == StepState.MISSING}
    assert missing == set()


def test_many_tables_are_set_up_at_once_and_copied(house: Property, ann: Client) -> None:
    assert "Done: 3 changes, from table T-01 to table T-03." in post(ann, "tables", **TABLES_FORM)
    assert "already a table T-03" in post(ann, "tables", **{**TABLES_FORM, "code": "T-03…T-05"})
    assert Table.objects.count() == 3, "nothing of a refused series is made"
    form = ann.get("/office/setup/part-tables/?like=T-02").context["fields"]
    assert {field.name: value for field, value, _ in form}["code"] == ""
    assert {field.name: value for field, value, _ in form}["seats"] == "7"
    post(ann, "tables", **{**TABLES_FORM, "of": "T-02", "seats": "5"})
    assert {table.code: table.seats for table in Table.objects.all()} == {"T-01": 7, "T-02": 5, "T-03": 7}
    assert Trail.objects.get(act="alter_table").actor == "ann"


def test_a_look_changes_nothing_and_says_what_would(house: Property, ann: Client) -> None:
    page = post(ann, "tables", **{**TABLES_FORM, "act": "try"})
    assert "This would change 3 things" in page
    assert "+ table T-02" in page
    assert not Table.objects.exists()


def test_an_opening_is_asked_for_by_one_and_signed_by_another(house: Property, ann: Client) -> None:
    assert "waits for a second person" in post(ann, "jackpots", **JACKPOT_FORM)
    assert not Jackpot.objects.exists()
    row = Request.objects.get(kind="set_up")
    with pytest.raises(Refused, match="cannot sign twice"):
        signed(row, by="ann")
    row.refresh_from_db()  # its figures came with the first try where they were not there at once
    signed(row)
    jackpot, version = Jackpot.objects.get(), Version.objects.get()
    assert (str(jackpot.meter), version.requested_by, version.approved_by) == ("10000.00000000", "ann", "bob")
    assert Trail.objects.filter(act="approve_set_up", subject="NEW").count() == 1


def test_whoever_signs_sees_every_term_and_what_speaks_against_it(house: Property, ann: Client) -> None:
    switches = {"freeze": "mark", "row": "never_less", "dry_meter": "restart", "repay_rate": "50"}
    post(ann, "jackpots", **{**JACKPOT_FORM, "reserve_rate": "0", "seed": "500.00", **switches})
    row = Request.objects.get(kind="set_up")
    page = browser("bob").get(f"/office/requests/{row.pk}/").content.decode()
    terms = ("jackpot GRAND: rate", "<strong>25</strong>", "pay table code", "an amount freezes at", "repay rate")
    said = ("its highest row, never less than the next", "begins anew by a house advance")
    for words in (*terms, *said, "There is no reserve", "below the largest fixed award"):
        assert words in page, words
    assert "GRAND: There is no reserve" in post(ann, "jackpots", **{**JACKPOT_FORM, "reserve_rate": "0", "act": "try"})


@pytest.mark.parametrize("typed", [{"seed": "0"}, {"limit": "10,000.00"}, {"rate": "70", "reserve_rate": "31"}])
def test_an_opening_that_nobody_could_sign_is_refused_at_once(ann: Client, typed: dict[str, str]) -> None:
    assert ann.post("/office/setup/part-jackpots/", {**JACKPOT_FORM, **typed}).status_code == 409
    assert not Request.objects.exists()


def test_a_jackpot_is_taken_over_with_the_reading_that_both_saw(house: Property, ann: Client) -> None:
    reading = {"opening": "take_over", "meter": "18,641.50", "reserve": "617.25", "house_seed": "10000"}
    assert "evidence" in post(ann, "jackpots", **{**JACKPOT_FORM, **reading})
    post(ann, "jackpots", **{**JACKPOT_FORM, **reading, "evidence": "photo 12"})
    signed(Request.objects.get(kind="set_up"))
    entry = Entry.objects.get()
    assert entry.kind == "take_over"
    assert (str(entry.meter_after), str(entry.reserve_after)) == ("18641.50000000", "617.25000000")
    opening = house_content(house, timezone.now())["jackpots"][0]["take_over"]
    assert (opening["meter"], opening["evidence"]) == ("18641.50", "photo 12")


def test_a_reading_beside_an_opening_with_the_seed_is_no_answer(ann: Client) -> None:
    assert "Choose one of the two" in post(ann, "jackpots", **JACKPOT_FORM, meter="5.00")


def test_an_opening_needs_somebody_who_could_sign(house: Property, ann: Client) -> None:
    bob = person("bob")
    bob.roles.clear()
    assert "Give another person such a role first" in post(ann, "jackpots", **JACKPOT_FORM)


def test_what_a_table_feeds_takes_two_once_the_house_plays(house: Property, ann: Client) -> None:
    an_opened_jackpot(ann)
    post(ann, "tables", **TABLES_FORM)
    told = {"tables": ["T-01", "T-02"], "jackpots": "GRAND", "act": "make"}
    assert "Done: 2 changes" in ann.post("/office/setup/links/", told, follow=True).content.decode()
    ann.post("/office/setup/controllers/")
    play(Device.objects.get(code="T-01-C"), 1, "12")
    page = ann.post("/office/setup/links/", {**told, "tables": ["T-03"]}, follow=True).content.decode()
    assert "waits for a second person" in page
    assert Table.objects.get(code="T-03").links.count() == 0
    signed(Request.objects.get(kind="set_up", state__in=OPEN))
    assert Table.objects.get(code="T-03").links.count() == 1
    assert "Done: table T-02: name" in post(ann, "tables", **{**TABLES_FORM, "of": "T-02", "name": "Window",
                                                             "jackpots": "GRAND"})  # fmt: skip


def test_a_second_controller_takes_two_where_the_first_one_plays_and_may_speak(house: Property, ann: Client) -> None:
    an_opened_jackpot(ann)
    post(ann, "tables", **{**TABLES_FORM, "code": "T-01…T-02", "jackpots": "GRAND"})
    ann.post("/office/setup/controllers/")
    for code in ("T-01-C", "T-02-C"):
        Device.objects.filter(code=code).update(state="active")

    def asked(code: str, table: str) -> bool:
        part = {"code": code, "kind": "controller", "table": table}
        return set_up(premises=house, wish=SetUpWish({"devices": [part]}), by=person("ann"), dry_run=True).takes_two

    assert not asked("SPARE", "T-01"), "nobody plays yet"
    play(Device.objects.get(code="T-01-C"), 1, "12")
    assert [asked("SPARE", "T-01"), asked("T-02-C", "T-01"), asked("T-01-C", "T-01")] == [True, True, False]
    set_up(premises=house, wish=SetUpWish({"devices": [{"code": "SPOT", "kind": "coin_spot", "table": "T-01"}]}),
           by=person("ann"))  # fmt: skip
    assert asked("SPOT", "T-01"), "a machine that becomes a controller is one more as well"
    Device.objects.filter(code="T-01-C").update(state="blocked")
    assert not asked("SPARE", "T-01")


def test_tax_and_the_day_take_two_once_there_is_a_jackpot(house: Property, ann: Client) -> None:
    tax = {"from": "2030-01-01", "minimum": "600.00", "multiple": "300", "rate": "24", "act": "make"}
    assert "Done: tax from 2030-01-01" in post(ann, "tax", **tax)
    an_opened_jackpot(ann)
    assert "waits for a second person" in post(ann, "tax", **{**tax, "from": "2031-01-01"})
    facts = {**PROPERTY_FORM, "day_roll": "05:00", "act": "make"}
    assert "waits for a second person" in post(ann, "property", **facts)
    house.refresh_from_db()
    assert house.day_roll_minutes == 360


@pytest.mark.parametrize("demo", [True, False])
def test_the_facts_of_a_demo_are_altered_on_its_page_and_it_stays_one(house: Property, ann: Client, demo: bool) -> None:
    Property.objects.filter(pk=house.pk).update(demo=demo)
    assert "Done" in post(ann, "property", **{**PROPERTY_FORM, "name": "Newer", "act": "make"})
    house.refresh_from_db()
    assert (house.name, house.demo) == ("Newer", demo)


def test_what_was_previewed_is_what_is_signed(house: Property, ann: Client) -> None:
    post(ann, "jackpots", **JACKPOT_FORM)
    row = Request.objects.get(kind="set_up")
    set_up(premises=house, wish=SetUpWish({"jackpots": [{**JACKPOT, "seed": "5.00"}]}), by=person("ann"))
    signed(Request.objects.exclude(pk=row.pk).get(kind="set_up"))
    with pytest.raises(Refused, match=r"terms|previewed"):
        signed(row)


def test_codes_are_taken_for_one_device_after_the_other_from_one_page(house: Property, ann: Client) -> None:
    """The sheet is a file: the page stays, and what is ticked next on it is asked for anew."""
    an_opened_jackpot(ann)
    post(ann, "tables", **TABLES_FORM, jackpots="GRAND")
    ann.post("/office/setup/controllers/")
    page = ann.get("/office/setup/part-devices/").content.decode()
    key = page[page.index("/office/setup/codes/") :].split('name="form-key" value="')[1].split('"')[0]
    for device in ("T-01-C", "T-02-C", "T-01-C"):
        sheet = ann.post("/office/setup/codes/", {"devices": [device], "form-key": key})
        assert (sheet.status_code, sheet.headers["Content-Type"]) == (200, "application/pdf")


def test_shifts_printers_signs_and_devices_stand_after_one_press(house: Property, ann: Client) -> None:
    post(ann, "shifts", **{"from": "1 Jan 2030", "begin": "Day 06:00\nNight 18:00", "act": "make"})
    post(ann, "printers", code="CAGE-1", kind="raw9100", address="10.0.0.9:9100", form="receipt", act="make")
    an_opened_jackpot(ann)
    post(ann, "signs", code="WALL", meters="GRAND", type="picture", digits="12", act="make")
    post(ann, "devices", code="WALL-S", kind="sign", sign="WALL", act="make")
    assert standing_parts(house, "shifts")[0]["begin"] == {"Day": "06:00", "Night": "18:00"}
    assert [standing_parts(house, part)[0]["code"] for part in ("printers", "signs", "devices")] == [
        "CAGE-1", "WALL", "WALL-S",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("part", "typed", "why"),
    [
        ("tables", {"seats": "seven"}, "seats is a whole number"),
        ("tables", {"seats": "12"}, "from 1 to 9"),
        ("tables", {"wager": "1e5"}, "wager"),
        ("tables", {"jackpots": "NONE"}, "names jackpot NONE"),
        ("tables", {"code": "T-09…T-01"}, "is no row"),
        ("shifts", {"from": "soon"}, "is no day"),
        ("shifts", {"from": "2030-01-01", "begin": "Day"}, "no beginning of a shift"),
        ("tax", {"from": "2030-01-01", "minimum": "600", "rate": "240"}, "outside 0 to 100"),
        ("printers", {"code": "P", "kind": "raw9100", "address": "nowhere", "form": "a4"}, "printer"),
        ("signs", {"code": "W", "meters": "NONE", "type": "picture"}, "names jackpot NONE"),
        ("devices", {"code": "D", "kind": "controller"}, "belongs to one table"),
        ("property", {**PROPERTY_FORM, "currency": "dollars"}, "no currency"),
        ("jackpots", {"seed": "-5"}, "seed|Seed"),
        ("jackpots", {"pay_table": "uth:NONE"}, "NONE"),
    ],
)
def test_what_is_wrong_is_told_beside_what_was_typed(
    house: Property, ann: Client, part: str, typed: dict[str, str], why: str
) -> None:
    usual = {"tables": TABLES_FORM, "jackpots": JACKPOT_FORM}.get(part, {"act": "make"})
    answer = ann.post(f"/office/setup/part-{part}/", {**usual, **typed})
    assert answer.status_code in (400, 404, 409)
    problems = " ".join(answer.context["problems"])
    assert any(each in problems for each in why.split("|")), problems
    assert "line " not in problems, "a form has no lines"
    assert {field.name: value for field, value, _ in answer.context["fields"]}[next(iter(typed))]


def test_a_list_tells_every_fault_with_line_and_column_and_makes_nothing(house: Property, ann: Client) -> None:
    rows = (
        "code;game;seats;wager\nT-01;uth;7;1.00\nT-02;uth;70;1.00\nT-03;whist;12;one\n\nT-01;uth;6;1.00\nt 5;uth;6;1\n"
    )
    answer = ann.post("/office/setup/list/", {"list": rows, "act": "make"})
    assert answer.context["problems"] == [
        "list.csv, line 3, column seats: seats of table T-02 must be a whole number from 1 to 9.",
        "list.csv, line 4, column wager: The wager: “one” is not an amount. Write it like 20001.40.",
        "list.csv, line 4, column game: game of table T-03 is “whist”. Choose one of: uth.",
        "list.csv, line 4, column seats: seats of table T-03 must be a whole number from 1 to 9.",
        "list.csv, line 6, column code: table T-01 stands already in line 2. Every table stands once.",
        "list.csv, line 7, column code: “t 5” is no code. Use up to 20 of A–Z, 0–9 and -, such as UTH-04.",
    ]
    assert not Table.objects.exists()
    good = "code,seats,profile\nT-01,7,key\nT-02,6,card\n"
    assert "This would change 2 things" in ann.post("/office/setup/list/", {"list": good}).content.decode()
    assert not Table.objects.exists()
    ann.post("/office/setup/list/", {"list": good, "act": "make"})
    assert list(Table.objects.values_list("code", "seats", "profile")) == [("T-01", 7, "key"), ("T-02", 6, "card")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the list is empty"),
        ("code,colour\nT-1,red\n", "column colour: “colour” is no column"),
        ("code,code\nT-1,T-2\n", "the column code stands twice"),
        ("seats\n7\n", "the column code is missing"),
        ('code\n"T-1\n', "this is no list"),
        ("code\nT-1,7\n", "line 2: this row has 2 cells"),
    ],
)
def test_a_list_with_a_wrong_head_or_row_is_refused(ann: Client, text: str, why: str) -> None:
    problems = ann.post("/office/setup/list/", {"list": text, "act": "make"}).context["problems"]
    assert why in problems[0]


def test_the_file_of_a_house_is_written_and_brought_in_by_two(house: Property, ann: Client) -> None:
    written = ann.post("/office/setup/house.toml").content.decode()
    assert Trail.objects.get(act="write_house").person.username == "ann"
    same = ann.post("/office/setup/file/", {"text": written, "act": "try"}).content.decode()
    assert "Nothing would change" in same
    more = written + (
        '\n[[people]]\nusername = "deb"\nname = "Test Deb"\nroles = ["dealer"]\n'
        '\n[[tables]]\ncode = "T-01"\ngame = "uth"\nseats = 7\nwager = "1.00"\nprofile = "card"\njackpots = []\n'
    )
    assert "takes a second person" in ann.post("/office/setup/file/", {"text": more, "act": "try"}).content.decode()
    ann.post("/office/setup/file/", {"text": more, "act": "make"})
    assert not Table.objects.exists(), "all of a file waits, not only the people in it"
    row = signed(Request.objects.get(kind="set_up"))
    assert Table.objects.get().code == "T-01"
    assert person("deb").roles.get().code == "dealer"
    assert row.preview["changes"][0] == "+ person deb: Test Deb (dealer)"


def test_no_card_number_waits_in_a_request(house: Property, ann: Client) -> None:
    written = ann.post("/office/setup/house.toml").content.decode()
    more = written + (
        '\n[[people]]\nusername = "deb"\nname = "Test Deb"\nroles = ["dealer"]\n'
        'cards = [{ number = "600000004821", level = "dealer", pin = "2749" }]\n'
    )
    answer = ann.post("/office/setup/file/", {"text": more, "act": "make"})
    assert "is kept nowhere as text" in answer.context["problems"][0]
    assert not Request.objects.exists()


def test_a_list_waits_for_a_second_person_where_the_house_plays(house: Property, ann: Client) -> None:
    an_opened_jackpot(ann)
    post(ann, "tables", **{**TABLES_FORM, "code": "T-01", "jackpots": "GRAND"})
    ann.post("/office/setup/controllers/")
    play(Device.objects.get(), 1, "12")
    rows = "code,jackpots\nT-08,GRAND\nT-09,GRAND\n"
    page = ann.post("/office/setup/list/", {"list": rows, "act": "make"}, follow=True).content.decode()
    assert "Nothing is changed yet" in page
    signed(Request.objects.get(kind="set_up", state__in=OPEN))
    assert list(Table.objects.values_list("code", flat=True)) == ["T-01", "T-08", "T-09"]


@pytest.mark.parametrize("column", ["name", "seats", "wager", "profile", "game", "jackpots"])
def test_a_list_keeps_of_a_table_what_it_leaves_out(house: Property, ann: Client, column: str) -> None:
    """A column of one thing alters that thing alone, in every table that stands; a new one takes the usual."""
    an_opened_jackpot(ann)
    odd = {"code": "T-01", "seats": "5", "profile": "key", "wager": "1.00", "name": "Window", "jackpots": "GRAND"}
    post(ann, "tables", **{**TABLES_FORM, **odd})
    (before,) = standing_parts(house, "tables")
    told = {"name": "Door", "seats": "6", "wager": "1.00", "profile": "card", "game": "uth", "jackpots": "GRAND"}
    ann.post(
        "/office/setup/list/", {"list": f"code,{column}\nT-01,{told[column]}\nT-02,{told[column]}\n", "act": "make"}
    )
    after, new = standing_parts(house, "tables")
    assert {name for name in before if before[name] != after[name]} <= {column}
    assert new["seats"] == (6 if column == "seats" else 7)


def test_nobody_brings_in_a_file_about_themselves(house: Property, ann: Client) -> None:
    written = ann.post("/office/setup/house.toml").content.decode()
    greedy = written.replace('roles = ["administrator"]', 'roles = ["administrator", "executive"]', 1)
    answer = ann.post("/office/setup/file/", {"text": greedy, "act": "make"})
    assert "is yours" in answer.context["problems"][0]
    ann.post("/office/setup/file/", {"text": greedy.replace("ann", "bob", 0), "act": "make"})
    browser("bob").post("/office/setup/file/", {"text": greedy, "act": "make"})
    row = Request.objects.get(kind="set_up")
    with pytest.raises(Refused, match="about themselves"):
        signed(row, by="ann")


def test_who_is_only_named_in_the_words_of_a_file_may_sign_it(house: Property, ann: Client) -> None:
    written = ann.post("/office/setup/house.toml").content.decode()
    more = f'{written}\n[[people]]\nusername = "deb"\nname = "Friend of bob: Deb"\nroles = ["dealer"]\n'
    ann.post("/office/setup/file/", {"text": more, "act": "make"})
    signed(Request.objects.get(kind="set_up"), by="bob")
    assert person("deb").name == "Friend of bob: Deb"


def test_a_wrong_file_tells_its_faults_and_another_house_is_refused(house: Property, ann: Client) -> None:
    other = ann.post("/office/setup/file/", {"text": SMALL.read_text(), "act": "make"})
    assert "this house is NEW" in other.context["problems"][0]
    broken = ann.post("/office/setup/file/", {"text": "format = ", "act": "make"})
    assert broken.context["problems"][0].startswith("house.toml, line 1: this is not TOML")


def test_a_program_sets_up_with_the_words_of_the_file(house: Property, ann: Client) -> None:
    def call(where: str, **body: object) -> dict[str, object]:
        answer: dict[str, object] = ann.post(f"/api/v1/setup/{where}", body, content_type="application/json").json()
        return answer

    table = {"code": "T-01", "game": "uth", "seats": 7, "wager": "1.00", "profile": "card", "jackpots": []}
    looked = call("", sections={"tables": [table]}, dry_run=True)
    assert looked == {"changes": [str(looked["changes"][0])], "takes_two": False, "request": None}  # type: ignore[index]
    assert not Table.objects.exists()
    call("", sections={"tables": [table], "shifts": [{"from": "2030-01-01", "begin": {"Day": "06:00"}}]})
    assert Table.objects.exists()
    assert call("", sections={"jackpots": [JACKPOT]})["request"] == Request.objects.get(kind="set_up").pk
    assert call("list/", csv="code,seats\nT-02,77\n")["why"] == (
        "list.csv, line 2, column seats: seats of table T-02 must be a whole number from 1 to 9."
    )
    call("", sections={"devices": [{"code": "T-01-C", "kind": "controller", "table": "T-01"}]})
    (code,) = ann.post("/api/v1/setup/codes/", {"devices": ["T-01-C"]}, content_type="application/json").json()
    assert code["device"] == "T-01-C"
    steps = ann.get("/api/v1/setup/").json()
    assert [step["code"] for step in steps][:3] == ["property", "people", "shifts"]
    text = str(call("written/")["text"])
    assert call("file/", text=text) == {"changes": [], "takes_two": False, "request": None}


def test_another_house_is_not_there(house: Property) -> None:
    elsewhere = Property.objects.create(code="OTHER", name="Other")
    with pytest.raises(Refused, match="another house"):
        set_up(premises=elsewhere, wish=SetUpWish({"tables": []}), by=person("ann"))
