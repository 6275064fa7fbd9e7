"""Explanations of before are requests now, with their number, which two people signed, and with their people."""

from __future__ import annotations

from datetime import date
from importlib import import_module

import pytest
from django.db import connection

from accounting.days.models import Explanation
from accounting.days.queries.days import explained, explanations_on
from tests.builders import a_property
from tests.scenes_adjusting import person

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 18)
FORMER = """
CREATE TEMP TABLE accounting_formerexplanation (id bigint, premises_id bigint, day date, at timestamptz DEFAULT now(),
  subject text, amount numeric(20,8), cause text, why text, evidence text, file_name text, file_sha256 text,
  owner_id bigint) ON COMMIT DROP;
CREATE TEMP TABLE accounting_explanationsigned (id bigint, explanation_id bigint, person_id bigint,
  at timestamptz DEFAULT now()) ON COMMIT DROP;
"""


def test_what_was_explained_and_signed_before_is_carried_over() -> None:
    house, one, two = a_property(), person("one"), person("two")
    with connection.cursor() as cursor:
        cursor.execute(FORMER)
        for number in (4, 7):
            cursor.execute(
                "INSERT INTO accounting_formerexplanation VALUES (%s, %s, %s, now(), %s, -1, 'counting', 'fell down',"
                " 'camera 7', 'clip.pdf', %s, %s)",
                [number, house.pk, DAY, f"chips/UTH-0{number}", "a" * 64, one.pk],
            )
        cursor.execute("INSERT INTO accounting_explanationsigned VALUES (1, 4, %s)", [two.pk])
        cursor.execute(import_module("accounting.migrations.0004_explanation_request").CARRY_OVER)
    signed, waits = explanations_on(house, DAY)
    assert (signed.number, signed.state, signed.decided_by, signed.asked_by) == (4, "in_force", two, one)
    assert (signed.ground, signed.reason, signed.file_sha256) == ("counting", "fell down", "a" * 64)
    assert (waits.number, waits.is_open, waits.decided_by, waits.decided_by_name) == (7, True, None, "")
    assert [subject for subject, _ in explained([signed, waits])] == ["chips/UTH-04"]
    assert Explanation.objects.count() == 2
