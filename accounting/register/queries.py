"""What can be asked of the office: wins with their slips, pages with their copies, printers with their queues."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from accounting.register.rules.search import WinSearch
from jackpot.books.models.entry import Entry
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.people.models import Card
from jackpot.property.queries import of_house
from jackpot.wins.models import Signature, Win
from tables.floor.models.duty import TableDuty
from tables.hits.models.surveillance import SurveillanceTick
from tables.rounds.models.round import Round

WORDS = (Signature.Part.APPROVE, Signature.Part.OVERRIDE, Signature.Part.CARDS)


def wins(person: Any) -> QuerySet[Win]:
    """The wins of a person's house that have a slip: logged, owed, paid or backed out."""
    rows = Win.objects.filter(slip__isnull=False).select_related("jackpot__premises", "version", "difference_of")
    return of_house(rows, person, "jackpot__premises")


def chosen(rows: QuerySet[Win], search: WinSearch) -> QuerySet[Win]:
    """The wins that fit any meaning of what was typed."""
    if search.state:
        rows = rows.filter(state=search.state)
    if search.jackpot:
        rows = rows.filter(jackpot__code=search.jackpot)
    if search.span is not None:
        rows = rows.filter(gaming_day__range=(search.span.first, search.span.last))
    meanings = [_meaning(word, value) for word, value in (search.either or {}).items()]
    return rows.filter(reduce(or_, meanings)) if meanings else rows


def _meaning(word: str, value: Any) -> Q:
    match word:
        case "last_four":
            # As a set and not by a join: a win with two signatures of that card would be counted and summed twice.
            return Q(pk__in=Signature.objects.filter(card__last_four=value).values("win"))
        case "span":
            return Q(gaming_day__range=(value.first, value.last))
        case "hand":
            return Q(line_name__icontains=value)
        case "table":
            return Q(table_code=value) | Q(jackpot__code=value)
        case _:
            return Q(**{{"slip": "slip", "amount": "amount", "day": "gaming_day"}[word]: value})


def in_order(rows: QuerySet[Win], sort: str) -> QuerySet[Win]:
    """By the column that was asked for; else by slip, the newest first."""
    columns = {
        "slip": "slip", "amount": "amount", "state": "state", "hand": "line_name", "where": "table_code",
        "approved": "logged_at", "jackpot": "jackpot__code",
    }  # fmt: skip
    column = columns.get(sort.removeprefix("-"))
    first = [] if column is None else [f"-{column}" if sort.startswith("-") else column]
    return rows.order_by(*first, "-slip", "-id")


def sums_of(rows: QuerySet[Win]) -> dict[str, Any]:
    """How many slips, and the sums of those that stand and of those that are still owed."""
    stands, owed = ~Q(state="backed_out"), Q(state__in=["logged", "owed"])
    told = rows.order_by().aggregate(
        count=Count("id"), void=Count("id", filter=~stands), total=Sum("amount", filter=stands),
        owed=Sum("amount", filter=owed), waiting=Count("id", filter=owed),
    )  # fmt: skip
    return {name: value or 0 for name, value in told.items()}


def win_of_slip(person: Any, slip: int) -> Win | None:
    """A number is a slip of one house; who belongs to several sees the first that has it."""
    return wins(person).filter(slip=slip).order_by("premises_id").first()


def act_of(win: Win) -> list[Win]:
    """Every award of the act that this win was approved in: slips run on within an act, as its places do."""
    assert win.slip is not None
    assert win.place is not None, "a slip has its place in the order"
    # Within an act slip and place run alike, so their difference names the act.
    first = win.slip - win.place
    same_round = Win.objects.filter(
        table_code=win.table_code, round_number=win.round_number, jackpot__premises=win.jackpot.premises_id
    )
    later = same_round.filter(slip__gt=first).order_by("slip")
    return [each for each in later if (each.slip or 0) - (each.place or 0) == first]


def signatures_of(win: Win) -> list[Signature]:
    """An envied seat is paid on the words that were given for the hit."""
    approvals = Q(win=win.envy_of_id, part__in=WORDS)
    rows = Signature.objects.filter(Q(win=win) | approvals) if win.envy_of_id else win.signatures.all()
    return list(rows.select_related("operator", "card").order_by("at", "id"))


def round_of(win: Win) -> Round | None:
    rows = Round.objects.select_related("dealer", "table")
    return rows.filter(table__code=win.table_code, number=win.round_number).first()


def badge_of(round_: Round | None) -> Card | None:
    """The badge that the round's dealer was read in with."""
    if round_ is None or round_.dealer_id is None:
        return None
    there = TableDuty.objects.filter(table=round_.table_id, operator=round_.dealer_id, began_at__lte=round_.opened_at)
    # The last duty that had begun by then: a dealer may have come and gone more than once that day.
    duty = there.select_related("card").order_by("began_at").last()
    return duty.card if duty is not None else None


def ticks_of(win: Win) -> list[SurveillanceTick]:
    """What surveillance ticked off at the hits of the win's round."""
    rows = SurveillanceTick.objects.filter(premises=win.jackpot.premises_id, table_code=win.table_code)
    return list(rows.filter(round_number=win.round_number).select_related("operator").order_by("id"))


def entries_of(win: Win) -> list[Entry]:
    """Everything the books say of this win, in their order."""
    return list(Entry.objects.filter(jackpot_id=win.jackpot_id, win_id=win.pk).order_by("seq"))


def slips_numbered(slip: int) -> list[Win]:
    """Every house numbers its own slips, so a number alone may name one in each."""
    return list(Win.objects.select_related("jackpot__premises").filter(slip=slip).order_by("premises_id"))


def sealing_entries(win: Win) -> list[Entry]:
    """The entries whose seals the pages of a win may carry: its award, and its logging before that.

    A difference that was only noted names the winner's own win; its entry is no award of it.
    """
    kinds = (EntryKind.LOG, EntryKind.AWARD) if win.difference_of_id is None else (EntryKind.DIFFERENCE,)
    return list(Entry.objects.filter(win_id=win.pk, jackpot_id=win.jackpot_id, kind__in=kinds).order_by("seq"))
