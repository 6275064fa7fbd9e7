"""An empty database becomes a house with two administrators, on a code that only the server's owner can know."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from accounting.setup_desk.actions.founding import WRONG_CODES_A_MINUTE, Founder, code_of_today, found_house
from accounting.setup_desk.rules.founding_code import founding_code, opens
from jackpot.people.models import Operator, Role
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tests.accounting.setup_desk.desk_scene import WORDS, a_founding, a_new_house
from tests.builders import a_person

KEY = b"a file key of thirty-two letters"
FORM = {
    "house": "new", "name": "New Card Room", "currency": "USD", "time_zone": "America/Denver", "day_roll": "06:00",
    "first-name": "Test Ann", "first-username": "ann", "first-password": WORDS[0], "first-again": WORDS[0],
    "second-name": "Test Bob", "second-username": "bob", "second-password": WORDS[1], "second-again": WORDS[1],
}  # fmt: skip


def test_the_code_counts_on_its_day_and_the_next_and_belongs_to_one_key() -> None:
    code = founding_code(KEY, date(2026, 11, 18))
    assert opens(code.lower().replace("-", " "), KEY, date(2026, 11, 18))
    assert opens(code, KEY, date(2026, 11, 19))
    assert not opens(code, KEY, date(2026, 11, 20))
    assert not opens(code, b"another key", date(2026, 11, 18))
    assert not opens("", KEY, date(2026, 11, 18))
    assert not opens("Ünïcode", KEY, date(2026, 11, 18))


@pytest.mark.django_db
def test_a_house_is_founded_on_its_page_by_two_who_may_sign_in(client: Client) -> None:
    assert "Begin a new house" in client.get("/").content.decode()
    answer = client.post("/begin/", {**FORM, "code": code_of_today()}, follow=True)
    assert answer.redirect_chain[-1][0] == "/sign-in/"
    house = Property.objects.get()
    assert (house.code, house.time_zone, house.demo) == ("NEW", "America/Denver", False)
    assert Role.objects.count() == 12
    assert [one.check_password(word) for one, word in zip(Operator.objects.order_by("username"), WORDS, strict=True)]
    assert {*Operator.objects.values_list("roles__code", flat=True)} == {"administrator"}
    row = Trail.objects.get(act="found_house")
    assert (row.subject, row.actor, row.details["people"]) == ("NEW", "ann and bob", ["ann", "bob"])
    assert not Trail.objects.filter(details__icontains=WORDS[0]).exists(), "no password stands in the trail"
    assert "Begin a new house" not in client.get("/").content.decode()
    assert "stands here already" in client.get("/begin/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"code": "ABCD-EFGH-JKMN"}, "not the founding code"),
        ({"second": Founder("Ann", "Test Bob", WORDS[1], WORDS[1])}, "two different user names"),
        ({"second": Founder("bob", "Test Bob", WORDS[0], WORDS[0])}, "the same password"),
        ({"first": Founder("ann", "Test Ann", "short", "short")}, "at least|10 to 200"),
        ({"first": Founder("ann", "Test Ann", WORDS[0], WORDS[1])}, "differ"),
        ({"first": Founder("a b", "Test Ann", WORDS[0], WORDS[0])}, "user name is letters"),
        ({"property": {"code": "NEW", "name": "New", "time_zone": "Denver"}}, "no time zone"),
    ],
)
def test_what_is_wrong_founds_nothing(changed: dict[str, object], why: str) -> None:
    with pytest.raises(Refused, match=why):
        found_house(wish=replace(a_founding(), **changed), address="127.0.0.1")
    assert not Property.objects.exists()
    assert not Operator.objects.exists()


@pytest.mark.django_db
def test_a_house_is_founded_once_and_never_beside_people() -> None:
    a_new_house()
    with pytest.raises(Refused, match="already"):
        a_new_house()


@pytest.mark.django_db
def test_who_is_here_already_is_not_joined_by_strangers() -> None:
    a_person("somebody")
    with pytest.raises(Refused, match="already"):
        a_new_house()


@pytest.mark.django_db
def test_guessing_is_counted_and_slowed() -> None:
    for _ in range(WRONG_CODES_A_MINUTE):
        with pytest.raises(Refused, match="not the founding code"):
            found_house(wish=a_founding(code="WRONG"), address="10.0.0.9")
    with pytest.raises(Refused, match="Wait a minute"):
        a_new_house()
    assert Trail.objects.filter(act="found_house", details__address="10.0.0.9").count() == WRONG_CODES_A_MINUTE


@pytest.mark.django_db
def test_the_command_prints_the_code_as_long_as_there_is_nothing() -> None:
    said = StringIO()
    call_command("founding_code", stdout=said)
    assert said.getvalue().strip() == code_of_today()
    a_new_house()
    call_command("founding_code", stdout=said)
    assert "stands here already" in said.getvalue()


@pytest.mark.django_db
def test_a_program_founds_a_house_too(client: Client) -> None:
    body = {
        "code": code_of_today(), "property": {"code": "NEW", "name": "New"},
        "first": {"username": "ann", "name": "Test Ann", "password": WORDS[0]},
        "second": {"username": "bob", "name": "Test Bob", "password": WORDS[1]},
    }  # fmt: skip
    assert client.post("/api/v1/begin/", body, content_type="application/json").json() == {"property": "NEW"}
    assert client.post("/api/v1/begin/", body, content_type="application/json").status_code == 409


@pytest.mark.django_db
def test_a_house_is_founded_under_a_rule_book_and_says_so(client: Client) -> None:
    assert "Maryland, casinos" in client.get("/begin/").content.decode()
    client.post("/begin/", {**FORM, "code": code_of_today(), "rule_book": "MD"})
    house = Property.objects.get()
    assert (house.rule_book, house.evidence_files, str(house.thresholds.executive)) == ("MD", True, "50000.00")
    told = {(row.about, row.to, row.within_hours) for row in house.notice_rules.all()}
    assert told == {
        ("adjust", "the Commission", 24), ("transfer", "the Commission", 24), ("explanation", "internal audit", 48),
    }  # fmt: skip
    client.force_login(Operator.objects.get(username="ann"))
    page = client.get("/office/reports/rule-book/").content.decode()
    assert "decided otherwise in 0 of 13" in page
    assert "COMAR 36.05.03.23 E" in page
    switch = client.get("/office/setup/part-jackpots/").content.decode()
    assert '<option value="next_meter" selected>' in switch


@pytest.mark.django_db
def test_an_opening_begins_with_the_switches_of_the_rule_book(client: Client) -> None:
    client.post("/begin/", {**FORM, "code": code_of_today(), "rule_book": "NY"})
    client.force_login(Operator.objects.get(username="ann"))
    assert '<option value="revenue" selected>' in client.get("/office/setup/part-jackpots/").content.decode()


@pytest.mark.django_db
def test_a_house_without_a_rule_book_stands_at_the_usual_values(client: Client) -> None:
    client.post("/begin/", {**FORM, "code": code_of_today()})
    house = Property.objects.get()
    assert (house.rule_book, house.notice_rules.count(), house.unclaimed_rules.get().lapse_after) == ("NONE", 0, 365)
    client.force_login(Operator.objects.get(username="ann"))
    assert "decided otherwise in 0 of 47" in client.get("/office/reports/rule-book/").content.decode()
