"""A form that is sent twice asks once: every page form that moves money or asks for it, behind one mechanism."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory

from jackpot.adjusting.models import Adjustment
from jackpot.answers.models import StoredAnswer
from jackpot.answers.pages import _words_of
from jackpot.books.models.entry import Entry
from jackpot.refusals import NotAllowedNow
from jackpot.requests.models import Request
from jackpot.signing.actions import refuse
from jackpot.trail.models import Trail
from jackpot.wins.models import Dispute
from tests.builders import a_jackpot
from tests.jackpot.books.api_scene import signed_in
from tests.jackpot.wins.test_paid_in_error import PaidAndUndone
from tests.scenes_adjusting import asked, person
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db

KEY = re.compile(r'name="form-key" value="([^"]+)"')
ASK = "/office/adjustments/new/"
WORDS = {
    "kind": "adjust", "jackpot": "GRAND", "amount": "+15.00", "account": "meter", "ground": "reading",
    "reason": "counted short", "evidence": "count sheet 12",
}  # fmt: skip


def key_on(client: Client, where: str) -> str:
    found = KEY.findall(client.get(where).content.decode())
    assert found, f"{where} has no form with a key"
    assert len(set(found)) == len(found), "each form of a page has a key of its own"
    return str(found[-1])


@dataclass(frozen=True)
class MoneyForm:
    """Where a form stands and goes, what it says, and what it leaves behind when it counts."""

    scene: Callable[[], object]
    may: tuple[str, ...]
    page: str
    to: str
    says: dict[str, Any]
    left: Callable[[], int] = field(default=lambda: Trail.objects.exclude(outcome="refused").count())


def _won() -> object:
    return WinFloor(2).royal()


def _asked() -> object:
    return asked("adjust", a_jackpot(), amount="15.00")


FORMS = {
    "ask for an adjustment": MoneyForm(a_jackpot, ("adjust", "read_books"), f"{ASK}?kind=adjust&jackpot=GRAND", ASK,
                                       WORDS, Request.objects.count),
    "ask for a suspension": MoneyForm(
        a_jackpot, ("adjust", "read_books"), f"{ASK}?kind=suspend&jackpot=GRAND", ASK,
        {**WORDS, "kind": "suspend", "amount": "", "ground": "maintenance"}, Request.objects.count),
    "sign a request": MoneyForm(_asked, ("sign_adjustments", "read_books"), "/office/requests/{request}/",
                                "/office/requests/{request}/approve/", {"password": "right"}, Entry.objects.count),
    "pay at the window": MoneyForm(_won, ("pay", "read_books"), "/office/cage/1/", "/office/cage/1/pay/",
                                   {"method": "cash", "form_seen": "on"}, Entry.objects.filter(kind="pay").count),
    "take back at the window": MoneyForm(
        PaidAndUndone, ("pay", "read_books"), "/office/cage/1/", "/office/cage/1/receive/",
        {"method": "cash", "receipt": "1", "amount": "15000.00"}, Entry.objects.filter(kind="receipt").count),
    "dispute a slip": MoneyForm(_won, ("pay", "read_books"), "/office/wins/1/", "/office/wins/1/dispute/",
                                {"why": "two copies"}, Dispute.objects.count),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_a_money_form_sent_twice_counts_once(name: str) -> None:
    form = FORMS[name]
    made = form.scene()
    number = getattr(made, "pk", 0)
    client = signed_in(*form.may, username="clerk", password="right")
    page, to = form.page.format(request=number), form.to.format(request=number)
    says, before = {**form.says, "form-key": key_on(client, page)}, form.left()
    first = client.post(to, says)
    assert first.status_code == 302, first.content.decode()
    assert form.left() == before + 1
    again = client.post(to, says, headers={"Referer": f"http://testserver{page}"})
    assert (again.status_code, again.headers["Location"]) == (302, first.headers["Location"])
    assert "it counts once" in client.get(again.headers["Location"], follow=True).content.decode()
    assert form.left() == before + 1


def test_also_when_the_first_was_decided_meanwhile() -> None:
    """Else nothing stands in the way of a second request any more."""
    a_jackpot()
    client = signed_in("adjust", "read_books", username="clerk")
    says = {**WORDS, "form-key": key_on(client, f"{ASK}?kind=adjust&jackpot=GRAND")}
    client.post(ASK, says)
    refuse(request_id=Adjustment.objects.get().pk, reason="no", by=person("signer"))
    client.post(ASK, says)
    assert Adjustment.objects.count() == 1
    client.post(ASK, {**WORDS, "form-key": key_on(client, f"{ASK}?kind=adjust&jackpot=GRAND")})
    assert Adjustment.objects.count() == 2, "a form that is filled in anew is another one"


def test_behind_not_sure_the_same_form_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The act is there and its answer is lost: the page that is loaded again leads to what was asked for."""
    a_jackpot()
    client = signed_in("adjust", "read_books", username="clerk")
    says = {**WORDS, "form-key": key_on(client, f"{ASK}?kind=adjust&jackpot=GRAND")}
    with monkeypatch.context() as cut:

        def no_answer(*_: object) -> None:
            raise OperationalError("server closed the connection unexpectedly")

        cut.setattr("jackpot.web.pages.certain.confirm", no_answer)
        unsure = client.post(ASK, says)
    assert (unsure.status_code, "counts once" in unsure.content.decode()) == (503, True)
    again = client.post(ASK, says, headers={"Referer": f"http://testserver{ASK}"})
    row = Adjustment.objects.get()
    assert (again.status_code, again.headers["Location"]) == (302, f"/office/requests/{row.pk}/")


def test_what_was_refused_may_be_sent_again_and_what_counted_says_nothing_else() -> None:
    jackpot = a_jackpot()
    client = signed_in("adjust", "read_books", username="clerk")
    says = {**WORDS, "form-key": key_on(client, f"{ASK}?kind=adjust&jackpot=GRAND")}
    assert client.post(ASK, {**says, "amount": "ten"}).status_code == 400
    assert not StoredAnswer.objects.exists()
    client.post(ASK, says)
    other = client.post(ASK, {**says, "amount": "+16.00"}, headers={"Referer": f"http://testserver{ASK}"})
    assert (other.status_code, "with something else in it" in other.content.decode()) == (409, True)
    assert [str(each.amount_money) for each in Adjustment.objects.all()] == ["15.00"]
    stranger = signed_in("adjust", "read_books", username="other")
    assert jackpot is not None
    assert stranger.post(ASK, {**says, "kind": "suspend", "amount": "", "ground": "maintenance"}).status_code == 302


def test_a_second_sending_that_came_while_the_first_was_at_work_is_not_done() -> None:
    """It has looked before the first one wrote; the row it meets in its own transaction is another sending's."""
    a_jackpot()
    client = signed_in("adjust", "read_books", username="clerk")
    key = key_on(client, f"{ASK}?kind=adjust&jackpot=GRAND")

    def meanwhile(*_: object) -> None:
        StoredAnswer.objects.create(actor="clerk", key=f"form.{key}", asked="x" * 64, answer={"sending": "the first"})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jackpot.answers.pages.sent_before", meanwhile)
        answer = client.post(ASK, {**WORDS, "form-key": key})
    assert (answer.status_code, "sent a moment ago" in answer.content.decode()) == (409, True)
    assert not Adjustment.objects.exists()


def test_no_digest_is_kept_of_what_only_a_person_knows() -> None:
    """A PIN has a million values: who reads the row could try them all."""
    row = _asked()
    client = signed_in("sign_adjustments", "read_books", username="signer2", password="right")
    where = f"/office/requests/{getattr(row, 'pk', 0)}/"
    key = key_on(client, where)
    client.post(f"{where}approve/", {"password": "right", "form-key": key})
    again = client.post(f"{where}approve/", {"password": "another", "form-key": key})
    assert again.status_code == 302
    assert StoredAnswer.objects.count() == 1


def test_a_signature_that_failed_after_its_password_is_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The password is judged in a transaction of its own, before the act: its line is not the act's."""
    row = _asked()
    client = signed_in("sign_adjustments", "read_books", username="signer2", password="right")
    client.raise_request_exception = False
    where = f"/office/requests/{getattr(row, 'pk', 0)}/"
    says = {"password": "right", "form-key": key_on(client, where)}
    before = Entry.objects.count()
    with monkeypatch.context() as cut:

        def gone(*_: object) -> None:
            raise OperationalError("canceling statement due to lock timeout")

        cut.setattr("jackpot.signing.actions.deciding._check_second", gone)
        assert client.post(f"{where}approve/", says).status_code == 503
    assert (Entry.objects.count(), StoredAnswer.objects.count()) == (before, 0)
    assert client.post(f"{where}approve/", says).status_code == 302
    assert Entry.objects.count() == before + 1


@pytest.mark.parametrize("longest", [55, 56, 60])
def test_a_key_of_any_length_makes_no_mistake(longest: int) -> None:
    """What is no key of ours is as no key: it comes from no page of this house."""
    a_jackpot()
    client = signed_in("adjust", "read_books", username="clerk")
    assert client.post(ASK, {**WORDS, "form-key": "k" * longest}).status_code == 302
    assert StoredAnswer.objects.count() == (longest == 55)


def test_another_code_in_the_same_form_is_another_form() -> None:
    """Many things have a code; only what a person knows stays out of the digest."""
    one, other = (RequestFactory().post("/office/setup/part-tables/", {"code": code}) for code in ("UTH-01", "UTH-02"))
    assert _words_of(one) != _words_of(other)
    one, other = (RequestFactory().post("/approve/", {"second-pin": pin}) for pin in ("274916", "274917"))
    assert _words_of(one) == _words_of(other)


def test_a_request_stands_whose_preview_is_refused_and_is_not_asked_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The preview comes in a transaction of its own: whoever sends the form again is led to the request."""

    def not_now(*_: object, **__: object) -> None:
        raise NotAllowedNow("The laboratory is busy.", "busy")

    a_jackpot()
    monkeypatch.setattr("tables.requests.actions.configure.preview", not_now)
    client, where = signed_in("configure", "read_books", username="clerk"), "/office/config/GRAND/draft/"
    says = {"limit": "60000", "rate": "60", "reason": "a lower rate", "form-key": key_on(client, where)}
    first = client.post(where, says)
    assert (first.status_code, first.headers["Location"]) == (302, f"/office/requests/{Request.objects.get().pk}/")
    assert "The laboratory is busy." in client.get(first.headers["Location"]).content.decode()
    assert client.post(where, says).headers["Location"] == first.headers["Location"]
    assert Request.objects.count() == 1
