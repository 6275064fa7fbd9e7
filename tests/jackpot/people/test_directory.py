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

from jackpot.people.actions import directory as asking
from jackpot.people.actions import second_factor as factors
from jackpot.people.actions.directory_links import keep_link, link_of
from jackpot.people.actions.dismissing import dismiss
from jackpot.people.models import DirectoryLink, Operator
from jackpot.people.rules.directory import second_factor_was_shown
from jackpot.trail.models import Trail
from launcher.sentences import CannotStart
from launcher.switches import directory_issuer
from tests.builders import a_person
from tests.directory import CLIENT, SECRET, SmallDirectory, a_directory
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


def test_nobody_is_made_found_by_a_name_or_told_who_is_known(directory: SmallDirectory, ann: Operator) -> None:
    directory.told = {"preferred_username": "ann", "email": "ann@casino.example"}
    browser, people = Client(), Operator.objects.count()
    answered = comes(browser, directory)
    assert answered.status_code == 403
    assert "nobody here is linked" in answered.content.decode()
    assert (Operator.objects.count(), DirectoryLink.objects.count(), is_in(browser)) == (people, 0, False)
    for _ in range(20):
        answered = comes(browser, directory)
    assert answered.status_code == 429, "strangers are slowed for their address"


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
    assert (told.status_code, "another name" in told.content.decode()) == (503, True)
    settings.DIRECTORY_ISSUER = "http://127.0.0.1:9"
    told = Client().get("/sign-in/directory/")
    assert (told.status_code, "does not answer" in told.content.decode()) == (503, True)
    settings.DIRECTORY_ISSUER = ""
    assert Client().get("/sign-in/directory/").status_code == 404
    assert "Casino sign-on" not in Client().get("/sign-in/").content.decode()


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
    for changed in ({"FAIRMETER_OIDC_ISSUER": "http://login.casino.example"}, {"FAIRMETER_OIDC_CLIENT": ""}):
        with pytest.raises(CannotStart, match="FAIRMETER_OIDC"):
            directory_issuer(told | changed)
