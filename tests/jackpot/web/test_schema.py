from __future__ import annotations

import json
import subprocess
import threading
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator

from jackpot.web.api import documents
from tests.patience import PATIENCE, until


def schema() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)


def test_the_schema_is_valid_and_made_without_a_warning() -> None:
    GENERATOR_STATS.reset()
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=StringIO())


def test_the_words_of_controllers_are_part_of_the_document() -> None:
    document = schema()
    post = document["paths"]["/api/v1/tables/{code}/messages"]["post"]
    assert {"X-Device", "X-Time", "X-Sequence", "X-Signature"} <= {each["name"] for each in post["parameters"]}
    words = document["components"]["schemas"]["TableWord"]["discriminator"]["mapping"]
    from tables.gateway.messages import VERBS

    assert set(words) == set(VERBS)


def test_every_word_is_described_with_the_fields_that_the_reader_takes() -> None:
    schemas = schema()["components"]["schemas"]
    from tables.gateway.messages import _WORDS

    described = schemas["TableWord"]["discriminator"]["mapping"]
    for word, fields in _WORDS.items():
        properties = schemas[described[word].rsplit("/", 1)[1]]["properties"]
        assert set(properties) == {"id", "do", *fields}, word


def test_every_operation_tells_how_it_refuses() -> None:
    for path, methods in schema()["paths"].items():
        if path == "/api/v1/schema/":
            continue
        for operation in methods.values():
            assert "4XX" in operation["responses"], path


def test_amounts_are_texts() -> None:
    accounts = schema()["components"]["schemas"]["AccountsText"]["properties"]
    assert {each["type"] for each in accounts.values()} == {"string"}


@pytest.mark.django_db
def test_the_page_holds_no_script_of_its_own(client: Client) -> None:
    page = client.get("/api/v1/docs/").content.decode()
    assert "<style" not in page
    assert page.count("<script") == page.count("<script src=")
    assert client.get("/api/v1/docs/?script=").headers["Content-Type"].startswith("application/javascript")


@pytest.fixture
def unwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    anew = {form: documents.Document(each.renderer) for form, each in documents._DOCUMENTS.items()}
    monkeypatch.setattr(documents, "_DOCUMENTS", anew)


@pytest.mark.django_db
def test_the_document_is_written_once_whoever_asks_for_it_and_however(
    client: Client, unwritten: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs seconds of processor time, and anybody may ask: so never in a process that serves a table."""
    begun, run = list[list[str]](), subprocess.run
    monkeypatch.setattr(documents, "IN_A_REQUEST", PATIENCE)
    monkeypatch.setattr(subprocess, "run", lambda command, **words: begun.append(command) or run(command, **words))
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *_, **__: pytest.fail("it was written here"))
    asked = ["", "&version=2", "&version=a%0d%0aSet-Cookie:%20x", "&lang=../../etc"]
    answers = [client.get(f"/api/v1/schema/?format=json{more}") for more in asked]
    assert [answer.status_code for answer in answers] == [200] * len(asked)
    assert len({answer.content for answer in answers}) == len(begun) == 1
    assert {answer.headers["Content-Disposition"] for answer in answers} == {'inline; filename="fairmeter.json"'}
    monkeypatch.undo()
    assert json.loads(answers[0].content) == json.loads(json.dumps(schema())), "as it would be written here"


@pytest.mark.django_db
def test_whoever_asks_while_it_is_written_hears_so_and_gets_it_then(
    client: Client, unwritten: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = threading.Event()

    def slow(command: list[str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        ready.wait(PATIENCE)
        return subprocess.CompletedProcess(command, 0, b"{}")

    monkeypatch.setattr(subprocess, "run", slow)
    monkeypatch.setattr(documents, "IN_A_REQUEST", 0.0)
    told = client.get("/api/v1/schema/?format=json")
    assert (told.status_code, told.json()["code"]) == (503, "busy")
    ready.set()
    assert until(lambda: client.get("/api/v1/schema/?format=json").status_code == 200)


@pytest.mark.django_db
def test_a_writer_that_failed_is_tried_again(
    client: Client, unwritten: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ends = [1, 0]

    def failing_first(command: list[str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        done = subprocess.CompletedProcess(command, ends.pop(0), b"{}", b"no such renderer")
        done.check_returncode()
        return done

    monkeypatch.setattr(subprocess, "run", failing_first)
    assert client.get("/api/v1/schema/?format=json").status_code == 503
    assert "no such renderer" in caplog.text
    assert client.get("/api/v1/schema/?format=json").status_code == 200
