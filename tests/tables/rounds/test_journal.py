"""After a restore the journal of a box posts what the books lost, exactly; or two people accept what it cannot."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.refusals import NotAllowedNow, NotUnderstood, Refused
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.kinds import kind_of
from jackpot.trail.models import Trail
from tables.floor.actions.restored import hold_restored
from tables.floor.actions.state import set_table_state
from tables.floor.models.restored import ComparisonState, RestoredTable
from tables.floor.models.table import Table, TableState
from tables.rounds.actions import journal
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import EndRequest
from tables.simulator.journal import BoxJournal
from tests.builders import Casino, a_casino, a_person
from tests.controller import HttpController, secret_for
from tests.indoors import Indoors
from tests.tables.wagers_scene import TwoWagers

pytestmark = pytest.mark.django_db
PLAYED = [[1, 2], [1, 2, 5], [], [3], [1, 2, 3, 4], [7]]


class KeepingBox:
    """A box that played, and keeps what was acknowledged."""

    def __init__(self, door: Indoors, casino: Casino) -> None:
        self.casino = casino
        self.box = HttpController(door, casino.controller, secret_for(casino.controller))
        self.journal = BoxJournal()

    def say(self, do: str, **words: Any) -> dict[str, Any]:
        return self.box.say(id=1, do=do, **words)[1]

    def play(self, *seats: list[int]) -> None:
        for each in seats:
            number = len(self.journal.rounds) + 1
            assert self.say("coin_in", round=number, seats=each)["ok"]
            self.remember(each)
            assert self.say("end", round=number)["ok"]

    def remember(self, *seats: list[int], ends: bool = True) -> None:
        """As acknowledged by books that are lost now."""
        for each in seats:
            number = len(self.journal.rounds) + 1
            self.journal.counted(number, each)
            long_ago = datetime.now(UTC) - timedelta(hours=2) + number * timedelta(minutes=1)
            self.journal.rounds[number]["at"] = long_ago.isoformat()
            if ends:
                self.journal.ended(number)

    def tells(self, first: int = 1, **other: Any) -> dict[str, Any]:
        return self.say("journal", **{**self.journal.words_from(first), **other})

    def hello(self) -> dict[str, Any]:
        return self.say("hello", device=self.casino.controller.code, version="2.0.0")


@pytest.fixture
def box(indoors: Indoors) -> KeepingBox:
    return KeepingBox(indoors, a_casino())


def opens(table: Table) -> None:
    set_table_state(table=Table.objects.get(pk=table.pk), state=TableState.OPEN, by="supervisor")


def meters() -> list[tuple[str, Any]]:
    return list(Jackpot.objects.order_by("code").values_list("code", "meter"))


def test_what_the_books_lost_is_counted_as_if_it_had_never_been_lost(box: KeepingBox, indoors: Indoors) -> None:
    box.play(*PLAYED[:2])
    hold_restored()
    box.remember(*PLAYED[2:])
    assert box.say("coin_in", round=3, seats=[])["code"] == "held"
    assert box.hello()["restored"]["from"] == 1
    answer = box.tells()
    assert (answer["ok"], answer["restored"], answer["posted"]) == (True, "agrees", 4)
    assert list(Round.objects.order_by("number").values_list("seats", "state")) == [
        ("".join(map(str, seats)), RoundState.ENDED) for seats in PLAYED
    ]
    chips = Entry.objects.filter(kind="coin_in").count()
    assert chips == len([seats for seats in PLAYED if seats])
    after, played_at = meters(), list(Round.objects.filter(number__gte=3).values_list("played_at", flat=True))
    assert None not in played_at
    assert prove().holds
    told = Trail.objects.get(act="catch_up").details
    assert (told["posted"], told["to"], told["last_round"]) == (4, 6, 6)
    assert Table.objects.get().state == TableState.HELD
    opens(box.casino.table)
    assert "restored" not in box.hello()
    assert box.say("coin_in", round=7, seats=[1])["ok"]
    assert meters() != after


def test_the_same_message_again_posts_nothing(box: KeepingBox) -> None:
    hold_restored()
    box.remember(*PLAYED)
    box.tells()
    stands, entries = meters(), Entry.objects.count()
    assert box.tells()["restored"] == "none"
    hold_restored()  # restored once more, from a copy that has it all
    assert (box.tells()["restored"], meters(), Entry.objects.count()) == ("agrees", stands, entries)


def test_a_long_journal_comes_in_parts_and_an_open_round_stays_open(box: KeepingBox) -> None:
    hold_restored()
    box.remember(*([[1]] * 29))
    box.remember([1, 2], ends=False)
    first = box.tells()
    assert (first["restored"], first["posted"], first["from"]) == ("missing", 25, 26)
    with pytest.raises(NotAllowedNow, match="5 rounds are missing"):
        opens(box.casino.table)
    assert box.tells(first["from"])["restored"] == "agrees"
    opens(box.casino.table)
    assert box.hello()["open_round"]["round"] == 30
    assert box.say("end", round=30)["ok"]


def test_a_round_that_was_open_in_the_books_is_ended_by_the_journal(box: KeepingBox) -> None:
    assert box.say("coin_in", round=1, seats=[1, 2])["ok"]
    hold_restored()
    box.remember([1, 2], [3])
    assert box.tells()["posted"] == 1
    assert set(Round.objects.values_list("state", flat=True)) == {RoundState.ENDED}


def test_a_gap_in_the_journal_changes_nothing(box: KeepingBox) -> None:
    box.play(*PLAYED[:1])
    hold_restored()
    box.remember(*PLAYED[1:])
    del box.journal.rounds[3]
    before = meters()
    answer = box.tells()
    assert (answer["ok"], answer["code"]) == (False, "gap")
    assert answer["why"].startswith("Round 4 of the journal: ")
    assert (meters(), Round.objects.count()) == (before, 1)
    assert Table.objects.get().state == TableState.HELD


def test_rounds_that_are_told_differently_are_for_people(box: KeepingBox) -> None:
    box.play(*PLAYED[:2])
    hold_restored()
    box.journal.rounds[2]["seats"] = [1, 2]
    box.remember(*PLAYED[2:])
    answer = box.tells()
    assert (answer["restored"], answer["posted"]) == ("differs", 0)
    assert "Round 2: the box counted seats 1, 2, the books hold 1, 2, 5." in answer["why"]
    assert "Round 2: the box counted" in Table.objects.get().held_why


def test_what_a_box_saw_once_is_not_unsaid_by_a_message_that_leaves_it_out(box: KeepingBox) -> None:
    box.play(*PLAYED[:2])
    hold_restored()
    box.remember(*PLAYED[2:3])
    assert box.tells(last_slip=7)["restored"] == "differs"
    words = box.journal.words_from(1)
    words.pop("last_slip", None)
    answer = box.say("journal", **{**words, "last_round": 1})
    assert (answer["restored"], "saw slip 7" in answer["why"]) == ("differs", True)
    known = RestoredTable.objects.get()
    assert (known.told_round, known.told_slip) == (3, 7)


def test_a_table_that_went_to_maintenance_meanwhile_stays_there(
    box: KeepingBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Set by somebody who held the locks first: what was read before them is old."""
    hold_restored()
    box.remember(*PLAYED[:2])
    real = journal.lock_jackpots_of

    def somebody_was_first(table: Table) -> list[str]:
        Table.objects.update(state=TableState.MAINTENANCE)
        return real(table)

    monkeypatch.setattr(journal, "lock_jackpots_of", somebody_was_first)
    answer = box.tells()
    assert (answer["restored"], answer["posted"]) == ("missing", 0)
    assert Table.objects.get().state == TableState.MAINTENANCE


@pytest.mark.parametrize("table", ["UTH-01", "uth-01", "all"])
def test_two_people_accept_what_no_journal_can_post(box: KeepingBox, table: str) -> None:
    box.play(*PLAYED[:2])
    hold_restored()
    box.tells(last_slip=9)
    house = box.casino.premises
    asker = a_person("asker", may=("adjust",), premises=house)
    signer = a_person("signer", may=("sign_adjustments",), premises=house)
    row = kind_of("accept_restored").row_of(house, {"table": table}, "slip 9 paid, adjusted by request 4")
    put_in(row=row, by=asker)
    assert "saw slip 9; the books end at slip 0" in kind_of(row.kind).phrase(row)
    with pytest.raises(NotAllowedNow, match="saw slip 9"):
        opens(box.casino.table)
    with pytest.raises(Refused, match="cannot sign twice"):
        sign(request_id=row.pk, approver=SecondPerson(asker))
    sign(request_id=row.pk, approver=SecondPerson(signer))
    accepted = RestoredTable.objects.get()
    assert (accepted.state, accepted.request) == (ComparisonState.ACCEPTED, Request.objects.get())
    assert "accepted by" in Table.objects.get().held_why
    opens(box.casino.table)


def test_a_table_that_waits_for_nothing_is_not_accepted(box: KeepingBox) -> None:
    for table in ("UTH-01", "all"):
        with pytest.raises(NotAllowedNow, match="waits after a restore"):
            kind_of("accept_restored").row_of(box.casino.premises, {"table": table}, "why not")
    with pytest.raises(NotUnderstood, match="Name the table that waits"):
        kind_of("accept_restored").row_of(box.casino.premises, {"table": ""}, "why not")


@pytest.mark.parametrize(
    "rounds",
    [
        "all", [1], [{"round": 1}], [{"round": 1, "seats": [1], "chips": 2}], [{"round": 0, "seats": []}],
        [{"round": 1, "seats": [1], "open": "no"}], [{"round": 2, "seats": []}, {"round": 2, "seats": []}],
        [{"round": number, "seats": []} for number in range(1, 27)], [{"round": 1, "seats": [], "at": "noon"}],
    ],
)  # fmt: skip
def test_what_is_no_journal_is_refused(box: KeepingBox, rounds: Any) -> None:
    hold_restored()
    answer = box.tells(rounds=rounds)
    assert (answer["ok"], answer["code"]) == (False, "not_a_message")
    assert RestoredTable.objects.get().told_at is None


def test_further_wagers_come_back_on_their_own_jackpots(indoors: Indoors) -> None:
    scene = TwoWagers()
    scene.coin_in("125", "26")
    scene.says(EndRequest(1))
    hold_restored()
    device = scene.casino.controller
    box = HttpController(indoors, device, secret_for(device))
    kept = [
        {"round": 1, "seats": [1, 2, 5], "further": {"MEGA": [2, 6]}},
        {"round": 2, "seats": [], "further": {"MEGA": [6]}},
    ]
    assert box.say(id=1, do="journal", last_round=2, rounds=kept)[1]["restored"] == "agrees"
    assert scene.meters() == ["20001.80", "500.30", "8003.00"]
    hold_restored()
    kept[1]["further"] = {"MEGA": [5]}
    answer = box.say(id=1, do="journal", last_round=2, rounds=kept)[1]
    assert "Round 2: the box counted seats none; MEGA 5, the books hold none; MEGA 6." in answer["why"]
