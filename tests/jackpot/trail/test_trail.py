from __future__ import annotations

import pytest

from jackpot.trail.actions.trail import record
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db


def test_the_trail_is_read_newest_first_and_filtered() -> None:
    record(actor="ann", act="void", subject="UTH-01/7", why="misdeal")
    record(actor="bob", act="void", subject="UTH-02/9", outcome="refused")
    client = signed_in("read_trail")
    assert [row["actor"] for row in client.get("/api/v1/events/?act=void").json()["results"]] == ["bob", "ann"]
    (row,) = client.get("/api/v1/events/?subject=UTH-01/7").json()["results"]
    assert (row["why"], row["outcome"]) == ("misdeal", "done")
    assert client.get("/api/v1/events/?outcome=refused&actor=ann").json()["results"] == []
    unknown = client.get("/api/v1/events/?outcome=undone")
    assert (unknown.status_code, "undone" in unknown.json()["why"]) == (400, True)


def test_an_act_that_no_line_has_is_told_with_acts_like_it() -> None:
    record(actor="ann", act="an_act_without_words")
    client = signed_in("read_trail")
    misspelt = client.get("/api/v1/events/?act=print")
    assert (misspelt.status_code, "Like it: print_page" in misspelt.json()["why"]) == (400, True)
    for known, lines in ("print_page", 0), ("an_act_without_words", 1):
        assert len(client.get(f"/api/v1/events/?act={known}").json()["results"]) == lines


def test_the_trail_is_read_between_two_moments() -> None:
    record(actor="ann", act="void")
    client = signed_in("read_trail")
    assert client.get("/api/v1/events/?act=void&until=2020-01-01T00:00:00Z").json()["results"] == []
    assert len(client.get("/api/v1/events/?act=void&since=2020-01-01T00:00:00Z").json()["results"]) == 1


def test_no_act_has_an_outcome_that_the_filter_does_not_know() -> None:
    with pytest.raises(AssertionError, match="does not know 'undone'"):
        record(actor="ann", act="void", subject="UTH-01/7", outcome="undone")
