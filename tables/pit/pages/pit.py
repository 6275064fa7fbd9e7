"""The supervisor's pages: the live board, one table's state, the key register."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from jackpot.books.actions.holding import held_here
from jackpot.books.queries import stopped_here
from jackpot.errands.queries import overdue_errands
from jackpot.people.actions.keys import sign_key_back, sign_key_out
from jackpot.people.actions.presence import card_with_pin, too_low, typed_here
from jackpot.people.models import Card, Operator
from jackpot.people.queries import as_they_speak, cards_tried
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.reading import NotANumber, read_whole
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.web.api.fields import LARGEST_KEY
from jackpot.web.pages.access import needs
from jackpot.web.pages.listing import coded_list
from jackpot.web.pages.posting import posts, word
from jackpot.wins.rules.win_life import LIT
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import Table, TableState
from tables.hits.queries import hit_lists
from tables.hits.queries.verifying import amounts_asked
from tables.pit import queries
from tables.pit.pages.pit_tiles import pit_tile, round_hits
from tables.player_dealer.queries.bank import bank_of_day
from tables.rounds.actions.kept_back import decide_kept_back, second_at
from tables.rounds.models.round import RoundState
from tables.rounds.queries import round_lists
from tables.rounds.queries.expected import running_hours
from tables.rounds.queries.kept_back import accepted_alone, busiest, waiting_at
from tables.rounds.queries.outages import outages, silent_since
from tables.rounds.rules.pace import takes_two

READERS: Final = ("run_tables", "approve", "verify", "watch", "read_books")
TILES: Final = 60
ALARMS: Final = 8
KEYS: Final = 30
OUTAGES: Final = 6
KEPT_REASONS: Final = ("Its box caught up", "Fast dealer, watched", "Nobody played so", "Its secret was stolen")
REASONS: Final = ("Dead spot", "Chip count differs", "Shuffler", "Players leave", "Relief", "Checked, in order")


@needs(*READERS)
def pit(request: HttpRequest) -> HttpResponse:
    """Every table live, the open hits in their order, the newest alarms."""
    rows, now = round_lists.tables_of(request.user), timezone.now()
    listed, wins = coded_list(rows, request.GET, TILES), hit_lists.open_wins(request.user)
    shown_here = {table.code for table in listed.rows}
    # A hit waits for somebody on whatever page of the list its table stands.
    hit_elsewhere = rows.filter(code__in={win.table_code for win in wins} - shown_here)
    looked_at = [*listed.rows, *hit_elsewhere]
    codes, last = {table.pk: table.code for table in looked_at}, round_lists.last_rounds(looked_at)
    running = {(codes[key], each.number) for key, each in last.items() if each.state == RoundState.OPEN}
    hits = round_hits(wins, running, amounts_asked(wins))
    # Backwards: of several rounds of one table the tile keeps the first that is not parked.
    of_table = {each.table: each for each in sorted(hits, key=lambda hit: (hit.parked, hit.place), reverse=True)}
    tiles = [pit_tile(table, last.get(table.pk), of_table.get(table.code), now) for table in listed.rows]
    shown = {
        "tiles": tiles,
        "list": listed,
        "hits": hits,
        "overdue": overdue_errands(now),
        "stopped": stopped_here(request.user),
        "held": held_here(request.user),
        "kept": waiting_at(request.user),
        "tried": cards_tried(request.user, now),
        "alarms": list(round_lists.sensor_alarms(request.user)[:ALARMS]),
    }
    template = "tables/pit/pit_board.html" if "HTTP_X_BOARD" in request.META else "tables/pit/pit.html"
    return render(request, template, {**shown, "tab": "board", "house": house_of(request.user)})


@needs(*READERS)
def pit_table(request: HttpRequest, code: str) -> HttpResponse:
    """One table: how it stands, what its sensors said, and the keys that open, hold and close it."""
    table, now = _table(request, code), timezone.now()
    last = round_lists.last_rounds([table]).get(table.pk)
    wins = [win for win in hit_lists.open_wins(request.user) if win.table_code == code]
    hits = round_hits(wins, {(code, last.number)} if last and last.state == RoundState.OPEN else ())
    person: Any = request.user
    kept = next(iter(waiting_at(person, code)), None)
    shown = {
        "table": table,
        "tile": pit_tile(table, last, hits[0] if hits else None, now),
        "alarms": list(round_lists.sensor_alarms(person).filter(table=table)[:ALARMS]),
        "hour": next(iter(running_hours(table.premises, now, table)), None),
        "outages": list(outages(person).filter(table=table)[:OUTAGES]),
        "silent_since": silent_since(table, now),
        "may_run": person.may("run_tables"),
        "reasons": REASONS,
        "kept": kept,
        # Said before anybody types: whoever is alone would fill the form in vain.
        "kept_takes_two": kept is not None
        and takes_two(
            accepted_alone(table, person, now), kept.rounds, table.most_in_ten, table.premises.thresholds.kept_alone
        ),
        "kept_alone": table.premises.thresholds.kept_alone,
        "kept_reasons": KEPT_REASONS,
        "busiest": busiest(table.pk),
        "bank": bank_of_day(table),
        "lit": " and ".join(dict.fromkeys(win.line_name for win in wins if win.seat == LIT)),
        "house": table.premises,
    }
    return render(request, "tables/pit/pit_table.html", shown)


@posts("run_tables", back_to="pit-table")
def pit_state(request: HttpRequest, *, code: str) -> str:
    """Opens, holds or closes a table with a reason; a hold is released by opening."""
    table, wanted, why = _table(request, code), word(request, "state"), word(request, "why")
    if wanted not in {TableState.OPEN, TableState.HELD, TableState.CLOSED}:
        raise NotUnderstood("Choose: open, hold or close.", "state")
    if not why:
        raise NotUnderstood("Say why: the reason stands in the trail with your name.", "reason")
    # A technician has the table open: what its sensors say now must not be counted.
    if table.state == TableState.MAINTENANCE:
        raise NotAllowedNow(f"{code} is in maintenance. A technician gives it back first.", "maintenance")
    set_table_state(table=table, state=TableState(wanted), by=str(request.user), why=why)
    return f"{code} is {TableState(wanted).label} now."


@posts("run_tables", back_to="pit-table")
def pit_kept_back(request: HttpRequest, *, code: str) -> str:
    """Accepts what was kept back at a table, or refuses it: a reason, and one of two buttons."""
    _table(request, code)
    wanted, person = word(request, "decide"), request.user
    assert isinstance(person, Operator), "the door let nobody else in"
    if wanted not in {"accept", "refuse"}:
        raise NotUnderstood("Choose: accept or refuse.", "decide")
    accept, upto = wanted == "accept", word(request, "upto")
    try:  # whoever saw less than waits now decides on no more; what is no number does not mean all of it
        last = read_whole(upto, "last round", 1, LARGEST_KEY) if upto else None
    except NotANumber as why_not:
        raise NotUnderstood(str(why_not), "upto") from None
    second = None
    # A refusal raises no meter, so one person's word is enough for it.
    if accept:
        swipe, pin = word(request, "kept-card"), word(request, "kept-pin", 20)
        second = second_at(table_code=code, swipe=swipe, pin=pin, source=typed_here(request))
    done = decide_kept_back(
        table_code=code, accept=accept, by=person, why=word(request, "kept-why"), upto=last, second=second
    )
    return done.sentence(accept)


@needs(*READERS)
def keys(request: HttpRequest) -> HttpResponse:
    """Who has which supervisor key, and who had it."""
    person: Any = request.user
    rows = list(queries.keys_of(person)[:KEYS])
    out = as_they_speak([row for row in rows if row.back_at is None])
    shown = {"out": out, "back": [row for row in rows if row.back_at]}
    may = {"may_run": person.may("run_tables"), "tab": "keys", "house": house_of(person)}
    return render(request, "tables/pit/pit_keys.html", {**shown, **may})


@posts("run_tables", back_to="pit-keys")
def key_out(request: HttpRequest) -> str:
    """Signs a key out to whoever types card and PIN; the key then has that card's level."""
    number = word(request, "number", 20)
    if not number:
        raise NotUnderstood("Type the number on the key.", "number")
    swiped, pin, source = word(request, "card"), word(request, "pin", 20), typed_here(request)
    # With the PIN from the lowest level on: from here the key itself approves in its holder's name.
    card = card_with_pin(swipe=swiped, pin=pin, pin_from_level=Card.Level.DEALER, source=source)
    if card.level < Card.Level.SUPERVISOR:
        raise too_low(card, f"A key needs a supervisor card; {card.operator} has a {card.get_level_display()} card.")
    level = Card.Level(card.level)
    who = card.operator
    sign_key_out(premises=_house(request), number=number, operator=who, by=str(request.user), level=level, card=card)
    return f"Key {number} is out with {who}."


@posts("run_tables", back_to="pit-keys")
def key_back(request: HttpRequest) -> str:
    """The key hangs on its hook again."""
    number, premises = word(request, "number", 20), _house(request)
    stands = Table.objects.filter(premises=premises, key_at_jph=number).first() if number else None
    # On its hook nobody could turn it to RUN, and the table would wait for a key that is signed back.
    if stands is not None:
        raise NotAllowedNow(f"Key {number} stands at JPH at {stands.code}. Turn it to RUN first.", "key_at_jph")
    sign_key_back(premises=premises, number=number, by=str(request.user))
    return f"Key {number} is back."


def _house(request: HttpRequest) -> Property:
    house = house_of(request.user)
    if house is None:
        raise NotAllowedNow("There is no house here yet.", "no_house")
    return house


def _table(request: HttpRequest, code: str) -> Table:
    return get_object_or_404(round_lists.tables_of(request.user), code=code)
