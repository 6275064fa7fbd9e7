"""Statements of ours: one trip for several, and the same objects that the ORM would have made."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.database.raw import _CURSORS, FEW, MOST_CURSORS, Columns, ask_together
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.wins.models import Win
from jackpot.wins.queries.round_hits import questions, round_hits_of
from jackpot.wins.rules.round_ref import RoundRef
from tables.floor.models.table import Table
from tables.hits.models.cards import RoundCards
from tables.rounds.models.round import Round
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db

WORD = "INSERT INTO asked_word (code, name) VALUES (%s, %s)"
WORDS = "SELECT code FROM asked_word ORDER BY code"


@pytest.fixture
def words() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE asked_word (code text PRIMARY KEY, name text) ON COMMIT DROP")


def test_a_statement_sees_what_the_one_before_it_wrote(words: None) -> None:
    assert ask_together([(WORDS, ()), (WORD, ("x1", "One")), (WORDS, ()), (WORD, ("x2", "Two"))]) == [
        [], [], [("x1",)], [],
    ]  # fmt: skip


def test_a_statement_that_is_asked_again_tells_what_stands_now(words: None) -> None:
    many = "SELECT n FROM generate_series(1, %s) n"
    for last in (3, FEW + 5, 2):
        first, _, second, told = ask_together(
            [(many, (last,)), (WORD, (f"x{last}", "One")), (many, (last + 1,)), (WORDS, ())]
        )
        assert (len(first), len(second)) == (last, last + 1)
        assert (f"x{last}",) in told


def test_cursors_are_kept_for_few_statements_and_short_answers() -> None:
    kept = connection.connection.__dict__.setdefault(_CURSORS, {})
    assert len(ask_together([("SELECT n FROM generate_series(1, 5000) n", ())])[0]) == 5000
    for number in range(MOST_CURSORS + 5):
        assert ask_together([(f"SELECT {number}", ()), ("SELECT 1", ())]) == [[(number,)], [(1,)]]
    assert len(kept) <= MOST_CURSORS + 1
    assert max(cursor.rowcount for cursor in kept.values()) <= FEW


def test_nothing_asked_is_nothing_told() -> None:
    assert ask_together([]) == []


def test_a_refusal_of_the_database_comes_as_djangos_error_and_leaves_the_connection_usable(words: None) -> None:
    with pytest.raises(IntegrityError, match="x1"), transaction.atomic():
        ask_together([(WORD, ("x1", "One")), (WORD, ("x1", "Again")), (WORDS, ())])
    assert ask_together([(WORDS, ())]) == [[]]
    assert ask_together([(WORD, ("x1", "One")), (WORDS, ())])[1] == [("x1",)]


@pytest.fixture
def evening() -> WinFloor:
    floor = WinFloor()
    floor.royal()
    return floor


@pytest.mark.parametrize("model", [Property, Operator, Card, Jackpot, Version, Table, Round, RoundCards, Win])
def test_a_row_is_the_object_that_the_orm_would_have_made(evening: Any, model: type[models.Model]) -> None:
    columns = Columns(model, "m")
    rows = ask_together([(f"SELECT {columns.text} FROM {model._meta.db_table} m", ())])[0]
    ours = {each.pk: each for each in map(columns.object, rows)}
    theirs = {each.pk: each for each in model._default_manager.all()}
    assert ours.keys() == theirs.keys()
    assert ours
    names = [field.attname for field in model._meta.concrete_fields]
    for key, theirs_ in theirs.items():
        assert [getattr(ours[key], name) for name in names] == [getattr(theirs_, name) for name in names]
        assert not ours[key]._state.adding


def test_a_round_stands_with_its_wins_words_and_versions(evening: Any) -> None:
    win = Win.objects.get()
    place = RoundRef(win.table_code, win.round_number)
    day = win.jackpot.premises.gaming_day(timezone.now())
    standing = round_hits_of(place, ask_together(questions(place)), day)
    assert [each.id for each in standing.wins] == [win.id]
    assert standing.wins[0].version.value == win.version.value
    assert standing.wins[0].jackpot.code == win.jackpot.code
    assert [word.operator_id for word in standing.given[win.id]] == [win.signatures.get(part="approve").operator_id]
    assert not standing.queued
    assert not standing.waiting
    assert standing.numbers is None, "whoever only looks gets no numbers"
