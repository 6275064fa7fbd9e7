"""The checklist of a table: who looked, with which photo, and the table that stays closed until all is in order."""

from __future__ import annotations

import hashlib

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.models import Trail
from tables.floor.actions.checklist import PostedLimits, look_at, standing_of_table
from tables.floor.actions.state import set_table_state
from tables.floor.models.check import TableCheck
from tables.floor.models.table import Table, TableState
from tables.floor.queries.offers import marks_needed
from tables.floor.rules.checklist import CheckStatus, Item
from tests.builders import a_jackpot, a_person, a_property, a_table, marks_at
from tests.photos import a_photo

pytestmark = pytest.mark.django_db
PHOTO = a_photo()
LIMITS = PostedLimits(5, 100)


@pytest.fixture
def table() -> Table:
    return a_table("UTH-01", a_jackpot("GRAND", premises=a_property(checklist_opens=True)))


@pytest.fixture
def person() -> Operator:
    return a_person("tech", may=("see", "service"))


def all_in_order(table: Table, by: Operator) -> None:
    for item in Item:
        marks = marks_at(table, item)
        look_at(table=table, item=item, in_order=True, by=by, photo=PHOTO, posted=LIMITS, marks=marks)


def opens(table: Table) -> None:
    set_table_state(table=table, state=TableState.OPEN, by="Test Supervisor", why="relief")


def test_a_new_table_of_such_a_house_is_closed_and_stays_so(table: Table) -> None:
    assert table.state == TableState.CLOSED
    with pytest.raises(
        NotAllowedNow, match=r"UTH-01 stays closed: its checklist lacks the layout \(not looked at yet\)"
    ):
        opens(table)
    assert Table.objects.get().state == TableState.CLOSED


def test_it_opens_when_all_is_in_order(table: Table, person: Operator) -> None:
    all_in_order(table, person)
    opens(table)
    assert Table.objects.get().state == TableState.OPEN


def test_one_point_found_wrong_keeps_it_closed_until_somebody_looks_again(table: Table, person: Operator) -> None:
    all_in_order(table, person)
    look_at(table=table, item=Item.PLACARD, in_order=False, by=person, note="torn")
    with pytest.raises(NotAllowedNow, match=r"lacks the placard \(found not in order\)"):
        opens(table)
    look_at(table=table, item=Item.PLACARD, in_order=True, by=person, photo=PHOTO, marks=["most_games"])
    opens(table)


def test_other_terms_make_the_rule_card_old(table: Table, person: Operator) -> None:
    all_in_order(table, person)
    mini = a_jackpot("MINI", rate="10", pay_table={"code": "m", "lines": [_MINI]}, premises=table.premises)
    table.links.create(jackpot=mini, level=2)
    assert standing_of_table(table)[Item.RULE_CARD] is CheckStatus.OUT_OF_DATE
    with pytest.raises(NotAllowedNow, match="before the table or its terms were altered"):
        opens(table)


_MINI = {"code": "flush", "name": "Flush", "part": "1", "source": "meter"}


def test_closing_and_holding_ask_for_nothing(table: Table) -> None:
    for state in (TableState.HELD, TableState.CLOSED):
        set_table_state(table=table, state=state, by="Test Supervisor", why="x")


def test_without_the_policy_a_table_opens_as_ever() -> None:
    free = a_table("UTH-02", a_jackpot("GRAND"))
    assert free.state == TableState.OPEN
    set_table_state(table=free, state=TableState.CLOSED, by="tests", why="x")
    opens(free)


def test_a_look_names_person_day_terms_and_photo(table: Table, person: Operator) -> None:
    marks = marks_at(table, Item.LAYOUT)
    words = {"photo": PHOTO, "note": "new felt", "marks": marks}
    check = look_at(table=table, item=Item.LAYOUT, in_order=True, by=person, **words)
    assert (check.by, check.photo_sha256) == (person, hashlib.sha256(bytes(check.photo or b"")).hexdigest())
    assert check.gaming_day == table.premises.gaming_day(check.at)
    line = Trail.objects.get(act="look_at_layout")
    assert (line.actor, line.subject, line.why) == (str(person), "UTH-01", "new felt")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"in_order": True}, "Take a photo of the layout"),
        ({"in_order": False}, "Say what is wrong with the layout"),
        ({"in_order": True, "photo": b"%PDF"}, "no photo that we know"),
    ],
)
def test_a_look_without_its_proof_is_refused(table: Table, person: Operator, words: dict, sentence: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(NotUnderstood, match=sentence):
        look_at(table=table, item=Item.LAYOUT, by=person, **words)
    assert not TableCheck.objects.exists()


@pytest.mark.parametrize(
    ("posted", "sentence"),
    [
        (None, "Type the posted minimum and maximum"),
        (PostedLimits(100, 5), "minimum \\$100 is above the posted maximum \\$5"),
        (PostedLimits(5, 20_000, "001", 1), r"A posted maximum of \$20,000 is outside \$100 to \$10,000 \(001:195\)"),
        (PostedLimits(5, 400, "003", 1), "outside"),
        (PostedLimits(5, 100, "009", 1), "no collection rule set 009"),
        (PostedLimits(5, 100, "001", 99), "options 1 to 24, not 99"),
    ],
)
def test_posted_limits_obey_their_dated_rule_sheet(
    table: Table, person: Operator, posted: PostedLimits | None, sentence: str
) -> None:
    with pytest.raises(NotUnderstood, match=sentence):
        look_at(table=table, item=Item.LIMITS, in_order=True, by=person, photo=PHOTO, posted=posted)


def test_limits_inside_their_sheet_are_kept_with_it(table: Table, person: Operator) -> None:
    posted = PostedLimits(5, 500, "001", 1)
    check = look_at(table=table, item=Item.LIMITS, in_order=True, by=person, photo=PHOTO, posted=posted)
    assert (check.posted_minimum, check.posted_maximum, check.rule_sheet) == (5, 500, "001/1")


def test_the_database_keeps_every_look_and_its_very_photo(table: Table, person: Operator) -> None:
    marks = marks_at(table, Item.LAYOUT)
    check = look_at(table=table, item=Item.LAYOUT, in_order=True, by=person, photo=PHOTO, marks=marks)
    for act in (TableCheck.objects.filter(pk=check.pk).delete, lambda: TableCheck.objects.update(note="x")):
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            act()
    check.pk, check.photo = None, b"another"
    with pytest.raises(IntegrityError, match="check_digest_is_of_its_photo"), transaction.atomic():
        check.save(force_insert=True)


def test_every_wagering_area_and_inscription_of_the_table_is_ticked_by_itself(person: Operator) -> None:
    games = ("blind/UTH-04", "trips/UTH-04", "bad_beat/BBB-CA")
    banked = a_table("PD-01", bank="player_dealer", seats=6, games=games)
    asked = marks_at(banked, Item.LAYOUT)
    assert asked == [
        "area_ante", "area_blind", "area_trips", "area_bad_beat", "area_play", "odds_trips", "odds_blind",
        "player_dealer_pair", "drop_box",
    ]  # fmt: skip
    assert marks_at(banked, Item.PLACARD) == ["pays_bad_beat", "most_games"], "it is paid by what is posted"
    with pytest.raises(NotUnderstood) as why:
        look_at(table=banked, item=Item.LAYOUT, in_order=True, by=person, photo=PHOTO, marks=asked[:7])
    assert str(why.value) == (
        "Not ticked at the layout of PD-01: “Player-Dealer only plays with a pair or higher” (001:50; 003:41–42). "
        "Look for it, or say that it is not in order."
    )
    look_at(table=banked, item=Item.LAYOUT, in_order=False, by=person, note="no drop box", marks=asked[:8])
    look_at(table=banked, item=Item.LAYOUT, in_order=True, by=person, photo=PHOTO, marks=asked)
    assert standing_of_table(banked)[Item.LAYOUT] is CheckStatus.DONE


def test_another_game_at_the_table_makes_the_look_at_its_layout_old(table: Table, person: Operator) -> None:
    assert marks_at(table, Item.LAYOUT) == ["area_ante", "area_blind", "area_play", "area_progressive", "odds_blind"]
    all_in_order(table, person)
    Table.objects.update(games=["trips/UTH-02"])
    table.refresh_from_db()
    standing = standing_of_table(table)
    assert (standing[Item.LAYOUT], standing[Item.PLACARD]) == (CheckStatus.OUT_OF_DATE, CheckStatus.DONE)


def test_the_placard_says_the_house_s_own_maximum(table: Table) -> None:
    (mark,) = marks_needed(table)[Item.PLACARD]
    assert mark.words.endswith("a maximum of 4 games")
