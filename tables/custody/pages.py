"""Keys and seals: how each stands, what two people write down of it, and the log of all that was written."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.reading import read_whole
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from tables.custody import queries
from tables.custody.actions import CustodyFacts, CustodyWords, OtherPerson, add_item, write_move
from tables.custody.models import CustodyItem, CustodyMove
from tables.custody.rules import (
    ACT_WORDS,
    ADDS,
    MOST_HOURS,
    PLACE_WORDS,
    READS,
    WRITES,
    CustodyAct,
    CustodyKind,
    CustodyState,
    GuardedPlace,
)

SHOWN: Final = 40
LOOKS: Final = {
    CustodyState.HOME: ("on its hook", "ok", "✓"),
    CustodyState.OUT: ("out", "gold", "◔"),
    CustodyState.MISSING: ("no seal yet", "late", "○"),
    CustodyState.WHOLE: ("whole", "ok", "✓"),
    CustodyState.BROKEN: ("broken", "down", "✕"),
}


@needs(*READS)
def custody(request: HttpRequest) -> HttpResponse:
    """What is out or broken stands first."""
    person: Any = request.user
    standing = queries.standing_of(queries.custody_items(person), timezone.now())
    calm = (CustodyState.HOME, CustodyState.WHOLE)
    # What is late comes before what is only out: it is the line that somebody has to run for.
    standing.sort(key=lambda each: (not each.late, each.state in calm, each.item.code))
    names = queries.role_names()
    mine = set(person.roles.values_list("code", flat=True))
    shown = {
        "things": [_shown(each, names, mine) for each in standing], "house": house_of(person), "tab": "custody",
        "moves": list(queries.custody_moves(person).order_by("-id")[:SHOWN]),
        "may_add": person.may(ADDS), "roles": names.items(), "places": PLACE_WORDS.items(), "most_hours": MOST_HOURS,
    }  # fmt: skip
    return render(request, "tables/custody/custody.html", shown)


@needs(*READS)
def custody_one(_: HttpRequest, code: str) -> HttpResponseBase:
    """The register, where this one stands."""
    return redirect(f"{reverse('custody')}#custody-{code}")


@posts(*WRITES, back_to="custody-one")
def custody_move(request: HttpRequest, code: str) -> str:
    """What whoever is signed in and another person wrote down together."""
    asked = word(request, "act", 10)
    if asked not in set(CustodyAct):
        raise NotUnderstood("Choose what happened: out, back, a seal placed, replaced or broken.", "act")
    # One character more than is kept of each: what is longer is refused, not cut.
    told = CustodyWords(
        CustodyAct(asked), word(request, "purpose", 121), word(request, "old-seal", 31), word(request, "new-seal", 31)
    )
    other = OtherPerson(
        card=request.POST.get("card", "")[:200], pin=request.POST.get("pin", "")[:20],
        username=word(request, "username", 60), password=request.POST.get("password", "")[:200],
        address=str(request.META.get("REMOTE_ADDR", "")),
    )  # fmt: skip
    return sentence_of(write_move(item=_found(request, code), words=told, by=_person(request), other=other))


@posts(ADDS, back_to="custody")
def custody_add(request: HttpRequest) -> str:
    """A key or a seal on the register."""
    house = house_of(request.user)
    if house is None:
        raise NotAllowedNow("There is no house here yet. Found one first.", "no_house")
    kind, place = word(request, "kind", 5), word(request, "place", 11)
    if kind not in set(CustodyKind) or place not in set(GuardedPlace):
        raise NotUnderstood("Choose key or seal, and what it guards.", "kind")
    facts = CustodyFacts(
        word(request, "code", 21).upper(), CustodyKind(kind), GuardedPlace(place), word(request, "where", 61),
        word(request, "holder", 20), word(request, "countersigner", 20),
        read_hours(word(request, "hours", 5)) if kind == CustodyKind.KEY else None,
    )  # fmt: skip
    row = add_item(premises=house, facts=facts, by=_person(request))
    return f"{row.kind.capitalize()} {row.code} of {row.guards} is on the register."


def read_hours(typed: str) -> int:
    try:
        return read_whole(typed, "number of hours", 1, MOST_HOURS)
    except ValueError as why:
        raise NotUnderstood(str(why), "hours") from None


def sentence_of(move: CustodyMove) -> str:
    """What was written, with what somebody has to look into."""
    differs = f" Seal {move.old_seal} is not the one on the register: find out why." if move.differs else ""
    return f"{move.item}: {ACT_WORDS[CustodyAct(move.act)]} by {move.person_name} with {move.second_name}.{differs}"


def _shown(each: queries.CustodyStanding, names: dict[str, str], mine: set[str]) -> dict[str, Any]:
    item = each.item
    other = item.countersigner if item.holder in mine else item.holder
    return {
        "standing": each, "look": LOOKS[each.state], "holder": names.get(item.holder, item.holder),
        "countersigner": names.get(item.countersigner, item.countersigner),
        "acts": [(act.value, ACT_WORDS[act]) for act in each.acts], "other": names.get(other, other),
        "may": bool(mine & {item.holder, item.countersigner}),
    }  # fmt: skip


def _found(request: HttpRequest, code: str) -> CustodyItem:
    row = queries.custody_items(request.user).filter(code=code).first()
    if row is None:
        raise NotFound(f"There is no key or seal {code[:20]} on the register of your house.", "no_custody")
    return row


def _person(request: HttpRequest) -> Operator:
    assert isinstance(request.user, Operator), "whoever is let in is a person"
    return request.user
