from __future__ import annotations

import json
from typing import Any

import pytest

from jackpot.canonical import digest_of
from jackpot.terms.rules.policy import PolicyRefused
from jackpot.terms.rules.terms import Terms, TermsRefused
from tests.builders import terms


def test_terms_survive_their_own_text_and_keep_their_digest() -> None:
    given = terms(rate="17.33", limit="25000.00", policy={"overflow": "revenue"}, rounding="down")
    again = Terms.of(json.loads(given.text))
    assert (again, again.text, again.digest) == (given, given.text, digest_of(given.text))


def test_what_one_chip_adds_is_exact() -> None:
    assert (str(terms().meter_part), str(terms().reserve_part)) == ("0.70", "0.05")


def one_row(**pays: Any) -> dict[str, Any]:
    return {"code": "ONE", "lines": [{"code": "royal", "name": "Royal flush", **pays}]}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"rate": "70", "reserve_rate": "30.0001"}, "more than 100 %"),
        ({"rate": "-1"}, "below 0 %"),
        ({"wager": "0"}, "above zero"),
        ({"wager": "1.001"}, "whole cents"),
        ({"seed": "0"}, "above zero"),
        ({"seed": "10.005"}, "payable to the cent"),
        ({"limit": "10000.00"}, "not above the seed"),
        ({"rounding": "up"}, "half_up or down"),
        ({"digits": 4}, "digits"),
        ({"seeds": "1"}, "not a term"),
        ({"rate": "a lot"}, "not a percentage"),
        ({"rate": 70.5}, "Write it as text"),
        ({"digits": "٢"}, "digits"),
        ({"digits": "two"}, "digits"),
        ({"pay_table": one_row(for_one=10**30)}, "than the books can hold"),
        ({"pay_table": one_row(for_one=2 * 10**10), "wager": "100.00"}, "than the books can hold"),
        ({"pay_table": one_row(part="1", envy="999999999999.00")}, "than the books can hold"),
        ({"pay_table": one_row(part="1", envy="0.005")}, "parts of a cent"),
        ({"pay_table": one_row(for_one=5), "wager": "0.50", "digits": 0}, "parts of a cent"),
    ],
)
def test_terms_that_cannot_be_meant_are_refused(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(TermsRefused, match=why):
        terms(**changes)


@pytest.mark.parametrize("policy", [{"overflow": "elsewhere"}, {"colour": "gold"}])
def test_an_unknown_switch_or_value_is_refused_by_name(policy: dict[str, str]) -> None:
    with pytest.raises(PolicyRefused, match=r"elsewhere|colour"):
        terms(policy=policy)


PARTS_ONLY = {"code": "P", "lines": [{"code": "royal", "name": "Royal flush", "part": "1"}]}
FIXED = {"code": "four", "name": "Four of a kind", "for_one": 100}


def parts(*fixed: dict[str, Any], **changes: Any) -> Terms:
    return terms(pay_table={**PARTS_ONLY, "lines": [*PARTS_ONLY["lines"], *fixed]}, **changes)


@pytest.mark.parametrize("fixed", [[], [{**FIXED, "source": "tray"}]], ids=["parts alone", "fixed from the tray"])
def test_a_rate_above_the_preset_needs_the_approved_par_sheet(fixed: list[dict[str, Any]]) -> None:
    assert parts(*fixed, rate="65", preset_rate="65").rate == 650_000
    with pytest.raises(TermsRefused, match=r"70 % is above the 65 % that the par sheet presets.*name the approved"):
        parts(*fixed, rate="70", preset_rate="65")
    assert parts(*fixed, rate="70", preset_rate="65", par_sheet="PS-2026-7").plain()["par_sheet"] == "PS-2026-7"


def test_a_preset_binds_no_meter_that_pays_fixed_awards() -> None:
    assert parts({**FIXED, "source": "meter"}, rate="70", preset_rate="65").preset_rate == 650_000


def test_without_a_preset_the_text_is_what_it_was() -> None:
    assert not {"preset_rate", "par_sheet", "aggregate"} & terms().plain().keys()
    given = terms(preset_rate="75", aggregate="5000.00")
    assert Terms.of(json.loads(given.text)).digest == given.digest


def test_a_reference_is_no_novel() -> None:
    with pytest.raises(TermsRefused, match="longer than 80"):
        terms(par_sheet="x" * 81)


@pytest.mark.parametrize(("rate", "reserve_rate"), [("0", "1"), ("0.0001", "0"), ("70", "30"), ("100", "0")])
def test_a_rate_is_anything_from_nothing_to_all_of_the_chip(rate: str, reserve_rate: str) -> None:
    """002:448-451; what goes beyond the whole chip is refused."""
    assert terms(rate=rate, reserve_rate=reserve_rate).rate is not None
    with pytest.raises(TermsRefused, match="100"):
        terms(rate="100", reserve_rate="0.0001")
