"""In a house with one of each thing: people call a win by its slip, and are told days and moments as they write them.

The number that the books count a win by stands on no page, paper, file or finding.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any, Final

import pypdf
import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounting.days.actions.writing import read_sign
from accounting.paper.printing.press import file_copy
from accounting.paper.rules.copies import Form
from accounting.reports.queries.catalogue import REPORTS
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.people.models import Operator, Role
from jackpot.property.models.property import Property
from jackpot.signing.actions.kinds import unregister
from jackpot.trail.models import Trail
from jackpot.trail.rules.words import _facts, facts_of, spoken_times
from jackpot.trail.templatetags.history import say_time
from jackpot.wins.models import SlipCounter, Win
from tables.calculation.desk import desk
from tables.rounds.queries.prove import prove
from tests.accounting.test_every_door import DecidedByAll, address, fill_the_house, no_mathematics, patterns
from tests.builders import a_person
from tests.tampering import tamper_with

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(1800)]
FIRST: Final = 7_340_001  # of the running number, so far ahead that nothing else is it
RUNNING: Final = re.compile(r"7[,.\u202f\u00a0 ]?340[,.\u202f\u00a0 ]?00\d")
ALL_FORMS: Final = frozenset({"wins", "slips", "unclaimed"})  # the forms of a report say the same columns
# A day or a moment of a program, an amount with all its decimals, a value of a programming language, its brackets.
PROGRAMS: Final = re.compile(
    r"(?<![\w/.-])\d{4}-\d\d-\d\d(?![\w-])|\d\d:\d\d:\d\d[.+]|\.\d{5,}0|\bNone\b|\bTrue\b|[{}\[\]]"
)
SEALED: Final = re.compile(r'<p class="sealed">.*?</p>', re.DOTALL)
# What machines read by the books' own: an entry's key and the line that its seal covers (docs/api.md).
OF_THE_BOOKS: Final = frozenset({"key", "sealed_line"})


@pytest.fixture
def reader(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Somebody with every role, in the demo house with one of each thing, whose wins are counted from far ahead."""
    no_mathematics(monkeypatch)
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    monkeypatch.setattr("accounting.house_file.loader.load_casino", _counting_from_far(monkeypatch))
    fill_the_house()
    everyone = list(Role.objects.values_list("code", flat=True))
    browser = Client(raise_request_exception=False)
    browser.force_login(a_person("everyone", roles=everyone, premises=Property.objects.get(demo=True)))
    yield browser
    desk().close()
    unregister(DecidedByAll.code)


def _counting_from_far(monkeypatch: pytest.MonkeyPatch) -> Any:
    from accounting.house_file.loader import load_casino

    def loaded(file: Any) -> Any:
        done = load_casino(file)
        SlipCounter.objects.update_or_create(premises=Property.objects.get(demo=True), defaults={"next_win": FIRST})
        return done

    return loaded


def test_people_are_told_slips_and_not_running_numbers_and_times_as_they_write_them(reader: Client) -> None:
    numbers = set(Win.objects.filter(slip__isnull=False).values_list("number", flat=True))
    assert numbers
    assert all(RUNNING.search(str(number)) for number in numbers), "the house counts from far ahead"
    named = [*_on_pages(reader), *_in_files(reader), *_on_papers(), *_in_the_trail(), *_in_findings()]
    assert not named, "\n".join(named)


def _in_the_trail() -> Iterator[str]:
    """Every line with all that belongs to it, as its page tells it."""
    house = Property.objects.get(demo=True)
    jackpot, person = Jackpot.objects.get(code="GRAND"), Operator.objects.get(username="accountant")
    read_sign(jackpot=jackpot, shown=Money.of("1.00"), at=timezone.now(), by=person)
    lines = list(Trail.objects.all())
    assert any(row.act == "read_sign" for row in lines)
    for row in lines:
        say = say_time(house)
        told = f"{facts_of({**row.details}, say)} {spoken_times(row.subject, say)} {spoken_times(row.object_key, say)}"
        whole = ", ".join(_facts(row.details, say))
        yield from (f"{row.act}: {each}" for each in PROGRAMS.findall(f"{told} {whole}"))


def _on_pages(reader: Client) -> Iterator[str]:
    looked_at = 0
    for pattern in patterns():
        answer = reader.get(address(pattern))
        if answer.status_code < 400:
            looked_at += 1
            yield from (f"{pattern.name}: {each}" for each in _names(answer))
    assert looked_at >= 200


def _in_files(reader: Client) -> Iterator[str]:
    for code in REPORTS:
        for form in ("csv", "xlsx", "pdf") if code in ALL_FORMS else ("csv",):
            answer = reader.post(f"/office/reports/{code}/export/", {"form": form, "period": "this month"})
            assert answer.status_code < 400, (code, form, answer.content[:300])
            yield from (f"{code} as {form}: {each}" for each in _names(answer))


def _on_papers() -> Iterator[str]:
    for win in Win.objects.filter(slip__isnull=False):
        yield from (f"page {win.slip}: {each}" for each in _found(_text_of_pdf(file_copy(win, Form.LETTER))))


def _in_findings() -> list[str]:
    win = Win.objects.filter(slip__isnull=False).order_by("slip")[0]
    tamper_with(Win.objects.filter(pk=win.pk), amount=win.amount + 1, line_name="Royal", seat=win.seat + 1)
    told = [str(each) for each in prove().findings.listed]
    assert any(f"slip {win.slip}" in each for each in told)
    return [each for each in told if RUNNING.search(each)]


def _names(answer: HttpResponse) -> list[str]:
    content = b"".join(answer) if answer.streaming else answer.content
    kind = answer.headers.get("Content-Type", "")
    if kind.startswith("application/json"):
        return [each for text in _sentences(json.loads(content)) for each in _found(text)]
    if kind.startswith("application/pdf"):
        return _found(_text_of_pdf(content))
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as files:
            return [each for name in files.namelist() for each in _found(files.read(name).decode(errors="ignore"))]
    return _found(SEALED.sub("", content.decode(errors="ignore")))


def _sentences(told: Any) -> Iterator[str]:
    """Every text of an answer; a field that is a number is read by machines, under its own name."""
    if isinstance(told, dict):
        for name, value in told.items():
            yield from () if name in OF_THE_BOOKS else _sentences(value)
    elif isinstance(told, list):
        for value in told:
            yield from _sentences(value)
    elif isinstance(told, str):
        yield told


def _found(text: str) -> list[str]:
    return [text[max(0, at.start() - 60) : at.end() + 10] for at in RUNNING.finditer(text)]


def _text_of_pdf(content: bytes) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
