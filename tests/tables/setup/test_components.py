"""Which software may run: model by model, with the approval it stands on, counting at once."""

from __future__ import annotations

import pytest

from jackpot.refusals import NotUnderstood
from jackpot.trail.models import Trail
from tables.floor.models.device import Device, VersionRule
from tables.floor.models.sign import Sign
from tables.floor.queries.components import components_of, why_kept_closed
from tables.setup.actions.components import ComponentRule, set_version_rule
from tests.builders import Casino, a_casino, a_property, a_version_rule

pytestmark = pytest.mark.django_db


@pytest.fixture
def casino() -> Casino:
    return a_casino()


def runs(casino: Casino, version: str, model: str = "") -> str | None:
    Device.objects.filter(pk=casino.controller.pk).update(version=version, model=model)
    return why_kept_closed(casino.table)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (ComponentRule("controller", version="newest"), "“newest” is no version"),
        (ComponentRule("controller", version=""), "“” is no version"),
        (ComponentRule("toaster", version="1.0"), "“toaster” is no kind"),
        (ComponentRule("controller", rule="about", version="1.0"), "“about” is no rule"),
        (ComponentRule("controller", rule="any", version="1.0"), "none is named"),
        (ComponentRule("controller", rule="any", keeps_closed=True), "nothing is kept closed"),
        (ComponentRule("sign", rule="none", version="1.0"), "about every model without a rule of its own"),
        (ComponentRule("sign", model="third", rule="none"), "about every model without a rule of its own"),
    ],
)
def test_what_is_no_rule_is_refused_and_nothing_stands(rule: ComponentRule, why: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        set_version_rule(premises=a_property(), rule=rule, by="tests")
    assert why in refused.value.why
    assert not VersionRule.objects.exists()


def test_the_rule_of_a_model_goes_before_that_of_its_kind(casino: Casino) -> None:
    a_version_rule(casino.premises, version="2.0", approval="letter 7")
    a_version_rule(casino.premises, version="6.5.6SP", model="first generation", rule="exact")
    assert runs(casino, "1.9") == (
        "UTH-01-C runs “1.9”, but every table controller here must run at least 2.0. A technician updates it."
    )
    assert runs(casino, "2.0.0") is None
    assert runs(casino, "6.5.6SP", "first generation") is None
    assert "every table controller first generation here must run exactly 6.5.6SP" in str(
        runs(casino, "6.5.7", "first generation")
    )
    set_version_rule(premises=casino.premises, by="tests",
                     rule=ComponentRule("controller", "first generation", rule="any"))  # fmt: skip
    assert runs(casino, "anything", "first generation") is None
    lines = {line.code: (line.wanted, line.verdict, line.approval) for line in components_of(casino.premises)}
    assert lines["UTH-01-C"] == ("any version", "fits", "")


def test_any_machine_at_a_table_and_the_server_itself_keep_it_closed(casino: Casino) -> None:
    spot = Device.objects.create(code="UTH-01-S", kind="coin_spot", table=casino.table, version="5.9", state="active")
    a_version_rule(casino.premises, kind="coin_spot", version="6.0")
    assert "UTH-01-S runs “5.9”" in str(why_kept_closed(casino.table))
    Device.objects.filter(pk=spot.pk).update(state="blocked")
    assert why_kept_closed(casino.table) is None, "a blocked one says nothing any more"
    a_version_rule(casino.premises, kind="server", version="999.0")
    assert "server runs" in str(why_kept_closed(casino.table))


def test_the_rule_of_another_house_is_not_ours(casino: Casino) -> None:
    a_version_rule(a_property("OTHER"), version="99")
    assert runs(casino, "1.0") is None


def test_what_was_wanted_before_stays_in_the_trail(casino: Casino) -> None:
    a_version_rule(casino.premises, version="2.0")
    a_version_rule(casino.premises, version="2.1", approval="letter 8")
    told = [row.details for row in Trail.objects.filter(act="set_version_rule").order_by("id")]
    assert [row["before"] for row in told] == ["", "table controller: at least 2.0"]
    assert told[1]["after"]["approval"] == "letter 8"


def test_either_of_two_models_and_no_third(casino: Casino) -> None:
    """[002:318–321, 412–415] The system is made of named components: a sign is one of two kinds, and of no other."""
    a_version_rule(casino.premises, kind="sign", model="digits", version="1.66P$", rule="exact")
    a_version_rule(casino.premises, kind="sign", model="picture", version="1.2.0")
    set_version_rule(premises=casino.premises, by="tests", rule=ComponentRule("sign", rule="none", approval="letter 9"))
    sign = Sign.objects.create(premises=casino.premises, code="WALL")
    for code, model, version in (
        ("S-1", "digits", "1.66P$"), ("S-2", "digits", "1.67P$"), ("S-3", "picture", "1.10"), ("S-4", "third", "9"),
        ("S-5", "", ""),
    ):  # fmt: skip
        Device.objects.create(code=code, kind="sign", sign=sign, model=model, version=version)
    verdicts = {
        line.code: (line.verdict, line.wanted) for line in components_of(casino.premises) if line.place == "WALL"
    }
    assert verdicts == {
        "S-1": ("fits", "exactly 1.66P$"),
        "S-2": ("does not fit", "exactly 1.66P$"),
        "S-3": ("fits", "at least 1.2.0"),
        "S-4": ("does not fit", "no other model"),
        "S-5": ("does not fit", "no other model"),
    }


def test_a_model_on_no_list_keeps_its_table_closed_until_it_has_a_rule(casino: Casino) -> None:
    rule = ComponentRule("controller", rule="none", keeps_closed=True)
    set_version_rule(premises=casino.premises, by="tests", rule=rule)
    assert runs(casino, "2.0.0", "second generation") == (
        "UTH-01-C is a table controller second generation, and the rules of this house name no such model. A "
        "technician puts one of the approved models there, or two people add a rule for this one."
    )
    set_version_rule(premises=casino.premises, by="tests",
                     rule=ComponentRule("controller", "second generation", rule="any"))  # fmt: skip
    assert runs(casino, "2.0.0", "second generation") is None
