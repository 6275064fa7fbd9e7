"""Keys and seals: two people of two departments, a purpose, an hour, and numbers as they were read."""

from __future__ import annotations

from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from accounting.alarms.queries import finding
from jackpot.people.actions.people import block_card
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson
from jackpot.trail.models import Trail
from tables.custody import actions
from tables.custody.actions import CustodyFacts, CustodyWords, OtherPerson, add_item, other_present, write_move
from tables.custody.models import CustodyItem, CustodyMove
from tables.custody.queries import custody_items, standing_of
from tables.custody.rules import (
    LIFE,
    CustodyAct,
    CustodyKind,
    CustodyState,
    GuardedPlace,
    department_refusal,
    state_after,
)
from tests.builders import a_card, a_person, a_property, a_role

PASSWORD = "right and long enough"


def test_what_the_table_does_not_list_does_not_follow() -> None:
    for pair in product(CustodyState, CustodyAct):
        assert state_after(*pair) == LIFE.get(pair)
    assert state_after(CustodyState.OUT, CustodyAct.OUT) is None
    assert state_after(CustodyState.BROKEN, CustodyAct.REPLACED) is CustodyState.WHOLE


@pytest.mark.parametrize(
    ("one", "other", "refusal"),
    [
        ({"count"}, {"cage"}, ""),
        ({"cage"}, {"count"}, ""),
        ({"count", "cage"}, {"dealer"}, "One of the two must be count and the other cage."),
        ({"count"}, {"count"}, "Nobody of the two is cage."),
        ({"dealer"}, {"dealer"}, "Nobody of the two is count or cage."),
    ],
)
def test_the_two_are_of_the_two_departments(one: set[str], other: set[str], refusal: str) -> None:
    assert department_refusal("count", "cage", one, other) == refusal


def a_thing(code: str = "BOX-04", kind: str = "key", place: str = "drop_box", hours: int | None = 2) -> CustodyItem:
    for role in ("count", "cage"):
        a_role(role, "count", "pay")
    admin = Operator.objects.filter(username="admin").first() or a_person("admin", may=("set_up",))
    facts = CustodyFacts(
        code, CustodyKind(kind), GuardedPlace(place), "UTH-04", "count", "cage", hours if kind == "key" else None
    )
    return add_item(premises=a_property(), facts=facts, by=admin)


def two() -> tuple[Operator, OtherPerson]:
    """Somebody of the count team who is signed in, and somebody of the cage by card and PIN."""
    counter = a_person("counter", roles=["count"], password=PASSWORD)
    a_card(a_person("cashier", roles=["cage"], password=PASSWORD))
    return counter, OtherPerson(card="600000000001", pin="640318")


def told(act: str, purpose: str = "soft count", **seals: str) -> CustodyWords:
    return CustodyWords(CustodyAct(act), purpose, **seals)


def rings() -> list[tuple[str, str]]:
    return [(each.kind.value, each.subject) for each in finding.findings(timezone.now())]


@pytest.mark.django_db
def test_a_key_goes_out_and_comes_back_with_both_names_and_rings_past_its_hour(monkeypatch: Any) -> None:
    item, (counter, cashier) = a_thing(), two()
    out = write_move(item=item, words=told("out"), by=counter, other=cashier)
    assert (out.person_name, out.second_name, out.state) == ("Test Counter", "Test Cashier", "out")
    assert out.due_at == out.at + timedelta(hours=2)
    with pytest.raises(Refused, match=r"Key BOX-04 is out since Test Counter and Test Cashier wrote so"):
        write_move(item=item, words=told("out"), by=counter, other=cashier)
    assert rings() == []
    late = timezone.now() + timedelta(hours=2, seconds=1)
    assert [each.kind.value for each in finding.findings(late)] == ["key late"]
    (standing,) = standing_of(custody_items(counter), late)
    assert (standing.late, standing.acts) == (True, [CustodyAct.BACK])
    write_move(item=item, words=told("back", "count is done"), by=counter, other=cashier)
    assert finding.findings(late) == []
    assert list(Trail.objects.filter(object_kind="custody").order_by("id").values_list("act", flat=True)) == [
        "add_custody", "custody_out", "custody_back",
    ]  # fmt: skip


@pytest.mark.django_db
def test_one_person_one_department_and_another_house_are_refused_and_nothing_is_written() -> None:
    item, (counter, cashier) = a_thing(), two()
    second = a_person("second", roles=["count"], password=PASSWORD)
    foreign = a_person("foreign", roles=["count"], premises=a_property("OTHER"))
    for by, other, why in (
        (Operator.objects.get(username="cashier"), cashier, "is one person"),
        (second, OtherPerson(username="counter", password=PASSWORD), "Nobody of the two is cage"),
        (foreign, cashier, "in the house of Test Foreign"),
        (counter, OtherPerson(card="600000000001", pin="000000"), "do not fit together"),
        (counter, OtherPerson(username="cashier", password="wrong"), "do not fit together"),
        (counter, OtherPerson(), "The other department reads a card"),
    ):
        with pytest.raises(Refused, match=why):
            write_move(item=item, words=told("out"), by=by, other=other)
    with pytest.raises(Refused, match="what for"):
        write_move(item=item, words=told("out", " "), by=counter, other=cashier)
    assert not CustodyMove.objects.exists()
    assert write_move(
        item=item, words=told("out"), by=counter, other=OtherPerson(username="cashier", password=PASSWORD)
    ).second_name == "Test Cashier"  # fmt: skip


@pytest.mark.django_db
def test_a_card_that_was_blocked_in_that_instant_writes_nothing_down(monkeypatch: Any) -> None:
    item, (counter, cashier) = a_thing(), two()

    def blocked_then(premises: Property, other: OtherPerson) -> SecondPerson:
        second = other_present(premises, other)
        assert second.card is not None
        block_card(card=second.card, why="Lost.", by="tests")
        return second

    monkeypatch.setattr(actions, "other_present", blocked_then)
    with pytest.raises(Refused, match="lost authority a moment ago"):
        write_move(item=item, words=told("out"), by=counter, other=cashier)
    assert not CustodyMove.objects.exists()


@pytest.mark.django_db
def test_a_seal_keeps_its_numbers_and_one_that_is_not_on_the_register_rings() -> None:
    item, (counter, cashier) = a_thing("CAB-01", "seal", "cabinet"), two()

    def write(act: str, **seals: str) -> CustodyMove:
        return write_move(item=item, words=told(act, "fan changed", **seals), by=counter, other=cashier)

    with pytest.raises(Refused, match="is missing; “seal replaced” does not follow"):
        write("replaced", old_seal="A1", new_seal="A2")
    with pytest.raises(Refused, match="Write the number of the seal that goes on"):
        write("placed")
    write("placed", new_seal="000417")
    with pytest.raises(Refused, match="Seal 000417 is the one that is on"):
        write("replaced", old_seal="000417", new_seal="000417")
    with pytest.raises(Refused, match="No seal goes on here"):
        write("broken", old_seal="000417", new_seal="000418")
    assert write("replaced", old_seal="000417", new_seal="000418").differs is False
    assert rings() == []
    write("broken", old_seal="000418")
    assert rings() == [("seal", "CAB-01")]
    assert write("replaced", old_seal="000418", new_seal="000419").differs is False
    assert rings() == []
    assert write("replaced", old_seal="999999", new_seal="000420").differs is True
    assert "Off CAB-01 came seal 999999" in finding.findings(timezone.now())[0].words
    (standing,) = standing_of(custody_items(counter), timezone.now())
    assert (standing.seal, standing.state) == ("000420", CustodyState.WHOLE)
    assert Trail.objects.filter(outcome="alarm", act__startswith="custody").count() == 2


@pytest.mark.django_db
def test_what_is_put_on_the_register_needs_two_departments_and_a_key_its_hours() -> None:
    a_thing()
    with pytest.raises(Refused, match="on the register already"):
        a_thing()
    admin = Operator.objects.get(username="admin")
    good: dict[str, Any] = {
        "code": "HALL-1", "kind": CustodyKind.KEY, "place": GuardedPlace.HALL, "where": "Hall 1", "holder": "count",
        "countersigner": "cage", "hours": 4,
    }  # fmt: skip
    for wrong, why in (
        ({"code": "hall 1"}, "up to 20 capitals"), ({"where": " "}, "which cabinet"), ({"holder": "nobody"}, "no role"),
        ({"holder": "cage"}, "two departments"), ({"hours": None}, "1 to 72 hours"), ({"hours": 73}, "1 to 72 hours"),
        ({"kind": CustodyKind.SEAL}, "a seal for none"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=why):
            add_item(premises=a_property(), facts=CustodyFacts(**{**good, **wrong}), by=admin)
    assert CustodyItem.objects.count() == 1


@pytest.mark.django_db
def test_the_database_keeps_what_was_written_down() -> None:
    item, (counter, cashier) = a_thing(), two()
    write_move(item=item, words=told("out"), by=counter, other=cashier)
    for act in (
        lambda: CustodyMove.objects.update(purpose="other"),
        lambda: CustodyMove.objects.all().delete(),
        lambda: CustodyItem.objects.update(hours=9),
    ):
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            act()
    with pytest.raises(DatabaseError, match="custody_takes_two_people"), transaction.atomic():
        CustodyMove.objects.create(
            item=item, number=2, act="back", state="home", purpose="x", person=counter, second=counter
        )


@pytest.mark.django_db
def test_the_page_the_api_and_the_report_show_the_same() -> None:
    item, (counter, _) = a_thing(), two()
    client = Client()
    client.force_login(counter)
    sent = {"act": "out", "purpose": "soft count", "card": "600000000001", "pin": "640318"}
    page = client.post(f"/pit/custody/{item.code}/move/", sent, follow=True).content.decode()
    for words in ("Key BOX-04: taken out", "Test Counter with Test Cashier", "soft count", "Due ", "Brought back"):
        assert words.lower() in page.lower(), words
    (thing,) = client.get("/api/v1/custody/").json()["things"]
    assert (thing["state"], thing["person"], thing["second"], thing["late"]) == (
        "out", "Test Counter", "Test Cashier", False,
    )  # fmt: skip
    back = {"act": "back", "purpose": "done", "username": "cashier", "password": PASSWORD}
    answer = client.post("/api/v1/custody/BOX-04/moves/", back, content_type="application/json").json()
    assert answer["things"][0]["state"] == "home"
    assert client.post("/api/v1/custody/NONE/moves/", back, content_type="application/json").status_code == 404
    auditor = Client()
    auditor.force_login(a_person("auditor", may=("read_books",)))
    rows = auditor.get("/api/v1/reports/custody/?from=today&to=today").json()["results"]
    assert [(row["act"], row["purpose"], row["late"]) for row in rows] == [
        ("brought back", "done", ""), ("taken out", "soft count", ""),
    ]  # fmt: skip
    assert rows[1]["back_at"] == rows[0]["at"]
    assert auditor.get("/pit/custody/").status_code == 200
    assert auditor.post("/pit/custody/add/", {}).status_code == 403


@pytest.mark.django_db
def test_programs_put_one_on_the_register() -> None:
    a_thing()
    client = Client()
    client.force_login(Operator.objects.get(username="admin"))
    asked = {
        "code": "CTRL-1", "kind": "seal", "place": "controller", "where": "UTH-01", "holder": "count",
        "countersigner": "cage",
    }  # fmt: skip
    things = client.post("/api/v1/custody/", asked, content_type="application/json").json()["things"]
    assert [(each["code"], each["state"]) for each in things] == [("BOX-04", "home"), ("CTRL-1", "missing")]
    again = client.post("/api/v1/custody/", asked, content_type="application/json")
    assert (again.status_code, "already" in again.json()["why"]) == (409, True)
