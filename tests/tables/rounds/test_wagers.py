"""Several wagers at one table: each is counted once, on its own jackpots, and wins on those alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from jackpot.books.models.entry import Entry
from jackpot.refusals import NotAllowedNow, Refused
from jackpot.wins.models import Win
from tables.hits.actions import hit, lit_keys
from tables.hits.actions.hand_entry import EnteredCards, enter_cards
from tables.hits.actions.hand_override import follow_cards
from tables.hits.actions.late_claim import claim
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.actions.kept_back import decide_kept_back
from tables.rounds.models.further import FurtherCoinIn
from tables.rounds.models.kept_back import KeptBack
from tables.rounds.models.round import Round
from tables.rounds.rules.further import FurtherSeats, read_further
from tables.rounds.rules.round import CoinInRequest, EndRequest, PostedAnswer, Refusal, request_digest
from tests.builders import a_card, a_person
from tests.scenes_adjusting import approved, asked
from tests.stranger import found_by_all, nothing_disagrees
from tests.tables.wagers_scene import EXECUTIVE, PIN, ROYAL, TwoWagers
from tests.tampering import tamper

pytestmark = pytest.mark.django_db


class TestCountedOnce:
    def test_each_wager_raises_its_own_jackpots_by_its_own_chips(self) -> None:
        table = TwoWagers()
        told = table.coin_in("125", "26")
        assert told["coin_in"] == {
            "seats": [1, 2, 5], "total": "3.00", "further": {"MEGA": {"seats": [2, 6], "total": "10.00"}},
        }  # fmt: skip
        assert table.meters() == ["20001.80", "500.30", "8002.00"] == list(told["meters"].values())
        round_ = Round.objects.get()
        assert (round_.seats, str(round_.coin_in), round_.chips) == ("125", "13.00", 5)
        assert [(each.wager, each.seats, str(each.chip_money)) for each in round_.further] == [("MEGA", "26", "5.00")]
        assert nothing_disagrees()

    def test_a_seat_may_play_any_of_them_and_a_round_may_have_only_a_further_one(self) -> None:
        table = TwoWagers()
        assert table.coin_in("", "6")["coin_in"] == {
            "seats": [], "total": "0.00", "further": {"MEGA": {"seats": [6], "total": "5.00"}},
        }  # fmt: skip
        assert table.meters() == ["20000.00", "500.00", "8001.00"]
        assert table.coin_in("12")["coin_in"] == {"seats": [1, 2], "total": "2.00"}
        assert table.meters() == ["20001.20", "500.20", "8001.00"]
        assert table.coin_in("", "")["coin_in"] == {"seats": [], "total": "0.00"}
        assert FurtherCoinIn.objects.count() == 1
        assert nothing_disagrees()

    def test_the_same_again_hears_the_same_and_other_chips_clash(self) -> None:
        table = TwoWagers()
        table.coin_in("125", "26")
        again = table.asks("125", "26")
        assert isinstance(again, PostedAnswer)
        assert again.repeat
        for first, mega in (("125", "2"), ("125", None), ("12", "26")):
            clash = table.asks(first, mega)
            assert isinstance(clash, Refusal)
            assert (clash.code, "seats 1, 2 and 5, MEGA with seats 2 and 6" in clash.why) == ("clash", True)
        assert table.meters() == ["20001.80", "500.30", "8002.00"]

    def test_what_the_table_does_not_have_is_refused(self) -> None:
        table = TwoWagers()
        table.number = 1
        stranger = table.says(CoinInRequest(1, "1", further=(FurtherSeats("BIG", "2"),)))
        assert isinstance(stranger, Refusal)
        assert (stranger.code, stranger.why) == (
            "wager",
            "UTH-01 has no further wager “BIG”; its further wagers are MEGA. Say hello again to learn them.",
        )
        beyond = table.asks("1", "8")
        assert isinstance(beyond, Refusal)
        assert beyond.code == "seats"
        wide = table.says(CoinInRequest(1, "1", further=(FurtherSeats("MEGA", "2", "01000000"),)))
        assert isinstance(wide, Refusal)
        assert wide.code == "spots"
        assert not Round.objects.exists()

    def test_an_entry_seals_the_seats_of_its_wager_and_the_round_all_of_them(self) -> None:
        table = TwoWagers()
        table.coin_in("125", "26")
        sealed = dict(Entry.objects.filter(kind="coin_in").values_list("jackpot__code", "request"))
        first, second = request_digest("UTH-01", 1, "125"), request_digest("UTH-01", 1, "26")
        assert {code: bytes(request) for code, request in sealed.items()} == {
            "GRAND": first, "MINI": first, "MEGA": second,
        }  # fmt: skip
        whole = request_digest("UTH-01", 1, "125", read_further({"MEGA": "26"}, {}))
        assert bytes(Round.objects.get().request) == whole
        assert whole not in (first, second)

    def test_a_suspended_jackpot_stops_only_the_wager_that_feeds_it(self) -> None:
        table = TwoWagers()
        approved(asked("suspend", table.mega))
        table.number = 1
        refused = table.asks("12", "2")
        assert isinstance(refused, Refusal)
        assert refused.code == "suspended"
        assert isinstance(table.asks("12"), PostedAnswer)
        assert table.meters() == ["20001.20", "500.20", "8000.00"]


class TestTakenBack:
    def test_a_void_takes_back_what_each_wager_contributed(self) -> None:
        table = TwoWagers()
        table.coin_in("125", "26")
        void_round(**table.place, reason="misdeal", by="Test Supervisor")
        assert table.meters() == ["20000.00", "500.00", "8000.00"]
        assert nothing_disagrees()

    def test_a_recount_counts_every_wager_anew(self) -> None:
        table = TwoWagers()
        table.coin_in("125", "26")
        told = recount_round(
            **table.place, seats="1", spots="", by="Test Supervisor", further=read_further({"MEGA": "267"}, {})
        )
        assert told["coin_in"] == {"seats": [1], "further": {"MEGA": {"seats": [2, 6, 7], "total": "15.00"}}}
        assert table.meters() == ["20000.60", "500.10", "8003.00"]
        again = recount_round(**table.place, seats="", spots="", by="Test Supervisor")
        assert again["coin_in"] == {"seats": []}
        assert (table.meters(), Round.objects.get().further) == (["20000.00", "500.00", "8000.00"], [])
        assert nothing_disagrees()

    def test_kept_back_it_raises_each_jackpot_by_its_own_chips_when_it_is_accepted(self) -> None:
        table = TwoWagers(plausible_play=True)
        for _ in range(4):
            table.coin_in("1")
        assert table.coin_in("125", "26")["kept_back"] == "more than 4 rounds a minute"
        kept = KeptBack.objects.get()
        assert (kept.chips, str(kept.total), len(kept.jackpots)) == (5, "13.00000000", 3)
        assert nothing_disagrees()
        person = table.casino.premises.operators.get(username="supervisor")
        decide_kept_back(table_code="UTH-01", accept=True, by=person, why="a quick dealer")
        assert table.meters() == ["20004.20", "500.70", "8002.00"]
        assert nothing_disagrees()


class TestWon:
    def test_a_royal_wins_on_every_wager_that_its_seat_played(self) -> None:
        """GRAND 100 % of 20,001.80 and MEGA 50 % of 8,002.00 at seat 2; seat 6, on MEGA alone, envies 100.00."""
        table = TwoWagers()
        table.coin_in("125", "26")
        table.mark(2)
        assert [(each["jackpot"], each["seat"], each["amount"]) for each in table.confirm()["hits"]] == [
            ("GRAND", 2, "20001.80"), ("MEGA", 2, "4001.00"), (None, 6, "100.00"),
        ]  # fmt: skip
        assert table.card()["total"] == "24102.80"
        assert table.meters() == ["10000.00", "500.30", "3901.00"]
        assert nothing_disagrees()

    def test_a_royal_at_a_seat_of_the_first_wager_wins_nothing_of_the_other(self) -> None:
        table = TwoWagers()
        table.coin_in("125", "26")
        table.mark(1)
        table.confirm()
        assert table.card()["total"] == "20001.80"
        assert [win.jackpot.code for win in Win.objects.all()] == ["GRAND"]
        assert nothing_disagrees()

    def test_a_fixed_award_is_times_the_chip_of_its_own_wager(self) -> None:
        table = TwoWagers()
        table.coin_in("125", "26")
        table.mark(2, "full_house")
        assert [(each["jackpot"], each["amount"]) for each in table.confirm()["hits"]] == [
            ("GRAND", "10.00"), ("MEGA", "50.00"),
        ]  # fmt: skip
        assert table.card()["total"] == "60.00"
        assert nothing_disagrees()

    def test_a_hand_that_no_wager_of_the_seat_pays_is_refused(self) -> None:
        table = TwoWagers()
        table.coin_in("125", "26")
        with pytest.raises(NotAllowedNow, match=r"Seat 6 has no chip on a wager that pays Straight flush in round 1"):
            table.mark(6, "straight_flush")
        with pytest.raises(NotAllowedNow, match=r"Seat 7 has no coin-in in round 1; seats 1, 2, 5 and 6 took part\."):
            table.mark(7)
        with pytest.raises(Refused, match="pays the hand “pair”"):
            table.mark(2, "pair")
        assert not Win.objects.exists()

    @pytest.mark.parametrize(("seat", "won"), [(1, ["GRAND"]), (2, ["GRAND", "MEGA"]), (6, ["MEGA"])])
    def test_a_mark_that_follows_its_cards_stands_on_the_wagers_that_its_seat_played(
        self, seat: int, won: list[str]
    ) -> None:
        """A royal is marked and the cards prove a full house, which GRAND and MEGA pay."""
        table = TwoWagers()
        table.coin_in("125", "26")
        table.mark(seat)
        hit.confirm(**table.place, by="Test Supervisor")
        enter_cards(**table.place, entered=EnteredCards("Ah Kh 4d As Kd", {seat: "Ac 7c"}), by="Test Supervisor")
        follow_cards(**table.place, by="Test Supervisor")
        asked_for = Win.objects.filter(state="asked").order_by("jackpot__code")
        assert [(win.jackpot.code, win.line) for win in asked_for] == [(code, "full_house") for code in won]
        table.card()
        assert nothing_disagrees()

    def test_a_round_counted_without_a_wager_does_not_offer_its_hits(self) -> None:
        table = TwoWagers()
        table.coin_in("2")
        table.mark(2)
        assert [win.jackpot.code for win in Win.objects.all()] == ["GRAND"]

    def test_the_seats_of_a_lit_key_are_said_wager_by_wager(self) -> None:
        """Lit on both; said for seat 1, then for seat 2, which has a chip on each of them."""
        table = TwoWagers(profile="key")
        table.coin_in("125", "26")
        lit_keys.light(**table.place, hand=ROYAL, by="Test Dealer")
        assert lit_keys.assignable(Round.objects.select_related("table").get(), ROYAL) == [1, 2, 5, 6]
        lit_keys.assign(**table.place, hand=ROYAL, seats=[1], by="Test Supervisor")
        assert self.standing() == [("GRAND", 1)]
        lit_keys.assign(**table.place, hand=ROYAL, seats=[2, 6], by="Test Supervisor")
        assert self.standing() == [("GRAND", 2), ("MEGA", 2), ("MEGA", 6)]
        lit_keys.assign(**table.place, hand=ROYAL, seats=[2], by="Test Supervisor")
        assert self.standing() == [("GRAND", 2), ("MEGA", 2)]
        hit.confirm(**table.place, by="Test Supervisor")
        assert nothing_disagrees()

    @staticmethod
    def standing() -> list[tuple[str, int]]:
        rows = Win.objects.filter(state="marked").exclude(seat=0)
        return sorted((win.jackpot.code, win.seat) for win in rows.select_related("jackpot"))

    def test_a_late_claim_counts_on_the_wagers_of_its_seat(self) -> None:
        table = TwoWagers()
        table.coin_in("125", "26")
        table.says(EndRequest(1))
        told: dict[str, Any] = {"reason": "seen on camera", "evidence": "camera 4, 21:03", "by": "Test Supervisor"}
        a_card(a_person("second"), number="900000000002", level="executive", pin="385027")
        claim(**table.place, seat=6, hand=ROYAL, cards=[(EXECUTIVE, PIN), ("900000000002", "385027")], **told)
        assert [(win.jackpot.code, win.seat) for win in Win.objects.all()] == [("MEGA", 6)]


class TestProven:
    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ("UPDATE tables_furthercoinin SET seats = '27'", "the request in the"),
            ("UPDATE tables_furthercoinin SET chip = 4", "the wager of round UTH-01/1"),
            ("DELETE FROM tables_furthercoinin", "the request in the"),
            ("UPDATE tables_furthercoinin SET jackpots = '{}'", "the request in the entry"),
            ("DELETE FROM tables_roundentry WHERE level = 3", "MEGA on MEGA: expected an entry for 26"),
        ],
    )
    def test_chips_of_a_further_wager_cannot_be_changed_unseen(self, change: str, said: str) -> None:
        table = TwoWagers()
        table.coin_in("125", "26")
        tamper(change)
        for found in found_by_all():
            assert any(said in each for each in found), found

    @pytest.mark.parametrize("act", ["UPDATE {} SET seats = '1'", "DELETE FROM {}", "TRUNCATE {}"])
    def test_the_database_itself_refuses_to_change_them(self, act: str) -> None:
        TwoWagers().coin_in("1", "2")
        with pytest.raises(Exception, match=r"refused|denied"), connection.cursor() as cursor:
            cursor.execute(act.format("tables_furthercoinin"))
