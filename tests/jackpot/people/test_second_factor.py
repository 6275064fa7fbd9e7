"""The second factor: RFC 6238, once and only once, recovery codes, the roles that need one, reset by two people."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from jackpot.people.actions import second_factor as factors
from jackpot.people.models import Operator, RecoveryCode, SecondFactor
from jackpot.people.rules.second_factor import app_address, digits_at, fitting_step, plain_code, step_of
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tests.builders import a_person, a_property, a_role

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough word"
RFC = b"12345678901234567890"


@pytest.mark.parametrize(
    ("seconds", "digits"),
    [(59, "287082"), (1111111109, "081804"), (1111111111, "050471"), (1234567890, "005924"), (20000000000, "353130")],
)
def test_the_vectors_of_rfc_6238(seconds: int, digits: str) -> None:
    assert digits_at(RFC, step_of(seconds)) == digits


def test_a_code_fits_half_a_minute_around_and_never_twice() -> None:
    now = step_of(1_111_111_111)
    for step in (now - 1, now, now + 1):
        assert fitting_step(RFC, digits_at(RFC, step), now, used=0) == step
        assert fitting_step(RFC, digits_at(RFC, step), now, used=step) is None
    assert fitting_step(RFC, digits_at(RFC, now - 2), now, used=0) is None
    assert fitting_step(RFC, "", now, used=0) is None
    assert "otpauth://totp/Emerald%20Room:ann?secret=" in app_address(RFC, username="ann", house="Emerald Room")
    assert plain_code(" ab-12 cd ") == "AB12CD"


@pytest.fixture
def ann() -> Operator:
    return a_person("ann", password=PASSWORD, may=["see"])


def shown(person: Operator, later: int = 0) -> str:
    """What the app shows now."""
    row = SecondFactor.objects.get(operator=person)
    secret = factors._box().decrypt(bytes(row.secret))
    return digits_at(secret, step_of(timezone.now().timestamp()) + later)


def set_up(person: Operator) -> list[str]:
    factors.begin(person)
    return factors.confirm(person=person, code=shown(person, -1))


def refusal(work: Any) -> str:
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.code


def test_it_counts_only_once_a_code_was_typed(ann: Operator) -> None:
    secret = factors.begin(ann)
    assert secret not in bytes(SecondFactor.objects.get().secret), "encrypted under the file key"
    assert not factors.has_one(ann)
    assert refusal(lambda: factors.confirm(person=ann, code="000000")) == "wrong_code"
    codes = factors.confirm(person=ann, code=shown(ann))
    assert factors.has_one(ann)
    assert len(set(codes)) == factors.codes_left(ann) == 10
    assert not any(code.encode() in bytes(row.code_hash) for code in codes for row in RecoveryCode.objects.all())


def test_each_code_opens_once(ann: Operator) -> None:
    codes = set_up(ann)
    code = shown(ann)
    assert factors.check(person=ann, code=code) == "app"
    assert refusal(lambda: factors.check(person=ann, code=code)) == "wrong_code"
    assert factors.check(person=ann, code=codes[0].lower()) == "recovery code"
    assert refusal(lambda: factors.check(person=ann, code=codes[0])) == "wrong_code"
    assert factors.codes_left(ann) == 9


@pytest.mark.usefixtures("time_stands")
def test_guesses_are_slowed(ann: Operator) -> None:
    set_up(ann)
    heard = [refusal(lambda: factors.check(person=ann, code="000000")) for _ in range(8)]
    assert heard == ["wrong_code"] * 5 + ["too_soon"] * 3
    with time_machine.travel(timezone.now() + timedelta(minutes=16), tick=True):
        assert factors.check(person=ann, code=shown(ann)) == "app"


def knock(client: Client, **more: str) -> Any:
    return client.post("/sign-in/", {"username": "ann", "password": PASSWORD, **more})


def test_signing_in_takes_the_code_and_nobody_is_in_before(ann: Operator, client: Client) -> None:
    set_up(ann)
    assert knock(client, next="/jackpots/").headers["Location"] == "/sign-in/code/"
    assert client.get("/jackpots/").status_code == 302, "the password alone opens nothing"
    assert client.get("/api/v1/jackpots/").status_code in (401, 403)
    wrong = client.post("/sign-in/code/", {"code": "000000"})
    assert (wrong.status_code, "does not fit" in wrong.content.decode()) == (403, True)
    assert client.post("/sign-in/code/", {"code": shown(ann)}).headers["Location"] == "/jackpots/"
    assert client.get("/jackpots/").status_code == 200
    assert Trail.objects.filter(act="second_factor", outcome="wrong").count() == 1


def test_the_step_between_ends_by_itself_and_is_of_that_browser_only(ann: Operator, client: Client) -> None:
    set_up(ann)
    knock(client)
    assert Client().get("/sign-in/code/").headers["Location"] == "/sign-in/"
    with time_machine.travel(timezone.now() + timedelta(minutes=6), tick=True):
        assert client.post("/sign-in/code/", {"code": shown(ann)}).headers["Location"] == "/sign-in/"


def test_a_role_that_needs_one_sets_it_up_first(settings: Any, client: Client) -> None:
    settings.SECOND_FACTOR_ROLES = ("executive",)
    a_role("executive", "see")
    a_role("cage", "see")
    boss, cashier = a_person("boss", roles=["executive"], password=PASSWORD), a_person("cashier", roles=["cage"])
    client.force_login(boss)
    assert client.get("/jackpots/").headers["Location"] == "/me/second-factor/"
    refused = client.get("/api/v1/jackpots/")
    assert (refused.status_code, refused.json()["code"]) == (403, "second_factor")
    assert client.get("/me/second-factor/").status_code == 200
    assert client.post("/me/second-factor/", {"do": "begin", "password": "wrong"}).status_code == 403
    client.post("/me/second-factor/", {"do": "begin", "password": PASSWORD})
    page = client.get("/me/second-factor/").content.decode()
    assert "data:image/svg+xml" in page
    told = client.post("/me/second-factor/", {"do": "confirm", "code": shown(boss)}).content.decode()
    assert len(re.findall(r"<code>\w{5} \w{5}</code>", told)) == 10
    assert "<code>" not in client.get("/me/second-factor/").content.decode(), "told this once"
    assert client.get("/jackpots/").status_code == 200
    other = Client()
    other.force_login(cashier)
    assert other.get("/jackpots/").status_code == 200


def test_its_person_ends_it_with_a_last_code(ann: Operator, client: Client) -> None:
    set_up(ann)
    client.force_login(ann)
    assert client.post("/me/second-factor/", {"do": "end", "code": "000000"}).status_code == 403
    client.post("/me/second-factor/", {"do": "end", "code": shown(ann)})
    assert not factors.has_one(ann)
    assert (RecoveryCode.objects.count(), Trail.objects.filter(act="end_second_factor").count()) == (0, 1)
    assert client.post("/me/second-factor/", {"do": "dance"}).status_code == 400


def test_two_peoples_one_time_code_resets_it(ann: Operator) -> None:
    """Two others asked for the code and signed it: they answer for the person, who then sets up a new one."""
    from jackpot.people.actions.own_secrets import make_code, use_code
    from jackpot.requests.models import Request

    set_up(ann)
    asker = a_person("asker")
    request = Request.objects.create(kind="people", premises=a_property(), asked_by=asker, asked_by_name="Asker")
    code = make_code(request=request, person=ann, card=None, by=asker)
    words = {"wished": "quite another word", "again": "quite another word", "address": "127.0.0.1"}
    use_code(username="ann", code=code, **words)
    assert not factors.has_one(ann)
