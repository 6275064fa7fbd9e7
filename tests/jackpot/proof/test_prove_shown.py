"""Every column of a win's row is known to somebody: changed with every right and sealed again, it is named.

What nobody can tell, because it stands in this row alone, is listed here with the reason. A new column is in one list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from jackpot.proof.rules.findings import Promise
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.rounds.queries.prove import prove
from tests import databases
from tests.builders import a_pay_table, a_person
from tests.jackpot.proof.test_prove_awards import LINES, won
from tests.reseal import damage
from tests.scenes import played
from tests.stranger import found_by_all, nothing_disagrees
from tests.tables.hits.test_hit import Floor

BY_ALL = {
    "seat": "3", "line": "'royal'", "state": "'marked'", "mark_seq": "mark_seq + 1", "frozen_seq": "frozen_seq + 1",
    "front_seq": "frozen_seq", "amount": "amount + 1", "award_seq": "award_seq + 1", "ranked": "NOT ranked",
    "gaming_day": "gaming_day + 1", "round_number": "round_number + 1", "table_code": "'UTH-09'",
    "marked_by": "'Nobody'",
    "envy_of_id": "(SELECT min(id) FROM jackpot_win)",
    "paper": "jsonb_set(paper, '{drawn,from_house}', '\"1.00\"')",
}  # fmt: skip
BY_THE_BOOKS = {  # no file carries them
    "line_name": "'Royal Flush'", "part": "NOT part", "marked_at": "marked_at + interval '1 hour'",
    "asked_at": "asked_at + interval '1 hour'", "logged_at": "logged_at + interval '1 hour'",
    "moved_at": "moved_at + interval '1 hour'", "paid_at": "paid_at + interval '1 hour'", "slip": "slip + 9",
    "payer_id": "(SELECT min(id) FROM jackpot_operator)", "paid_by": "'Nobody'", "paid_method": "'wire'",
    "paid_cheque": "'17'", "paid_window": "'9'",
}  # fmt: skip
NOBODY_KNOWS = {
    **dict.fromkeys(("marker_id", "asked_by", "asker_id"), "people of the floor: the entry's request seals the name"),
    "number": "the number of a win is sealed by its approval alone, as its slip is; slips are counted",
    "place": "its place in the act: the order of the entries is proven, this is read by the page alone",
    "cards_checked": "a summary of the hand on the page",
    "override": "its own entry seals the words", "adjustment_id": "of a difference: two people's request is proven",
}  # fmt: skip
FIXED = {"id", "jackpot_id", "version_id", "premises_id", "difference_of_id"}  # keys and checks


def an_evening() -> None:
    """Two seats win, one is paid; the last award is owed."""
    floor = Floor(2, meter="19998.60", reserve="617.15", rate="70", pay_table=a_pay_table(lines=LINES, source="meter"))
    won(floor, "26", {6: "full_house"})
    assert prove().findings.listed == []
    redeem(slip=Win.objects.latest("id").slip or 0, payer=a_person("cage"))
    won(floor, "234", {2: "straight_flush", 4: "full_house"})
    redeem(slip=Win.objects.get(line="straight_flush").slip or 0, payer=a_person("other-cage"))


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, an_evening) as name:
        yield name


def changed(column: str, value: str, hand: str = "straight_flush") -> None:
    damage(f"UPDATE jackpot_win SET {column} = {value} WHERE line = '{hand}' AND round_number = 2")


@pytest.mark.parametrize("column", BY_ALL)
def test_what_a_file_carries_is_named_by_all_three(books: None, column: str) -> None:
    assert nothing_disagrees()
    changed(column, BY_ALL[column])
    found = found_by_all()
    assert found[0] == found[1] == found[2] != set()


@pytest.mark.parametrize("column", BY_THE_BOOKS)
def test_what_only_the_house_has_is_named_there(books: None, column: str) -> None:
    changed(column, BY_THE_BOOKS[column])
    assert Promise.SHOWN in {each.kind for each in prove().findings.listed}


def test_the_last_award_cannot_be_moved_to_the_neighbour(books: None) -> None:
    """Its approval is sealed anew with the other seat; its mark is not."""
    changed("seat", "3", "full_house")
    for found in found_by_all():
        assert [line for line in found if "what was marked as slip 2: expected a request of" in line]


OLDER = """
UPDATE jackpot_entry e
   SET request = sha256(concat('{"act":"mark","by":"', w.marked_by, '","why":"","win":', w.id, '}')::bytea)
  FROM jackpot_win w WHERE w.id = e.win_id AND e.kind = 'mark' AND w.round_number =
"""


def test_books_from_before_say_of_a_mark_who_and_not_where(books: None) -> None:
    damage(f"{OLDER} 1")
    assert nothing_disagrees()
    damage(f"{OLDER} 2")
    assert nothing_disagrees()
    changed("marked_by", "'Nobody'")
    assert all("what was marked as slip 3: expected a request of" in " ".join(found) for found in found_by_all())


def test_a_later_mark_does_not_say_less_than_one_before_it(books: None) -> None:
    damage(f"{OLDER} 2")
    for found in found_by_all():
        assert len([line for line in found if "what was marked as" in line]) == 2


def test_every_column_of_a_win_is_told_or_has_its_reason(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT column_name FROM information_schema.columns WHERE table_name = 'jackpot_win'")
        columns = {name for (name,) in cursor.fetchall()}
    assert columns == BY_ALL.keys() | BY_THE_BOOKS.keys() | NOBODY_KNOWS.keys() | FIXED


@pytest.mark.parametrize("column", ["asked_by", "cards_checked", "place"])
def test_what_nobody_knows_is_named_by_nobody(books: None, column: str) -> None:
    """The day that somebody knows it, the list above is too long."""
    changed(column, {"asked_by": "'Nobody'", "cards_checked": "NOT cards_checked", "place": "7"}[column])
    assert nothing_disagrees()
