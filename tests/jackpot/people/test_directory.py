"""Signing in through a directory that really answers on loopback: who comes in, who does not, and what is told."""

from __future__ import annotations

import hmac
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from joserfc.jwk import RSAKey

from config.management.commands import doctor as doctors
from jackpot.people.actions import directory as asking
from jackpot.people.actions import second_factor as factors
from jackpot.people.actions.directory_links import keep_link, link_of
from jackpot.people.actions.dismissing import dismiss
from jackpot.people.actions.own_secrets import change_password, make_code, use_code
from jackpot.people.models import DirectoryLink, Operator
from jackpot.people.rules.directory import DirectoryAsked, second_factor_was_shown, why_not_believed
from jackpot.refusals import NotAllowedNow
from jackpot.requests.models import Request
from jackpot.trail.models import Trail
from launcher.sentences import CannotStart
from launcher.switches import directory_issuer
from tests.builders import a_person, a_property
from tests.directory import CLIENT, SECRET, SmallDirectory, a_directory, what_answers
from tests.jackpot.people.test_second_factor import set_up

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough word"
ANSWER = "/sign-in/directory/answer/"


@pytest.fixture
def directory(settings: Any, tmp_path: Path) -> Iterator[SmallDirectory]:
    secret = tmp_path / "secret"
    secret.write_text(f"{SECRET}\n")
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    with a_directory() as ours:
        settings.DIRECTORY_ISSUER, settings.DIRECTORY_CLIENT = ours.issuer, CLIENT
        settings.DIRECTORY_SECRET_FILE, settings.DIRECTORY_NAME = str(secret), "Casino sign-on"
        yield ours


@pytest.fixture
def ann() -> Operator:
    return a_person("ann", password=PASSWORD, may=["see"])


def local(address: str) -> str:
    return address.removeprefix("http://testserver")


def comes(browser: Client, directory: SmallDirectory, begun: str = "/sign-in/directory/?next=/me/") -> Any:
    """From the sign-in page to the directory and back."""
    return browser.get(local(directory.authorize(browser.get(begun)["Location"])))


def is_in(browser: Client) -> bool:
    return bool(browser.get("/me/").status_code == 200)


def linked(person: Operator, directory: SmallDirectory) -> Operator:
    keep_link(person=person, subject=directory.subject)
    return person


def test_who_links_with_the_own_password_comes_in_by_the_directory(directory: SmallDirectory, ann: Operator) -> None:
    browser = Client()
    assert "Sign in with Casino sign-on" in browser.get("/sign-in/").content.decode()
    browser.force_login(ann)
    assert "Not linked." in browser.get("/me/").content.decode()
    refused = browser.post("/me/directory/", {"do": "link", "password": "wrong"}, follow=True).content.decode()
    assert "do not fit together" in refused
    goes = unescape(browser.post("/me/directory/", {"do": "link", "password": PASSWORD}).content.decode())
    to = goes.split('content="0; url=')[1].split('"')[0]
    assert "You are linked" in browser.get(local(directory.authorize(to)), follow=True).content.decode()
    other = Client()
    answered = comes(other, directory)
    assert (answered.status_code, answered["Location"]) == (302, "/me/")
    assert is_in(other)
    told = list(Trail.objects.filter(object_key="ann").order_by("id").values_list("act", "outcome"))
    assert told[-2:] == [("link_directory", "done"), ("sign_in", "done")]
    assert Trail.objects.filter(act="sign_in").latest("id").details["by"] == "directory"
    browser.post("/me/directory/", {"do": "end", "password": PASSWORD})
    assert link_of(ann) is None
    assert comes(Client(), directory).status_code == 403
    assert Trail.objects.filter(act="end_directory_link", object_key="ann").count() == 1


@pytest.mark.usefixtures("time_stands")
def test_nobody_is_made_found_by_a_name_or_told_who_is_known(directory: SmallDirectory, ann: Operator) -> None:
    directory.told = {"preferred_username": "ann", "email": "ann@casino.example"}
    browser, people = Client(), Operator.objects.count()
    answered = comes(browser, directory)
    assert answered.status_code == 403
    assert "nobody here is linked" in answered.content.decode()
    assert (Operator.objects.count(), DirectoryLink.objects.count(), is_in(browser)) == (people, 0, False)
    begun = [Client().get("/sign-in/directory/").status_code for _ in range(61)]
    assert (begun[0], begun[-1]) == (302, 429), "strangers are slowed for their address, before anybody is asked"


def test_the_browser_comes_back_without_our_cookies_and_goes_on_to_itself(
    directory: SmallDirectory, ann: Operator
) -> None:
    """Strict cookies are not sent from another site; from our own page they are."""
    linked(ann, directory)
    browser = Client()
    back = local(directory.authorize(browser.get("/sign-in/directory/")["Location"]))
    page = unescape(Client().get(back).content.decode())
    again = page.split('content="0; url=')[1].split('"')[0]
    assert again.startswith(f"{ANSWER}?")
    assert browser.get(again).status_code == 302
    assert is_in(browser)
    assert browser.get(again).status_code == 409, "each answer is judged once"
    assert Client().get(again).status_code == 409, "and in the browser that asked"


def test_the_second_factor_is_asked_here_unless_the_house_takes_the_directorys_word(
    directory: SmallDirectory, ann: Operator, settings: Any
) -> None:
    set_up(linked(ann, directory))
    directory.told = {"amr": ["pwd", "otp"]}
    browser = Client()
    assert comes(browser, directory)["Location"] == "/sign-in/code/"
    assert not is_in(browser)
    settings.DIRECTORY_TELLS_FACTOR = True
    assert comes(Client(), directory)["Location"] == "/me/"
    directory.told = {"amr": ["pwd"]}
    assert comes(Client(), directory)["Location"] == "/sign-in/code/"


def test_a_role_that_needs_a_factor_sets_one_up_or_has_shown_it_there(
    directory: SmallDirectory, ann: Operator, settings: Any
) -> None:
    linked(ann, directory)
    settings.SECOND_FACTOR_ROLES = (ann.roles.get().code,)
    settings.DIRECTORY_TELLS_FACTOR = True
    browser = Client()
    comes(browser, directory)
    assert browser.get("/me/")["Location"] == "/me/second-factor/"
    directory.told = {"amr": ["mfa"]}
    comes(browser := Client(), directory)
    assert is_in(browser)
    assert not factors.has_one(ann)


def test_who_is_dismissed_or_got_a_new_password_by_two_people_comes_in_no_more(
    directory: SmallDirectory, ann: Operator
) -> None:
    boss = a_person("boss", may=["people"])
    dismiss(person=linked(ann, directory), why="left", by=boss)
    assert comes(Client(), directory).status_code == 403


def forged(directory: SmallDirectory) -> None:
    directory.key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})


def shared(directory: SmallDirectory) -> None:
    """The published key, taken for a secret that both sides know."""
    words = b".".join(urlsafe_b64encode(each).rstrip(b"=") for each in (b'{"alg":"HS256","kid":"one"}', b'{"sub":"a"}'))
    signed = hmac.digest(directory.key.as_pem(private=False), words, "sha256")
    directory.token = (words + b"." + urlsafe_b64encode(signed).rstrip(b"=")).decode()


def unsigned(directory: SmallDirectory) -> None:
    directory.token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ."


def says(**told: Any) -> Callable[[SmallDirectory], None]:
    return lambda directory: directory.told.update(told)


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        (forged, "not signed as it should be"),
        (shared, "not signed as it should be"),
        (unsigned, "not signed as it should be"),
        (says(iss="https://elsewhere.example"), "of another directory"),
        (says(aud="another program"), "meant for another program"),
        (says(aud=[CLIENT, "another"], azp="another"), "meant for another program"),
        (says(aud=[CLIENT, "another"]), "meant for another program"),
        (says(nonce="one of yesterday"), "answers another question"),
        (says(sub=""), "names nobody"),
        (says(sub=["0f3a-ann"]), "names nobody"),
        (says(sub="x" * 256), "names nobody"),
        (says(sub="ann\0"), "names nobody"),
        (says(exp=time.time() - 3600), "has ended"),
        (says(iat=time.time() + 3600), "ahead of ours"),
        (says(auth_time=time.time() - 3600), "was not asked again"),
        (says(auth_time=None), "does not say when"),
        (says(auth_time=True), "does not say when"),
    ],
)
def test_what_is_not_believed(
    directory: SmallDirectory, ann: Operator, lie: Callable[[SmallDirectory], None], why: str
) -> None:
    linked(ann, directory)
    lie(directory)
    browser = Client()
    answered = comes(browser, directory)
    assert (answered.status_code, is_in(browser)) == (403, False)
    assert why in unescape(answered.content.decode())


def test_a_code_of_another_browser_opens_nothing(directory: SmallDirectory, ann: Operator) -> None:
    """An attacker's own code in the address of a victim, with a state of the victim's or none."""
    linked(ann, directory)
    mine, theirs = Client(), Client()
    back = local(directory.authorize(mine.get("/sign-in/directory/")["Location"]))
    assert theirs.get(f"{back}&here=1").status_code == 409
    theirs.get("/sign-in/directory/")
    assert theirs.get(back).status_code == 409
    assert not is_in(theirs)


def test_a_link_belongs_to_whoever_typed_the_password(directory: SmallDirectory, ann: Operator) -> None:
    browser = Client()
    browser.force_login(ann)
    page = unescape(browser.post("/me/directory/", {"do": "link", "password": PASSWORD}).content.decode())
    back = local(directory.authorize(page.split('content="0; url=')[1].split('"')[0]))
    state = dict(browser.session)
    other = Client()
    other.force_login(a_person("bob", may=["see"]))
    session = other.session
    session[asking.WAITS] = state[asking.WAITS]
    session.save()
    assert other.get(back).status_code == 409
    assert not DirectoryLink.objects.exists()


def test_keys_that_the_directory_changed_are_read_anew_and_seldom(directory: SmallDirectory, ann: Operator) -> None:
    linked(ann, directory)
    comes(Client(), directory)
    directory.key = RSAKey.generate_key(2048, {"kid": "two", "use": "sig"})
    directory.published.append(directory.key)
    asking._known = {address: (at - 60, told) for address, (at, told) in asking._known.items()}
    comes(browser := Client(), directory)
    assert is_in(browser)
    forged(directory)
    asked = len([path for path in directory.asked if path == "/keys"])
    for _ in range(5):
        comes(Client(), directory)
    assert len([path for path in directory.asked if path == "/keys"]) == asked, "a forger makes nobody ask"


def test_a_directory_that_is_away_or_calls_itself_otherwise_is_said_so(
    directory: SmallDirectory, settings: Any
) -> None:
    settings.DIRECTORY_ISSUER = f"{directory.issuer}/"
    told = Client().get("/sign-in/directory/")
    assert (told.status_code, "another name" in told.content.decode()) == (409, True)
    settings.DIRECTORY_ISSUER = "http://127.0.0.1:9"
    told = Client().get("/sign-in/directory/")
    assert (told.status_code, "does not answer" in told.content.decode()) == (409, True)
    settings.DIRECTORY_ISSUER = ""
    assert Client().get("/sign-in/directory/").status_code == 404
    assert "Casino sign-on" not in Client().get("/sign-in/").content.decode()


def test_two_peoples_one_time_code_ends_the_link(directory: SmallDirectory, ann: Operator) -> None:
    asker = a_person("asker")
    request = Request.objects.create(kind="people", premises=a_property(), asked_by=asker, asked_by_name="Asker")
    code = make_code(request=request, person=linked(ann, directory), card=None, by=asker)
    words = {"wished": "quite another word", "again": "quite another word", "address": "127.0.0.1"}
    use_code(username="ann", code=code, **words)
    assert link_of(ann) is None
    assert comes(Client(), directory).status_code == 403
    assert Trail.objects.filter(act="end_directory_link", object_key="ann").count() == 1


def test_a_changed_password_ends_what_the_old_one_linked_or_began(directory: SmallDirectory, ann: Operator) -> None:
    begun = Operator.objects.get(pk=linked(ann, directory).pk)
    words = {"wished": "quite another word", "again": "quite another word", "address": "127.0.0.1"}
    change_password(person=ann, password=PASSWORD, **words)
    assert (link_of(ann), comes(Client(), directory).status_code) == (None, 403)
    with pytest.raises(NotAllowedNow, match="changed meanwhile"):
        keep_link(person=begun, subject="somebody")


def test_a_strange_page_begins_nothing_and_signs_nobody_out(directory: SmallDirectory, ann: Operator) -> None:
    """From there the browser sends no cookie of ours; a new one would take the place of the sign-in."""
    told = Client().get("/sign-in/directory/", headers={"Sec-Fetch-Site": "cross-site"})
    assert (told.status_code, told["Location"], "sessionid" in told.cookies) == (302, "/sign-in/", False)


def test_a_key_of_a_new_kind_beside_the_known_keeps_nobody_out(directory: SmallDirectory, ann: Operator) -> None:
    linked(ann, directory)
    directory.beside = [
        {"kty": "AKP", "alg": "ML-DSA-65", "pub": "x"}, {"kty": ["RSA"]}, {"kty": "EC", "crv": "BP-256", "x": "1"},
        {"kty": "RSA", "n": 5, "e": None}, {"kty": "RSA"}, "a word", None,
    ]  # fmt: skip
    comes(browser := Client(), directory)
    assert is_in(browser)


@pytest.mark.parametrize(
    "answer",
    [
        b"no word of http\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 200_000,
        b"HTTP/1.1 200 OK\r\n\r\n{" + b" " * 300_000 + b"}",
        b"HTTP/1.1 200 OK\r\n\r\n\xff",
        b"HTTP/1.1 200 OK\r\n\r\n[]",
        b"HTTP/1.1 500 Oh\r\n\r\n",
        b"",
    ],
)
def test_whatever_answers_there_a_sentence_is_told(settings: Any, answer: bytes) -> None:
    with what_answers(answer) as settings.DIRECTORY_ISSUER:
        told = Client().get("/sign-in/directory/")
    assert (told.status_code, "does not answer as it should" in told.content.decode()) == (409, True)


def test_a_slow_directory_holds_only_some_of_us(directory: SmallDirectory) -> None:
    held = [asking._LINES.acquire(blocking=False) for _ in range(asking.MOST_AT_ONCE)]
    try:
        told = Client().get("/sign-in/directory/")
    finally:
        for _ in held:
            asking._LINES.release()
    assert (all(held), told.status_code, "Try again in some seconds" in told.content.decode()) == (True, 429, True)
    assert Client().get("/sign-in/directory/").status_code == 302


def test_a_secret_that_is_not_there_is_told_and_the_doctor_says_so(
    directory: SmallDirectory, ann: Operator, settings: Any, tmp_path: Path
) -> None:
    linked(ann, directory)
    assert [str(each.well) for each in doctors.directory()] == ["True"]
    for words in (b"", b"\xff\xfe"):
        (tmp_path / "secret").write_bytes(words)
        told = comes(Client(), directory)
        assert (told.status_code, "cannot be read or is empty" in told.content.decode()) == (409, True)
        assert [each.well for each in doctors.directory()] == [False]
    settings.DIRECTORY_ISSUER = ""
    assert list(doctors.directory()) == []


def test_what_the_directory_showed_counts_for_that_sign_in_only(
    directory: SmallDirectory, ann: Operator, settings: Any
) -> None:
    """The same person comes in again in the same browser, by the password alone."""
    linked(ann, directory)
    settings.SECOND_FACTOR_ROLES, settings.DIRECTORY_TELLS_FACTOR = (ann.roles.get().code,), True
    directory.told = {"amr": ["mfa"]}
    comes(browser := Client(), directory)
    assert is_in(browser)
    browser.post("/sign-in/", {"username": "ann", "password": PASSWORD, "change": "1"})
    assert browser.get("/me/")["Location"] == "/me/second-factor/"


@pytest.mark.parametrize(
    ("lie", "why"), [({"sub": "\ud800"}, "names nobody"), ({"nonce": "\ud800"}, "answers another question")]
)
def test_half_a_letter_is_no_trouble(lie: dict[str, str], why: str) -> None:
    asked = DirectoryAsked("https://login.casino.example", "fairmeter", "nonce", since=100.0)
    told = {"iss": asked.issuer, "aud": "fairmeter", "nonce": "nonce", "sub": "ann", "iat": 100, "auth_time": 100}
    assert why_not_believed(asked, {**told, "exp": 400}, 120.0) == ""
    assert why in why_not_believed(asked, {**told, "exp": 400, **lie}, 120.0)


@pytest.mark.parametrize(
    ("amr", "shown"),
    [(["mfa"], True), (["pwd", "otp"], True), (["pwd"], False), (["otp"], False), (None, False), ("mfa", False),
     ([["mfa"]], False)],
)  # fmt: skip
def test_which_words_mean_a_second_factor(amr: Any, shown: bool) -> None:
    assert second_factor_was_shown({"amr": amr}) is shown


def test_a_directory_is_encrypted_and_knows_us_by_a_name_or_nothing_starts() -> None:
    assert directory_issuer({}) == ""
    told = {"FAIRMETER_OIDC_ISSUER": "https://login.casino.example", "FAIRMETER_OIDC_CLIENT": "fairmeter"}
    assert directory_issuer(told) == "https://login.casino.example"
    wrong = [{"FAIRMETER_OIDC_ISSUER": each} for each in ("http://login.casino.example", "https://[", "file:///etc")]
    for changed in (*wrong, {"FAIRMETER_OIDC_CLIENT": ""}):
        with pytest.raises(CannotStart, match="FAIRMETER_OIDC"):
            directory_issuer(told | changed)
