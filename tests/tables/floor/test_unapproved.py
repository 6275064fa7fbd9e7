"""An approval that ends, or other terms with another pay table: an alarm days ahead, and by switch the table closes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounting.alarms.queries.finding import findings
from jackpot.errands.actions import put_up
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tables.floor.actions.unapproved import RHYTHM, close_unapproved
from tables.floor.models.table import Table, TableState
from tables.floor.tasks import close_unapproved as close_by_the_worker
from tests.builders import a_jackpot, a_pay_table, a_property, a_table
from tests.scenes_adjusting import approved as stands_still
from tests.scenes_adjusting import asked, done
from tests.scenes_configure import AT_ONCE, approved
from tests.tables.floor.test_approvals import entered, opened

pytestmark = pytest.mark.django_db


def a_playing_table(**house: bool) -> Table:
    """Its pay table is approved, for ten days more."""
    last = timezone.now().date() + timedelta(days=10)
    table = a_table("UTH-01", a_jackpot("GRAND", premises=a_property(approves_pay_table=True, **house)))
    entered("pay_table", "reference", until=last.isoformat())
    assert opened(table) == ""
    return table


def rings() -> list[tuple[str, str]]:
    return [(each.subject, each.words) for each in findings(timezone.now()) if each.kind == "approval"]


def state(table: Table) -> str:
    table.refresh_from_db()
    return table.state


def test_it_rings_two_weeks_ahead_and_the_table_plays_on() -> None:
    table = a_playing_table(unapproved_closes=True)
    [(subject, words)] = rings()
    assert subject == "the pay table reference"
    assert "UTH-01 plays with the pay table reference, which has none any more on 20" in words
    assert (close_unapproved(), state(table)) == (0, "open")
    entered("pay_table", "reference")
    assert rings() == []


@pytest.mark.parametrize(("switch", "closed", "then"), [(True, 1, "closed"), (False, 0, "open")])
def test_a_withdrawn_approval_closes_the_table_where_the_house_says_so(switch: bool, closed: int, then: str) -> None:
    table = a_playing_table(unapproved_closes=switch)
    entered("pay_table", "reference", word="withdrawn")
    assert "which has no approval" in rings()[0][1]
    assert (close_unapproved(), state(table)) == (closed, then)
    assert close_unapproved() == 0
    assert ("which has no approval" in str(rings())) is not switch
    if switch:
        assert "the pay table reference has no approval that counts" in Trail.objects.latest("id").why
        assert opened(table).startswith("UTH-01 stays closed: the pay table reference")


def test_other_terms_with_another_pay_table_close_it_as_well() -> None:
    table = a_playing_table(unapproved_closes=True)
    jackpot: Any = table.links.get().jackpot
    stands_still(asked("suspend", jackpot, by="stopper"), by="second stopper")
    with pytest.raises(Refused, match="The terms of GRAND do not count: the pay table other has no approval that"):
        approved(jackpot, AT_ONCE, pay_table=a_pay_table(code="other").plain())
    entered("pay_table", "other")
    jackpot.refresh_from_db()
    approved(jackpot, AT_ONCE, pay_table=a_pay_table(code="other").plain())
    entered("pay_table", "other", word="withdrawn")
    put_up([RHYTHM])
    close_by_the_worker()
    assert state(table) == TableState.CLOSED
    assert "the pay table other has no approval" in Trail.objects.filter(act="set_table_state").latest("id").why


def test_retired_money_rings_in_the_last_days_of_its_thirty() -> None:
    jackpot = a_jackpot("GRAND")
    done("retire", jackpot, reading="10000.00")
    assert [each.subject for each in findings(timezone.now()) if each.kind == "retired money"] == []
    late = timezone.now() + timedelta(days=26)
    assert [each.subject for each in findings(late) if each.kind == "retired money"] == ["GRAND"]
    done("transfer", jackpot, other=a_jackpot("NEXT"))
    assert [each.subject for each in findings(late) if each.kind == "retired money"] == []
