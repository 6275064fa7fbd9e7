"""The migration that takes stored answers out of the trail, on a database of its own, as its owner runs it."""

from __future__ import annotations

import importlib

import psycopg
import pytest
from django.db import connection

from jackpot.answers.actions import answered
from jackpot.answers.models import StoredAnswer
from jackpot.canonical import canonical, digest_of
from jackpot.trail.models import Trail
from tests.databases import TestServer

ASKED = {"act": "approve", "win": "1"}
MIGRATION = importlib.import_module("jackpot.migrations.0009_trail_objects")


def test_answers_leave_the_trail_and_are_heard_as_before(fresh_database: str, test_server: TestServer) -> None:
    told = {"asked": digest_of(canonical(ASKED)), "answer": {"ok": True, "slip": 7}}
    Trail.objects.create(actor="ann", act="answer_once", subject="key key-00000001", details=told)
    Trail.objects.create(actor="ann", act="redeem_slip", subject="slip 7")
    with psycopg.connect(test_server.url(test_server.owner, connection.settings_dict["NAME"])) as owner:
        owner.execute(MIGRATION.MOVE)
    assert list(Trail.objects.values_list("act", flat=True)) == ["redeem_slip"]
    assert StoredAnswer.objects.count() == 1
    assert answered(actor="ann", key="key-00000001", asked=ASKED) == {"ok": True, "slip": 7, "repeat": True}
    # The guard that was lifted for these lines is closed again, for the owner too.
    refused = pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="what is written here stays")
    url = test_server.url(test_server.owner, connection.settings_dict["NAME"])
    with psycopg.connect(url) as owner, refused:
        owner.execute("DELETE FROM jackpot_trail")
