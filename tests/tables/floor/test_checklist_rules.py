"""What keeps a table closed, as values."""

from __future__ import annotations

from tables.floor.rules.checklist import (
    CheckStatus,
    Item,
    Seen,
    standings,
    what_is_missing,
)

ALL = [Seen(item, True, "v1") for item in Item]


def test_nothing_seen_is_all_missing() -> None:
    found = standings([], "v1")
    assert set(found.values()) == {CheckStatus.MISSING}
    assert what_is_missing(found).startswith("the layout (not looked at yet); the placard")


def test_all_seen_in_order_leaves_nothing() -> None:
    assert what_is_missing(standings(ALL, "v1")) == ""


def test_a_rule_card_of_older_terms_is_out_of_date_and_nothing_else_is() -> None:
    found = standings(ALL, "v2")
    assert [item for item, standing in found.items() if standing is not CheckStatus.DONE] == [Item.RULE_CARD]
    assert what_is_missing(found) == "the rule card (seen before the table or its terms were altered)"


def test_what_was_found_wrong_keeps_the_table_closed() -> None:
    found = standings([*ALL[:1], Seen(Item.PLACARD, False, "v1"), *ALL[2:]], "v1")
    assert what_is_missing(found) == "the placard (found not in order)"
