"""Every column of a round, a payment, a receipt and a request is known to somebody, or listed with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from django.db import connection

from jackpot.money import Money
from jackpot.wins.actions.pay import redeem
from jackpot.wins.actions.receive import receive_back
from jackpot.wins.models import Win
from tables.rounds.queries.prove import prove
from tests import databases
from tests.builders import a_jackpot, a_pay_table, a_person
from tests.jackpot.proof.test_prove_awards import LINES, won
from tests.reseal import damage
from tests.scenes import played
from tests.scenes_adjusting import done
from tests.scenes_wins import backed_out
from tests.stranger import found_by_all, nothing_disagrees
from tests.tables.hits.test_hit import Floor

ROW: Final = {
    "tables_round": "table_id = (SELECT min(id) FROM tables_table) AND number = 2",
    "jackpot_payment": "slip = 1", "jackpot_windowreceipt": "number = 1", "jackpot_request": "kind = 'adjust'",
    "jackpot_adjustment": "request_ptr_id = (SELECT id FROM jackpot_request WHERE kind = 'adjust')",
}  # fmt: skip
SOMEBODY: Final = "(SELECT min(id) FROM jackpot_operator)"
NEXT: Final = "(SELECT max(id) FROM jackpot_jackpot)"
LATER: Final = "+ interval '1 hour'"
BY_ALL: Final[Mapping[str, Mapping[str, str]]] = {
    "tables_round": {
        "number": "99", "seats": "'135'", "wager": "wager + 1", "revision": "2", "state": "'void'",
        "gaming_day": "gaming_day + 1", "request": "sha256('other')", "kept_back": "'waiting'",
    },
    "jackpot_payment": {
        "premises_id": "premises_id + 1", "slip": "9", "entry": "entry - 1", "gross": "gross + 1, net = net + 1",
        "withheld": "withheld + 1, net = net - 1", "net": "net + 1, gross = gross + 1", "reported": "NOT reported",
        "gaming_day": "gaming_day + 1",
    },
    "jackpot_windowreceipt": {
        "payment_id": "payment_id + 1", "premises_id": "premises_id + 1", "entry": "entry - 1",
        "gross": "gross + 1, net = net + 1", "withheld": "withheld + 1, net = net - 1",
        "net": "net + 1, gross = gross + 1", "gaming_day": "gaming_day + 1",
    },
}  # fmt: skip
BY_THE_BOOKS: Final[Mapping[str, Mapping[str, str]]] = {  # no file carries them
    "tables_round": {},
    "jackpot_payment": {
        "win_id": "(SELECT max(id) FROM jackpot_win)", "method": "'cheque'", "cheque": "'17'", "place": "'9'",
        "payer_id": SOMEBODY, "payer_name": "'Nobody'", "paid_at": f"paid_at {LATER}",
    },
    "jackpot_windowreceipt": {},
    "jackpot_request": {
        "kind": "'suspend'", "jackpot_id": NEXT, "win_id": "(SELECT min(id) FROM jackpot_win)", "reason": "'other'",
        "evidence": "'other'", "file_sha256": "repeat('0', 64)", "state": "'refused'", "asked_by_id": SOMEBODY,
        "decided_by_id": SOMEBODY,
    },
    "jackpot_adjustment": {
        "other_id": NEXT, "account": "'reserve'", "amount": "amount + 1", "leaves_seed": "true", "reading": "1",
        "ground": "'misdeal'", "gaming_day": "gaming_day + 1",
    },
}  # fmt: skip
# Column by column: what it is changed to, and why nobody can tell.
NOBODY_KNOWS: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    "tables_round": {
        "what the box said beside its seats; no entry speaks of it": {
            "spots": "'1'", "device_id": "NULL", "sequence": "sequence + 1", "generation": "9", "answer": "'{}'",
        },
        "who dealt and with which deck: no money": {"dealer_id": SOMEBODY, "deck_colour": "'blue'"},
        "moments of the round: its entries have their own": {
            "opened_at": f"opened_at {LATER}", "ended_at": f"ended_at {LATER}", "played_at": f"opened_at {LATER}",
        },
        "a count that END reads; the wins say the same": {"open_hits": "open_hits + 1"},
    },
    "jackpot_payment": {
        "what was reported on, by the rule: sums are split again by the rule of the day itself": {
            "taxable": "1", "tax_rule_id": "NULL",
        },
        "a tick at the window; the line of the trail says it too": {"form_seen": "NOT form_seen"},
        "made anew with every seal, as the record's own seal is": {"entry_seal": "entry_seal", "seal": "seal"},
    },
    "jackpot_windowreceipt": {
        "how and by whom it was taken: the line of the trail says it too": {
            "number": "2", "method": "'cheque'", "reference": "'17'", "place": "'9'", "taker_id": SOMEBODY,
            "taker_name": "'Nobody'", "taken_at": f"taken_at {LATER}",
        },
        "made anew with every seal, as the record's own seal is": {"entry_seal": "entry_seal", "seal": "seal"},
    },
    "jackpot_request": {
        "names and moments as a page shows them: people are compared by key, the entry has its own moment": {
            "asked_by_name": "'Nobody'", "asked_at": f"asked_at {LATER}", "decided_by_name": "'Nobody'",
            "decided_at": f"decided_at {LATER}", "previewed_at": "now()", "number": "77", "file_name": "'other'",
        },
        "what the preview said; the entries say what came of it": {"findings": "'[1]'", "preview": "'{\"a\": 1}'"},
        "of other kinds, or of a request that was not approved": {
            "payload": "'{\"a\": 1}'", "cause_id": "(SELECT min(id) FROM jackpot_request)", "alone": "true",
            "decided_reason": "'other'", "withdrawn_by_id": SOMEBODY, "withdrawn_by_name": "'Nobody'",
            "withdrawn_at": "now()", "withdrawn_reason": "'other'",
        },
        "the card that was read; the approver is sealed": {"card_id": "(SELECT min(id) FROM jackpot_card)"},
        "the house of its jackpot": {"premises_id": "premises_id + 1"},
    },
    "jackpot_adjustment": {
        "of a difference; there it is sealed": {"pays": "NOT pays"},
        "balances as they were posted; the entries carry them": {"posted": "'{}'"},
    },
}  # fmt: skip
KEYS: Final = {"id", "table_id", "request_ptr_id"}


def an_evening() -> None:
    """A hit is paid, backed out and comes back over the window in part; another stays; two people adjust."""
    floor = Floor(2, meter="19998.60", reserve="617.15", rate="70", pay_table=a_pay_table(lines=LINES, source="meter"))
    won(floor, "26", {6: "full_house"})
    redeem(slip=Win.objects.latest("id").slip or 0, payer=a_person("cage"), place="3")
    won(floor, "234", {2: "straight_flush"})
    backed_out(Win.objects.get(line="full_house"))
    receive_back(slip=1, number=1, amount=Money.of("4.00"), taker=a_person("taker"), premises=floor.casino.premises)
    done("adjust", floor.casino.jackpot, amount="15.00")
    a_jackpot("NEXT", premises=floor.casino.premises)


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, an_evening) as name:
        yield name


def changed(table: str, values: Mapping[str, str]) -> None:
    told = ", ".join(f"{column} = {value}" for column, value in values.items())
    damage(f"UPDATE {table} SET {told} WHERE {ROW[table]}")


@pytest.mark.parametrize(("table", "column"), [(table, column) for table, each in BY_ALL.items() for column in each])
def test_what_a_file_carries_is_named_by_all_three(books: None, table: str, column: str) -> None:
    changed(table, {column: BY_ALL[table][column]})
    found = found_by_all()
    assert found[0] == found[1] == found[2] != set()


@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table, each in BY_THE_BOOKS.items() for column in each]
)
def test_what_only_the_house_has_is_named_there(books: None, table: str, column: str) -> None:
    changed(table, {column: BY_THE_BOOKS[table][column]})
    assert prove().findings.listed


@pytest.mark.parametrize("table", NOBODY_KNOWS)
def test_what_nobody_knows_is_named_by_nobody(books: None, table: str) -> None:
    """The day that somebody knows one of them, the list above is too long."""
    assert nothing_disagrees()
    changed(table, {column: value for each in NOBODY_KNOWS[table].values() for column, value in each.items()})
    assert prove().findings.listed == []
    assert nothing_disagrees()


@pytest.mark.parametrize("table", NOBODY_KNOWS)
def test_every_column_is_told_or_has_its_reason(db: None, table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT column_name FROM information_schema.columns WHERE table_name = %s", [table])
        columns = {name for (name,) in cursor.fetchall()}
    without = {column for each in NOBODY_KNOWS[table].values() for column in each}
    assert columns == BY_ALL.get(table, {}).keys() | BY_THE_BOOKS[table].keys() | without | KEYS & columns
