"""An evening with everything in it, then the proof: on a database with real commits."""

from __future__ import annotations

from jackpot.adjusting.actions.back_out import back_out
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.queries.prove import prove
from tests.builders import CARD_PIN, a_person
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR, ref_b


def test_after_hits_voids_overrides_payments_and_back_outs_the_books_prove(fresh_database: str) -> None:
    floor = ref_b(3, meter="19999.30", reserve="617.20", limit="25000.00")
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    floor.coin_in("123", 1)
    floor.mark(2, "royal", 1)
    floor.mark(2, "straight_flush", 1)
    floor.coin_in("12", 2)
    recount_round(table_code="UTH-03", round_number=1, seats="1", spots="", by="Test Supervisor")
    floor.mark(1, "five", 2)
    void_round(table_code="UTH-03", round_number=1, reason="shuffler malfunction", by="Test Supervisor")
    floor.confirm(0)
    floor.confirm(1)
    hit.pass_queue(**floor.place(1), cards=[(EXECUTIVE, "274916"), (SUPERVISOR, CARD_PIN)], reason="hospital")
    floor.card(table=1)
    floor.card(table=0)
    redeem(slip=1, payer=a_person("cage"))
    people = {"requested_by": a_person("first"), "approved_by": a_person("other")}
    for win in Win.objects.filter(state__in=["owed", "paid"]).order_by("-award_seq"):
        back_out(win_id=win.id, reason="misdeal", evidence="camera 7", **people)
    verdict = prove()
    assert verdict.holds, verdict.plain()
    floor.casino.jackpot.refresh_from_db()
    assert floor.casino.jackpot.winners == 0
