"""Further wagers of a table: in the casino file, on the form and in a list."""

from __future__ import annotations

from datetime import date

import pytest

from accounting.house_file.standing import table_facts
from accounting.house_file.writer import table_content
from accounting.setup_desk.rules.part_fields import FieldKind, HouseHabits, NotAValue, PartField, read_field, written
from accounting.setup_desk.rules.two_people import FEEDS
from jackpot.money import Money
from jackpot.refusals import NotAllowedNow, NotFound
from tables.floor.models.table import Table
from tables.floor.rules.wagers import FurtherWagerFacts
from tables.setup.actions import floor
from tests.tables.wagers_scene import MEGA, TwoWagers, described

HABITS = HouseHabits(digits=2, month_first=True, today=date(2026, 11, 19))
FIELD = PartField("further", "Further wagers", FieldKind.WAGERS)
TWO = "MEGA Mega Royal 5.00: MEGA, MINI-B\nBIG 10.00: BIG"


def test_a_form_holds_one_wager_a_line() -> None:
    read = read_field(FIELD, TWO, HABITS)
    assert read == [
        {"code": "MEGA", "name": "Mega Royal", "wager": "5.00", "jackpots": ["MEGA", "MINI-B"]},
        {"code": "BIG", "name": "", "wager": "10.00", "jackpots": ["BIG"]},
    ]
    assert written(FIELD, read) == TWO
    assert read_field(FIELD, "", HABITS) is None
    assert written(FIELD, None) == ""


@pytest.mark.parametrize("typed", ["MEGA", "MEGA 5.00", "5.00: MEGA", "MEGA five: MEGA"])
def test_what_is_no_wager_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(NotAValue, match=r"such as|MEGA 5\.00: MEGA"):
        read_field(FIELD, typed, HABITS)


@pytest.mark.django_db
class TestSetUp:
    def test_what_stands_is_written_and_read_back(self) -> None:
        TwoWagers()
        table = Table.objects.get()
        assert (table.wagers, table_facts(table).further) == (2, (MEGA,))
        content = table_content(table)
        assert (content["jackpots"], content["wager_name"], content["further"]) == (
            ["GRAND", "MINI"], "Progressive",
            [{"code": "MEGA", "name": "Mega Royal", "wager": "5.00", "jackpots": ["MEGA"]}],
        )  # fmt: skip
        assert [(link.jackpot.code, link.level, link.wager) for link in table.links.select_related("jackpot")] == [
            ("GRAND", 1, 1), ("MINI", 2, 1), ("MEGA", 3, 2),
        ]  # fmt: skip

    def test_a_wager_is_given_up_and_the_same_again_changes_nothing(self) -> None:
        scene = TwoWagers()
        table, feeds = Table.objects.get(), [scene.grand, scene.mini]
        before = list(table.links.values_list("pk", flat=True))
        floor.alter_table(table=table, facts=table_facts(table), jackpots=feeds, by="tests")
        assert list(table.links.values_list("pk", flat=True)) == before
        floor.alter_table(table=table, facts=described(further=(), wager_name=""), jackpots=feeds, by="tests")
        table.refresh_from_db()
        assert (table.wagers, table.further_wagers.count(), table.links.count()) == (1, 0, 2)

    @pytest.mark.parametrize(
        ("further", "why"),
        [
            ((FurtherWagerFacts("MEGA", Money.of("2.00"), ("MEGA",)),), "wager MEGA takes a wager of 2.00, but MEGA"),
            ((FurtherWagerFacts("MEGA", Money.of("5.00"), ()),), "wager MEGA feeds no jackpot"),
            ((FurtherWagerFacts("MEGA", Money.of("1.00"), ("GRAND",)),), "names GRAND twice"),
            ((MEGA, MEGA), "wager MEGA stands twice"),
            ((FurtherWagerFacts("mega", Money.of("5.00"), ("MEGA",)),), "is no code of a wager"),
            ((FurtherWagerFacts("MEGA", Money.of("0.00"), ("MEGA",)),), "is no chip"),
        ],
    )
    def test_wagers_that_would_be_confused_are_refused(
        self, further: tuple[FurtherWagerFacts, ...], why: str
    ) -> None:  # fmt: skip
        scene = TwoWagers()
        with pytest.raises(NotAllowedNow, match=why):
            floor.alter_table(
                table=Table.objects.get(), facts=described(further=further), jackpots=[scene.grand], by="tests"
            )

    def test_a_jackpot_that_is_not_there_is_named(self) -> None:
        scene = TwoWagers()
        stranger = (FurtherWagerFacts("BIG", Money.of("5.00"), ("NOWHERE",)),)
        with pytest.raises(NotFound, match="there is no jackpot NOWHERE"):
            floor.alter_table(
                table=Table.objects.get(), facts=described(further=stranger), jackpots=[scene.grand], by="tests"
            )

    def test_a_further_wager_decides_which_meter_rises_so_two_people_sign_it(self) -> None:
        assert "further" in FEEDS
