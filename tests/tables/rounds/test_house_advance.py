"""A meter that an award left dry, played at tables: begun anew, repaid coin-in by coin-in, undone, and proven."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from jackpot.adjusting.actions.back_out import back_out, differences
from jackpot.books.models.entry import Entry
from jackpot.books.queries import chosen
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.hits.actions import key
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.queries.prove import prove
from tables.rounds.queries.prove_file import prove_file
from tables.rounds.rules.round import EndRequest
from tables.signs.queries import standings
from tests.builders import a_pay_table, a_person
from tests.deep import edges
from tests.hands import with_cards
from tests.scenes_configure import approved
from tests.stranger import exported, said_by_a_stranger
from tests.tables.hits.test_hit import Floor, amounts, fixed_by_key, key_floor

pytestmark = pytest.mark.django_db

RESTART = {"policy": {"dry_meter": "restart"}, "repay_rate": "50"}


def a_floor(tables: int = 2, meter: str = "2999.30", **more: Any) -> Floor:
    told = {"pay_table": a_pay_table(source="meter"), "seed": "1000.00", **RESTART, **more}
    return Floor(tables, meter=meter, **told)


def community(floor: Floor, table: int = 0, seats: str = "1") -> list[tuple[int, str]]:
    """The board brings 3,000.00 to each of these seats."""
    floor.coin_in(seats, table)
    for seat in seats:
        floor.mark(int(seat), "royal_community", table)
    floor.confirm(table)
    paid = amounts(floor.card(table=table))
    floor.say(EndRequest(floor.rounds[table]), table)
    return paid


def advance(floor: Floor) -> str:
    floor.casino.jackpot.refresh_from_db()
    return str(floor.casino.jackpot.advance_money)


def house(floor: Floor) -> str:
    floor.casino.jackpot.refresh_from_db()
    return str(Money(floor.casino.jackpot.balances.house))


def undone(win: Win) -> Win:
    return back_out(
        win_id=win.pk, reason="misdeal", evidence="camera 4", differences_seen=True,
        requested_by=a_person("asks"), approved_by=a_person("agrees"),
    )  # fmt: skip


def proves(folder: Path) -> None:
    """By the program, from its file, and by the stranger's verifier."""
    assert prove().findings.listed == []
    path = exported(folder)
    assert prove_file(path).findings.listed == []
    assert "Nothing disagrees" in said_by_a_stranger(path)


@pytest.mark.parametrize(("told", "meter", "owed"), [
    ({"policy": {}, "repay_rate": None}, "7.00", "0.00"), (RESTART, "1003.50", "996.50"),
])  # fmt: skip
def test_a_dry_meter_stays_or_begins_anew_and_later_coin_ins_repay_half_of_what_they_add(
    told: dict[str, Any], meter: str, owed: str, tmp_path: Path
) -> None:
    floor = a_floor(**told)
    assert community(floor) == [(1, "3000.00")]
    floor.coin_ins(10)
    assert (floor.stands()[0], advance(floor)) == (meter, owed)
    proves(tmp_path)


def test_the_last_repayment_is_cut_to_what_is_owed_and_then_all_of_a_chip_goes_to_the_meter(tmp_path: Path) -> None:
    floor = a_floor(seed="2.00")
    community(floor)
    floor.coin_ins(15)
    assert (floor.stands()[0], advance(floor), house(floor)) == ("10.50", "0.00", "0.00")
    repaid = [str(Money(entry.movement.house)) for entry in Entry.objects.filter(kind="repay").order_by("seq")]
    assert repaid == ["1.75", "0.25"]
    proves(tmp_path)


def test_a_second_dry_meter_adds_its_advance_to_what_is_still_owed(tmp_path: Path) -> None:
    floor = a_floor()
    community(floor)
    floor.coin_ins(10)
    assert community(floor) == [(1, "3000.00")]
    assert (floor.stands()[0], advance(floor)) == ("1000.00", "1996.15")
    proves(tmp_path)


def test_a_voided_coin_in_that_repaid_owes_again_to_the_last_unit(tmp_path: Path) -> None:
    floor = a_floor()
    community(floor)
    before = floor.stands(), advance(floor), house(floor)
    floor.coin_ins(5)
    assert advance(floor) == "998.25"
    void_round(table_code="UTH-02", round_number=1, reason="misdeal", by="Test Supervisor")
    assert (floor.stands(), advance(floor), house(floor)) == before
    proves(tmp_path)


def test_a_recount_repays_for_the_seats_that_were_there(tmp_path: Path) -> None:
    floor = a_floor()
    community(floor)
    floor.coin_in("12345", 1)
    recount_round(table_code="UTH-02", round_number=1, seats="12", spots="", by="Test Supervisor")
    assert (floor.stands()[0], advance(floor)) == ("1000.70", "999.30")
    proves(tmp_path)


@pytest.mark.parametrize("paid", [False, True])
def test_a_back_out_leaves_everything_as_if_the_award_had_not_been(paid: bool, tmp_path: Path) -> None:
    floor = a_floor()
    community(floor)
    floor.coin_ins(10)
    win = Win.objects.get()
    if paid:
        redeem(slip=win.slip or 0, payer=a_person("cage"))
    undone(win)
    in_error = "-3000.00" if paid else "0.00"
    assert (floor.stands(), advance(floor), house(floor)) == (("3007.00", "0.55"), "0.00", in_error)
    floor.coin_ins(10)
    assert floor.stands()[0] == "3014.00", "nothing is repaid any more"
    proves(tmp_path)


def test_the_back_out_of_one_of_two_advances_takes_back_that_one_as_far_as_it_is_owed(tmp_path: Path) -> None:
    floor = a_floor()
    community(floor)
    community(floor)
    assert advance(floor) == "1999.65"
    undone(Win.objects.order_by("id").first() or Win())
    assert (advance(floor), floor.stands()[0]) == ("999.65", "3000.00")
    proves(tmp_path)


def test_a_coin_in_voided_after_the_back_out_leaves_what_it_repaid_owed(tmp_path: Path) -> None:
    floor = a_floor()
    community(floor)
    floor.coin_ins(5)
    undone(Win.objects.get())
    assert (floor.stands()[0], advance(floor), house(floor)) == ("3003.50", "0.00", "0.00")
    void_round(table_code="UTH-02", round_number=1, reason="misdeal", by="Test Supervisor")
    assert (floor.stands()[0], advance(floor), house(floor)) == ("3001.75", "1.75", "-1.75")
    floor.coin_ins(10)
    assert (floor.stands()[0], advance(floor), house(floor)) == ("3007.00", "0.00", "0.00")
    proves(tmp_path)


@pytest.mark.parametrize("seed", edges(range(4), lambda seed: seed == 0))
@pytest.mark.parametrize("policy", [
    {}, {"overflow": "revenue"}, {"row": "never_less", "order": "clockwise"},
    {"order": "equal_shares", "row": "never_less"},
])  # fmt: skip
def test_an_evening_of_everything_proves_to_the_last_unit(seed: int, policy: dict[str, str], tmp_path: Path) -> None:
    """Coin-ins, hits of every row, voids, recounts, back-outs in any order; the house alone may stand below zero."""
    chance = random.Random(f"{seed} {sorted(policy.items())}")
    told = {"policy": {"dry_meter": "restart", **policy}, "limit": chance.choice([None, "5200.00"]), "meter": "3100.00"}
    floor = a_floor(**{**told, "reserve": "40.00", "repay_rate": chance.choice(["1", "33", "100"])})
    asks, agrees = a_person("asks"), a_person("agrees")
    for _ in range(14):
        an_act(floor, chance, asks, agrees)
        stands = floor.casino.jackpot
        stands.refresh_from_db()
        assert stands.advance >= 0
        assert (stands.advance == 0) or stands.house < 0 or policy.get("overflow") == "revenue"
    proves(tmp_path)


def an_act(floor: Floor, chance: random.Random, asks: Operator, agrees: Operator) -> None:
    match chance.choice(
        ["coin_ins", "community", "community", "royal", "royal_first_7", "void", "recount", "back_out"]
    ):
        case "coin_ins":
            floor.coin_ins(5 * chance.randint(1, 3))
        case "community":
            community(floor, seats=chance.choice(["1", "37", "1234567"]))
        case "void" if floor.rounds[1]:
            number = chance.randint(1, floor.rounds[1])
            void_round(table_code="UTH-02", round_number=number, reason="misdeal", by="Test Supervisor")
        case "recount":
            floor.coin_in("12345", 1)
            recount_round(
                table_code="UTH-02", round_number=floor.rounds[1], seats=chance.choice(["", "2", "1234567"]), spots="",
                by="Test Supervisor",
            )  # fmt: skip
            floor.say(EndRequest(floor.rounds[1]), 1)
        case "back_out":
            win = chance.choice([None, *Win.objects.filter(state="owed").order_by("id")])
            if win is not None:
                back_out(
                    win_id=win.pk, reason="misdeal", evidence="camera 4", requested_by=asks, approved_by=agrees,
                    differences_seen=True,
                )  # fmt: skip
        case "royal" | "royal_first_7" as line:
            floor.coin_in("2")
            floor.mark(2, "royal_first_5" if line == "royal" else line)
            floor.confirm()
            floor.card()
            floor.say(EndRequest(floor.rounds[0]))


def test_a_reset_leaves_the_advance_owed_and_posts_its_own_seed(tmp_path: Path) -> None:
    floor = a_floor()
    community(floor)
    floor.coin_in("2")
    floor.mark(2, "royal_first_5")
    floor.confirm()
    assert amounts(floor.card()) == [(2, "1000.35")]
    assert (floor.stands()[0], advance(floor)) == ("1000.10", "999.65")
    proves(tmp_path)


def test_the_back_out_says_what_a_later_part_would_have_been_of_a_meter_never_emptied_nor_repaid() -> None:
    floor = a_floor()
    community(floor)
    floor.coin_in("2")
    floor.mark(2, "royal_first_7")
    floor.confirm()
    assert amounts(floor.card()) == [(2, "50.02")], "5 % of 1,000.35"
    (difference,) = differences(Win.objects.get(line="royal_community"))
    assert (str(difference.would_be), str(difference.owed)) == ("150.04", "100.02"), "5 % of 3,000.70"


def test_with_the_key_the_meter_begins_anew_at_run_and_not_at_j_pot(tmp_path: Path) -> None:
    floor = key_floor(pay_table=a_pay_table(source="meter"), seed="1000.00", **RESTART)
    floor.coin_in("1234567")
    for seat in range(1, 8):
        floor.mark(seat, "royal_community")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards(**floor.place(0))
    fixed_by_key(floor)
    assert (floor.stands()[0], advance(floor)) == ("20004.20", "0.00")
    key.turn(table_code="UTH-01", key_number="17", position="RUN")
    assert (floor.stands()[0], advance(floor)) == ("1000.00", "1000.00")
    proves(tmp_path)


def test_the_page_of_the_award_names_the_advance_and_its_meter_after() -> None:
    floor = a_floor()
    community(floor)
    record = Win.objects.get().record
    assert record.meter is not None
    figures = (record.drawn.advance, record.meter.before, record.meter.after)
    assert [str(amount) for amount in figures] == ["1000.00", "3000.00", "1000.00"]


def test_signs_say_what_a_further_top_hit_would_be_worth_with_the_advance() -> None:
    floor = a_floor()
    floor.coin_in("1")
    floor.mark(1, "royal_community")
    floor.confirm()
    row = floor.casino.jackpot
    assert str(standings([row.pk])[row.pk].promised) == "1000.00"


def test_terms_that_let_a_dry_meter_stay_repay_nothing_and_what_is_owed_stands(tmp_path: Path) -> None:
    floor = a_floor(1)
    community(floor)
    approved(floor.casino.jackpot, policy={"dry_meter": "stay"}, repay_rate=None)
    floor.coin_in("2")
    floor.mark(2, "royal_first_5")
    floor.confirm()
    floor.card()
    floor.say(EndRequest(floor.rounds[0]))
    floor.coin_in("2")
    assert (floor.stands()[0], advance(floor)) == ("1000.80", "999.65")
    proves(tmp_path)


def test_a_repayment_is_no_fall_of_the_meter_for_signs_and_readers() -> None:
    floor = a_floor()
    community(floor)
    floor.coin_ins(10)
    row = floor.casino.jackpot
    assert [entry.kind for entry in chosen(row, {"falls": True})] == ["award"]
    standing = standings([row.pk])[row.pk]
    assert (standing.falls, standing.reason) == (1, "won")


def test_near_its_limit_a_meter_repays_only_what_it_got_and_the_books_prove(tmp_path: Path) -> None:
    floor = a_floor(limit="1001.00")
    community(floor)
    floor.coin_ins(10)
    assert (floor.stands()[0], advance(floor)) == ("1000.00", "998.00")
    proves(tmp_path)
