"""The dealer's console and the door to it: badge in, deal, badge out."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from jackpot.money import Money
from jackpot.web.pages.access import needs
from jackpot.web.pages.listing import coded_list
from jackpot.web.pages.posting import posts, word
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Table
from tables.gateway.actions import console as console_acts
from tables.player_dealer.queries.bank import side_bets_of
from tables.rounds.queries import round_lists
from tables.rulebook.pages.help import help_for

CHOICES: Final = 60
SAMPLE: Final = Money.of("1234567.89")  # the page learns from it how this house writes figures


@needs("deal", "read_books")
def consoles(request: HttpRequest) -> HttpResponse:
    """Which table does the dealer deal?"""
    listed = coded_list(round_lists.tables_of(request.user), request.GET, CHOICES)
    dealers = {duty.table_id: duty.operator for duty in _open_duties()}
    choices = [(table, dealers.get(table.pk)) for table in listed.rows]
    return render(request, "tables/gateway/console_choice.html", {"choices": choices, "list": listed})


@needs("deal", "read_books")
def console(request: HttpRequest, code: str) -> HttpResponse:
    """The console for the dealer on duty; for everybody else the place to badge in."""
    table: Table = get_object_or_404(round_lists.tables_of(request.user), code=code)
    duty = _open_duties().filter(table=table).first()
    person: Any = request.user
    shown = {"table": table, "duty": duty, "may_deal": person.may(console_acts.VERB), "sample": SAMPLE}
    shown["help"] = help_for(table)
    shown["side_bets"] = side_bets_of(table)
    mine = duty is not None and duty.operator_id == person.pk and shown["may_deal"]
    request.session.modified = mine  # the cookie lives on with each opening, as the session does while on duty
    return render(request, "tables/gateway/console.html" if mine else "tables/gateway/console_duty.html", shown)


@posts("deal", back_to="console")
def duty(request: HttpRequest, *, code: str) -> str:
    """Badge in with one's own badge, or out."""
    person: Any = request.user
    if word(request, "act") == "out":
        console_acts.leave_duty(table_code=code, operator=person)
        return f"You are badged out at {code}."
    console_acts.take_duty(table_code=code, operator=person, badge=word(request, "badge"))
    return f"You are on duty at {code}."


def _open_duties() -> Any:
    return TableDuty.objects.filter(ended_at__isnull=True).select_related("operator")
