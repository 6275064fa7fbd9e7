"""The one form: a kind costs its class and no template, whatever is asked for may bring its file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import get_resolver

from accounting.desk.pages.config_form import changes_of, values_of
from jackpot.evidence.models import RequestEvidence
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.signing.actions import register
from jackpot.signing.actions.kinds import unregister
from jackpot.terms.rules.terms_change import changed, differences
from tests.builders import a_jackpot, a_person, a_property, a_role
from tests.jackpot.signing.test_tiny_kind import RenameHouse

pytestmark = pytest.mark.django_db
PASSWORD: Final = "right"
PDF: Final = b"%PDF-1.7\n%%EOF\n"
NEW: Final = "/office/requests/new/"
RENAME: Final = f"{NEW}rename_house/"


@pytest.fixture
def house() -> Property:
    return a_property(name="Emerald")


@pytest.fixture(autouse=True)
def kind() -> Iterator[None]:
    register(RenameHouse())
    yield
    unregister(RenameHouse.code)


def browser(house: Property, username: str, *may: str) -> Client:
    client = Client()
    client.force_login(a_person(username, may=may, password=PASSWORD, premises=house))
    return client


def text(answer: Any) -> str:
    found: str = answer.content.decode()
    return found


def test_a_kind_that_only_declares_its_field_is_asked_for_signed_and_refused_without_a_page(house: Property) -> None:
    one, other = (browser(house, name, "configure", "read_books") for name in ("ann", "bob"))
    assert RENAME in text(one.get(NEW))
    assert "What every page and every slip calls the house." in text(one.get(RENAME))
    looked = text(one.get(RENAME, {"name": "Grand Hotel"}, headers={"HX-Request": "true"}))
    assert "Grand Hotel" in looked
    assert "<html" not in looked
    told = {"name": "Grand Hotel", "reason": "sold", "file": SimpleUploadedFile("deed.pdf", PDF)}
    assert "waits for a second person" in text(one.post(RENAME, told, follow=True))
    row = Request.objects.get()
    assert (row.payload, row.file_name, RequestEvidence.objects.get().request_id) == (
        {"name": "Grand Hotel"}, "deed.pdf", row.pk,
    )  # fmt: skip
    other.post(f"/office/requests/{row.pk}/approve/", {"password": PASSWORD})
    house.refresh_from_db()
    assert house.name == "Grand Hotel"


def test_what_is_refused_keeps_what_was_typed_and_nothing_is_asked_for(house: Property) -> None:
    one = browser(house, "ann", "configure")
    empty = one.post(RENAME, {"name": "Grand <Hotel>", "reason": " "})
    assert (empty.status_code, "Say why in 1 to 200 characters." in text(empty)) == (400, True)
    assert 'value="Grand &lt;Hotel&gt;"' in text(empty)
    wrong = one.post(RENAME, {"name": "G", "reason": "sold", "file": SimpleUploadedFile("x.pdf", b"MZ\x90\x00")})
    assert (wrong.status_code, "is no PDF, PNG, JPEG or plain text" in text(wrong)) == (400, True)
    assert not Request.objects.exists()


def test_nobody_asks_for_what_their_roles_do_not_open(house: Property) -> None:
    reader, cage = browser(house, "ray", "read_books"), browser(house, "cora", "pay")
    assert "Your roles look on here" in text(reader.get(RENAME))
    assert "Nothing that your roles ask for" in text(reader.get(NEW))
    assert reader.post(RENAME, {"name": "x", "reason": "y"}).status_code == 403
    assert (cage.get(RENAME).status_code, cage.get(NEW).status_code) == (403, 403)
    assert reader.get(f"{NEW}paint_it/").status_code == 404


def test_whatever_is_asked_for_brings_its_file(house: Property) -> None:
    a_jackpot(premises=house)
    a_role("cage", "pay")
    who: Operator = a_person("jo", premises=house)
    one = browser(house, "ann", "configure", "people", "adjust", "read_books")
    asked = {
        "/office/hire/": {"name": "Jo Doe", "username": "joan", "roles": ["cage"]},
        f"/office/people/{who.username}/roles/": {"roles": ["cage"]},
        f"/office/people/{who.username}/code/": {"code_for": "password"},
        "/office/authority/draft/": {"executive_threshold": "7500.00"},
        "/office/config/GRAND/draft/": {"rate": "60"},
        "/office/adjustments/new/": {
            "kind": "adjust", "jackpot": "GRAND", "amount": "15.00", "ground": "reading", "evidence": "count sheet 12",
        },
    }  # fmt: skip
    for number, (address, told) in enumerate(asked.items(), start=1):
        sheet = SimpleUploadedFile(f"{number}.pdf", PDF + bytes([number]))
        answer = one.post(address, {**told, "reason": "the letter says so", "file": sheet}, follow=True)
        assert RequestEvidence.objects.count() == number, f"{address}: {text(answer)[:2000]}"
        assert f"{number}.pdf" in text(answer), address


def test_a_card_is_never_part_of_an_address(house: Property) -> None:
    a_person("jo", premises=house)
    page = text(browser(house, "ann", "people").get("/office/people/jo/new-card/"))
    assert re.search(r'hx-params="([^"]*)"', page).group(1).split(",") == ["level", "expires_on"]  # type: ignore[union-attr]


def test_no_other_template_asks() -> None:
    """Every address of a form leads to the one page: no template of a subject posts to it."""
    assert {name for name in get_resolver().reverse_dict if name in OF_FORMS} == OF_FORMS, "an address was renamed"
    for path in Path(settings.BASE_DIR, "templates").rglob("*.html"):
        for action in re.findall(r"<form[^>]*action=\"{% url '([\w-]+)'", path.read_text()):
            assert action not in OF_FORMS, f"{path} has a form of its own for {action}"


OF_FORMS: Final = {
    "adjustment-new", "config-draft", "authority-draft", "authority-card", "people-hire", "person-roles",
    "person-new-card", "person-code", "day-explain", "day-reopen", "request-ask",
}  # fmt: skip


@pytest.mark.parametrize(
    "term",
    ["rate", "reserve_rate", "seed", "limit", "wager", "aggregate", "preset_rate", "preset_seed", "repay_rate"],
)
def test_a_comma_that_parts_no_thousands_is_no_term(house: Property, term: str) -> None:
    """“10000,50” may be meant as a point, and a seed a hundred times as high would be signed."""
    jackpot = a_jackpot(premises=house)
    terms = jackpot.version.value
    for typed in ("10000,50", "1,00", "10,000,50", "1e5", "１０", "10.000,50", "1'000"):
        with pytest.raises(Refused, match=f"“{re.escape(typed)}” is not (an|a) (amount|percentage)") as why:
            changes_of(jackpot, terms, values_of(terms, {term: typed}))
        assert why.value.code == term


def test_terms_are_read_with_their_thousands(house: Property) -> None:
    jackpot = a_jackpot(premises=house)
    terms = jackpot.version.value
    told = changes_of(jackpot, terms, values_of(terms, {"seed": "1,234,567.50", "limit": "", "rate": "17.330"}))
    assert (told["seed"], told["limit"], told["rate"]) == ("1234567.50", None, "17.33")
    assert differences(terms, changed(terms, changes_of(jackpot, terms, values_of(terms, {})))) == [], "nothing typed"


def test_a_seed_with_a_comma_for_a_point_is_told_beside_the_form(house: Property) -> None:
    a_jackpot(premises=house)
    asked = browser(house, "ann", "configure").post(
        "/office/config/GRAND/draft/", {"seed": "10000,50", "reason": "new seed"}
    )
    assert (asked.status_code, "The seed: “10000,50” is not an amount" in text(asked)) == (400, True)
    assert 'value="10000,50"' in text(asked)
    assert not Request.objects.exists()
