"""Par sheets over the API: figures, switches, seal and signature; own tables; hands; actual against expected."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.utils import IntegrityError
from django.test import Client

from jackpot.trail.models import Trail
from tables.calculation.desk import desk
from tables.floor.models.own_pay_table import OwnPayTable
from tables.games.packs import seal
from tables.par.actions import own_tables
from tables.par.actions.own_tables import own_table_of
from tables.par.actions.par_sheets import SheetQuestion, find_sheet
from tests.builders import a_casino, a_jackpot, a_pay_table, a_person, a_property, a_table
from tests.jackpot.books.api_scene import play, signed_in
from tests.patience import PATIENCE, until
from tests.scenes_wins import WinFloor, backed_out
from tests.tables.games.sheet_scene import GAME, LINES, long_counts_are_known, typed

pytestmark = pytest.mark.django_db
SHEETS = "/api/v1/games/uth/par-sheets/"
OWN = "/api/v1/games/uth/own-tables/"


@pytest.fixture
def reader(settings: Any, db: None) -> Iterator[Client]:
    long_counts_are_known(settings.DATA_DIR)
    a_property()
    yield signed_in("see", "read_books")
    desk().close()


@pytest.fixture
def writer(reader: Client) -> Client:
    return signed_in("see", "configure", username="writer")


def answered(client: Client, address: str, status: int = 200) -> Any:
    """Asks again while it is counted, as a program does."""

    def counted() -> Any:
        answer = client.get(address)
        told = answer.json()
        if answer.status_code == 202:
            assert (told["ready"], told["percent"] < 100) == (False, True)
            return None
        assert answer.status_code == status, answer.content
        return told

    return until(counted, "counted")


def posted(client: Client, address: str, body: Any, status: int = 200) -> Any:
    answer = client.post(address, json.dumps(body), content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


@pytest.mark.parametrize(
    ("address", "edge"),
    [
        ("blind/UTH-01/", Fraction(50_643_648_973, 2_317_817_502_000)),
        ("pairs/PT2/", Fraction(13_873, 162_435)),
        ("pairs/PT3/", Fraction(10, 221)),
    ],
)
def test_a_sheet_has_the_exact_edge_and_rows_that_are_all_deals(reader: Client, address: str, edge: Fraction) -> None:
    told = answered(reader, SHEETS + address)
    sheet = told["sheet"]
    assert Fraction(sheet["house_edge"]) == edge
    counted = sum(int(row["combinations"]) for row in sheet["rows"]) + int(sheet["lost"])
    assert counted == int(sheet["combinations"])
    assert sum(Fraction(row["returns"]) for row in sheet["rows"]) == Fraction(sheet["player_return"]) == 1 - edge
    assert [band["within"] for band in told["bands"]] == [90, 95, 99]


def test_what_is_sealed_can_be_sealed_again_by_anybody_and_only_here_is_it_signed(reader: Client) -> None:
    told = answered(reader, SHEETS + "pairs/PT3/")
    assert seal(told["sheet"]) == told["digest"]
    asked = f"/api/v1/par-sheets/verify?digest={told['digest']}&signature="
    assert answered(reader, asked + told["signature"])["genuine"] is True
    assert answered(reader, asked + "0" * 64)["genuine"] is False
    other = told["digest"].replace(told["digest"][0], "e" if told["digest"][0] != "e" else "f")
    wrong = f"/api/v1/par-sheets/verify?digest={other}&signature={told['signature']}"
    assert "not signed" in answered(reader, wrong)["why"]


def test_the_bands_follow_the_number_of_coin_ins_and_the_seal_does_not(reader: Client) -> None:
    few, many = (answered(reader, f"{SHEETS}pairs/PT3/?coin_ins={n}") for n in (1_000, 1_000_000))
    width = [float(each["bands"][0]["most_percent"]) - float(each["bands"][0]["least_percent"]) for each in (few, many)]
    assert few["digest"] == many["digest"]
    assert 31 < width[0] / width[1] < 32.2


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("pairs/PT3/?coin_ins=0", "coin_ins"),
        ("pairs/PT3/?coin_ins=1e5", "coin_ins"),
        ("pairs/PT3/?fold=maybe", "fold"),
        ("pairs/PT3/?colour=red", "There is no filter “colour” here"),
        ("pairs/PT3/?fold=dead", "A fold takes no pairs wager with it."),
        ("progressive/PT01/?meter=-5", "is no meter to look at"),
        ("progressive/PT01/?meter=1e9", "“1e9” is no meter to look at"),
        ("progressive/PT01/?meter=٣", "is no meter to look at"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(reader: Client, address: str, sentence: str) -> None:
    assert sentence in answered(reader, SHEETS + address, 400)["why"]


def test_an_unknown_table_is_not_found(reader: Client) -> None:
    assert "it has PT1" in answered(reader, SHEETS + "pairs/PT99/", 404)["why"]
    assert answered(reader, SHEETS)["results"][0]["state"] == "published"


def test_who_may_not_read_the_books_sees_no_sheet(reader: Client) -> None:
    assert signed_in("see", username="stranger").get(SHEETS + "pairs/PT3/").status_code == 403


def test_an_own_table_is_written_looked_at_released_and_stays(writer: Client) -> None:
    told = posted(writer, OWN, typed("pairs"))["table"]
    assert (told["state"], told["findings"]) == ("draft", [])
    sheet = answered(writer, SHEETS + "pairs/HOUSE-01/")
    assert sheet["sheet"]["pay_table_digest"] == told["digest"]
    looked_at = {"sheet_digest": sheet["digest"]}
    unseen = posted(writer, f"{OWN}pairs/HOUSE-01/release/", {"sheet_digest": "0" * 64}, 409)
    assert "not the digest of the sheet of HOUSE-01" in unseen["why"]
    released = posted(writer, f"{OWN}pairs/HOUSE-01/release/", looked_at)["table"]
    assert (released["state"], released["sheet_digest"]) == ("ready", sheet["digest"])
    again = posted(writer, OWN, typed("pairs", title="Another"), 409)
    assert "is ready and stays as it is" in again["why"]
    with pytest.raises(IntegrityError, match="was looked at and stays"), transaction.atomic():
        OwnPayTable.objects.update(lines="[]")
    with pytest.raises(IntegrityError), transaction.atomic():
        OwnPayTable.objects.all().delete()
    assert list(Trail.objects.filter(subject="uth/pairs/HOUSE-01").values_list("act", flat=True)) == [
        "release_pay_table",
        "write_pay_table",
    ]
    gone = posted(writer, f"{OWN}pairs/HOUSE-01/withdraw/", {"reason": "Not needed"})
    assert gone["table"]["state"] == "withdrawn"


def test_a_draft_is_written_over_and_its_sheet_is_the_new_one(writer: Client) -> None:
    first = posted(writer, OWN, typed("pairs"))["table"]["digest"]
    changed = [("red_aces", "Red aces", "50 to 1"), *LINES["pairs"][1:]]
    second = posted(writer, OWN, typed("pairs", changed))["table"]["digest"]
    assert first != second
    assert answered(writer, SHEETS + "pairs/HOUSE-01/")["sheet"]["pay_table_digest"] == second
    assert OwnPayTable.objects.count() == 1


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([("aces", "Aces", "30 to 1"), ("red_aces", "Red aces", "100 to 1")], "never_reached"),
        ([("red_aces", "Red", "50 to 1"), ("aces_against_aces", "Both", "99 to 1")], "crossing"),
    ],
)
def test_a_wrong_order_is_never_kept(writer: Client, lines: Any, code: str) -> None:
    told = posted(writer, OWN, typed("pairs", lines), 400)
    assert told["code"] == code
    assert not OwnPayTable.objects.exists()


def test_a_sheet_of_other_lines_releases_nothing(writer: Client) -> None:
    person = a_person("second", may=("see", "configure"))
    row = own_tables.write(game=GAME, plain=typed("pairs"), by=person)
    old = find_sheet(SheetQuestion(GAME, own_tables.value_of(row), own=True), wait=PATIENCE).sheet
    own_tables.write(game=GAME, plain=typed("pairs", LINES["pairs"][:2]), by=person)
    assert old is not None
    with pytest.raises(Exception, match="was written over meanwhile"):
        own_tables.release(row=row, sheet=old, looked_at=old.digest, by=person)


def test_a_reader_writes_nothing(reader: Client) -> None:
    assert posted(reader, OWN, typed("pairs"), 403)["ok"] is False
    assert answered(reader, OWN)["results"] == []


def test_another_house_sees_no_own_table_of_this_one(writer: Client) -> None:
    posted(writer, OWN, typed("pairs"))
    other = signed_in("see", "configure", username="elsewhere", premises=a_property("OTHER"))
    assert answered(other, SHEETS + "pairs/HOUSE-01/", 404)["ok"] is False
    assert posted(other, f"{OWN}pairs/HOUSE-01/release/", {"sheet_digest": "0" * 64}, 404)["ok"] is False


def test_an_own_progressive_is_chosen_only_when_it_was_looked_at(writer: Client) -> None:
    grand = a_jackpot("GRAND")
    a_table("UTH-01", grand)
    posted(writer, OWN, typed("progressive"))
    wish = {"changes": {"pay_table": {"game": "uth", "code": "HOUSE-01", "fixed_from": "tray"}}, "reason": "ours"}
    refused = posted(writer, "/api/v1/jackpots/GRAND/versions/", wish, 409)
    assert "is a draft and cannot be chosen. Look at its par sheet" in refused["why"]
    seen = answered(writer, SHEETS + "progressive/HOUSE-01/")["digest"]
    posted(writer, f"{OWN}progressive/HOUSE-01/release/", {"sheet_digest": seen})
    assert "HOUSE-01" in writer.get("/office/config/GRAND/draft/").content.decode()
    change = posted(writer, "/api/v1/jackpots/GRAND/versions/", wish, 201)["change"]
    assert [line["name"] for line in change["terms"]["pay_table"]["lines"]] == ["Royal on the flop", "Full house"]


def test_stated_lines_in_a_wrong_order_are_refused_for_a_jackpot_too(writer: Client) -> None:
    a_jackpot("GRAND")
    lines = [
        {"code": "royal_first_7", "name": "Seven", "part": "1/20"},
        {"code": "royal_first_5", "name": "Five", "part": "1"},
    ]
    wish = {"changes": {"pay_table": {"code": "ODD", "lines": lines}}, "reason": "wrong"}
    told = posted(writer, "/api/v1/jackpots/GRAND/versions/", wish, 400)
    assert "“Five” is never reached: “Seven”, which stands above it" in told["why"]


def test_the_sheet_of_a_jackpot_is_of_its_own_terms(reader: Client) -> None:
    grand = a_jackpot("GRAND")
    sheet = answered(reader, "/api/v1/jackpots/GRAND/par-sheet/")["sheet"]
    assert grand.version is not None
    assert sheet["rules"]["terms_digest"] == grand.version.digest
    assert sheet["rules"]["meter"] == "10000.00"
    assert Fraction(sheet["rows"][0]["returns"]) == Fraction(10_000, 649_740)
    higher = answered(reader, "/api/v1/jackpots/GRAND/par-sheet/?meter=20000")["sheet"]
    assert Fraction(higher["rows"][0]["returns"]) == 2 * Fraction(10_000, 649_740)
    assert any("In the long run the house keeps" in note for note in sheet["notes"])


def test_hits_and_coin_ins_are_those_of_the_books(reader: Client) -> None:
    casino = a_casino(tables=2, meter="20000.00")
    first, second = casino.controllers
    for number in range(1, 30):
        play(first, number, "1234567"[: number % 7 + 1])
        play(second, number, "12")
    from tables.hits.actions.undo import void_round

    void_round(table_code="UTH-01", round_number=3, reason="Misdeal", by="supervisor")
    told = answered(reader, "/api/v1/jackpots/GRAND/actual/")
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(length(seats)) FROM tables_round WHERE state <> 'void'")
        counted = cursor.fetchone()[0]
    assert told["coin_ins"] == counted
    full = next(line for line in told["lines"] if line["line"] == "full_house")
    assert Fraction(full["chance"]) == Fraction(726, 27_965)
    assert (full["coin_ins"], full["hits"]) == (counted, 0)
    assert Fraction(full["expected"]) == round(counted * Fraction(726, 27_965), 2)
    assert next(line for line in told["lines"] if line["line"] == "royal_first_5")["few"] is True


def test_a_hit_that_was_backed_out_is_no_hit(reader: Client) -> None:
    floor = WinFloor(pay_table=a_pay_table())
    for _ in range(3):
        (last,) = floor.won({2: "full_house"}, seats="1234")
    backed_out(last)
    full = next(
        line for line in answered(reader, "/api/v1/jackpots/GRAND/actual/")["lines"] if line["line"] == "full_house"
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM jackpot_win WHERE line = 'full_house' AND state IN ('owed', 'paid')")
        assert full["hits"] == cursor.fetchone()[0] == 2
    assert full["coin_ins"] == 12
    assert full["band_99"] == [0, 2]


def test_a_jackpot_without_a_coin_in_expects_nothing(reader: Client) -> None:
    a_jackpot("GRAND")
    told = answered(reader, "/api/v1/jackpots/GRAND/actual/")
    assert (told["coin_ins"], told["lines"]) == (0, [])


@pytest.mark.parametrize(("of", "edge"), [("rate", "20"), ("rate", "12.5"), ("reserve_rate", "1"), ("seed", "17")])
def test_which_rate_is_solved_exactly(reader: Client, of: str, edge: str) -> None:
    a_jackpot("GRAND", pay_table=a_pay_table(source="meter"))
    told = answered(reader, f"/api/v1/jackpots/GRAND/which?of={of}&house_edge={edge}")
    exact = Fraction(told["exact"])
    fixed = {"rate": Fraction(7, 10), "reserve_rate": Fraction(1, 20), "seed": Fraction(10_000)} | {of: exact}
    # All from the meter: what the house keeps is what goes neither to the meter nor to the reserve, less the seeds.
    kept = 1 - fixed["rate"] - fixed["reserve_rate"] - fixed["seed"] / 649_740
    assert kept == Fraction(edge) / 100
    assert Fraction(told["house_edge"]) >= kept


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("house_edge=99", "No rate to the meter gives that house edge. It lies between"),
        ("house_edge=lots", "“lots” is no house edge."),
        ("house_edge=1e1", "“1e1” is no house edge."),
        ("of=seed&house_edge=99", "No seed gives that house edge."),
        ("of=luck&house_edge=1", "of"),
    ],
)
def test_what_no_rate_gives_is_a_sentence(reader: Client, asked: str, sentence: str) -> None:
    a_jackpot("GRAND", pay_table=a_pay_table(source="meter"))
    assert sentence in answered(reader, f"/api/v1/jackpots/GRAND/which?{asked}", 400)["why"]


def test_the_starting_hands_are_169_and_aces_raise(reader: Client) -> None:
    hands = {hand["name"]: hand for hand in answered(reader, "/api/v1/games/uth/hands/")["hands"]}
    assert (len(hands), sum(hand["hands"] for hand in hands.values())) == (169, 1_326)
    assert (hands["AA"]["best"], hands["72o"]["best"], hands["33"]["best"], hands["22"]["best"]) == (
        "4x", "check", "4x", "check",
    )  # fmt: skip


def test_a_decision_says_what_each_is_worth(reader: Client) -> None:
    flop = answered(reader, "/api/v1/games/uth/decision?hole=Ah 3c&board=2h 8h Kh")
    assert (flop["best"], flop["deals"]) == ("2x", 1_070_190)
    assert {each["action"]: each["worth"] for each in flop["values"]} == {
        "check": "77699/118910",
        "2x": "170879/178365",
    }
    river = answered(reader, "/api/v1/games/uth/decision?hole=7c 2d&board=Kh 8h Kd 9s 4s")
    assert (river["best"], river["wins"] + river["ties"] + river["losses"]) == ("fold", 990)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("hole=Ah 3c&board=Ah 8h Kd", "The ace of hearts (Ah) is in the hand and in the board."),
        ("hole=Ah&board=2h 8h Kh", "it needs 2"),
        ("hole=Ah 3c&board=2h 8h Kh Qd", "The board has 4 cards."),
        ("hole=Ah 3c&board=2x 8h Kh", "is not a card"),
        ("hole=Ah 3c", "board"),
    ],
)
def test_cards_that_cannot_lie_so_are_refused(reader: Client, asked: str, sentence: str) -> None:
    assert sentence in answered(reader, f"/api/v1/games/uth/decision?{asked}", 400)["why"]


def test_own_tables_are_found_by_house_game_bet_and_code(writer: Client) -> None:
    posted(writer, OWN, typed("pairs"))
    person = a_person("third", may=("see", "configure"))
    assert own_table_of(person, "uth", "pairs", "HOUSE-01").title == "Our own"
