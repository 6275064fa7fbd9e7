"""Faults put into the living product on purpose: each must be found by the walk, or the oracle looks away.

Every fault is one that a hurried hand could make. It takes the place of a function for the length of an evening.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from django.utils import timezone

from jackpot.adjusting.actions import contra, transfer, underpayment
from jackpot.books.actions.post import Books
from jackpot.books.rules import movement
from jackpot.books.rules.movement import Movement
from jackpot.money import Money, Rounding
from jackpot.people.actions.presence import card_in
from jackpot.property.rules.authority import Needed, needed
from jackpot.terms.rules import next_row
from jackpot.wins.actions import approve, lit
from jackpot.wins.actions import queue as queue_acts
from jackpot.wins.queries import queue, round_hits
from jackpot.wins.queries.round_hits import RoundHits
from jackpot.wins.rules import judgement, rank, settlement
from tables.hits.actions import at_round, hit, lit_keys, undo
from tables.rounds import api as rounds_api
from tables.rounds.actions import round as round_acts
from tables.rounds.actions import wagered

Patch = Callable[[], AbstractContextManager[Any]]


@dataclass(frozen=True)
class Fault:
    """A wrong turn, the sets of switches under which it can show, and how it is made."""

    name: str
    switches: tuple[str, ...]
    planted: Patch


def _instead(wrong: Callable[..., Any], name: str, *places: Any) -> Patch:
    """`wrong` hears the right function first; it is planted wherever the name is used."""
    right = getattr(places[0], name)

    @functools.wraps(right)
    def planted(*told: Any, **words: Any) -> Any:
        return wrong(right, *told, **words)

    @contextmanager
    def everywhere() -> Iterator[None]:
        with ExitStack() as stack:
            for place in places:
                stack.enter_context(patch.object(place, name, planted))
            yield

    return everywhere


def _both(*planted: Patch) -> Patch:
    @contextmanager
    def together() -> Iterator[None]:
        with ExitStack() as stack:
            for each in planted:
                stack.enter_context(each())
            yield

    return together


def _dead_mark_ranks(right: Any, jackpot_id: int) -> Any:
    """A mark of the same round that was taken back still gives it its rank."""
    from jackpot.wins.models import Win

    def ranked(mark: Any) -> Any:
        rows = Win.objects.filter(
            table_code=mark.place.table_code, round_number=mark.place.round_number, jackpot_id=jackpot_id
        )
        first = rows.exclude(state__in=("owed", "paid", "backed_out")).order_by("mark_seq").first()
        return replace(mark, seq=first.mark_seq) if first is not None and mark.part else mark

    return {win_id: ranked(mark) for win_id, mark in right(jackpot_id).items()}


def _dead_marks_in_the_database() -> AbstractContextManager[Any]:
    """Where an approval asks for its round's rank and frozen entry, in SQL."""
    wrong = round_hits.FROZEN
    for right, instead in (
        ("w.jackpot_id, w.state, bool_or", "w.jackpot_id, replace(w.state, 'unmarked', 'asked') AS state, bool_or"),
        ("IN ('asked', 'logged')", "IN ('asked', 'logged', 'unmarked')"), ("BY w.jackpot_id, w.state", "BY 1, 2"),
    ):  # fmt: skip
        assert wrong.count(right) == 1, f"the fault has no place any more: {right}"
        wrong = wrong.replace(right, instead)
    return patch.object(round_hits, "FROZEN", wrong)


def _tray_mark_ranks(right: Any, books: Any, hits: RoundHits, jackpot_id: int, terms: Any, state: Any) -> Any:
    from jackpot.books.models.entry import Entry

    frozen, pot_ = right(books, hits, jackpot_id, terms, state)
    first = min(win.frozen_seq for win in hits.hits(state) if win.jackpot_id == jackpot_id)
    if first == frozen or terms.policy.freeze == "approval":
        return frozen, pot_
    stood = Entry.objects.get(jackpot_id=jackpot_id, seq=first).after
    return first, replace(pot_, frozen_meter=stood.meter, frozen_reserve=stood.reserve)


def _reset_before_shortfall(right: Any, pot_: Any, hit_: Any, terms: Any) -> Any:
    counted = settlement._counted(pot_, hit_, terms)
    if not settlement._is_top(hit_):
        return right(pot_, hit_, terms)
    left = pot_.live.after(counted.movement)
    by_all = (pot_.reset_by or terms).policy.overflow_at_reset == "all"
    due = left.overflow if by_all else max(left.overflow - pot_.frozen_overflow, 0)
    raised = movement.reset(left, pot_.frozen_reserve, due, pot_.reset_by or terms)
    award = replace(counted, movement=counted.movement.with_also(raised), seed=(pot_.reset_by or terms).seed)
    return settlement._made_good(pot_, award, terms)


def _envy_from_the_tray(right: Any, pot_: Any, hit_: Any, terms: Any, seats: Any) -> Any:
    paid = right(pot_, hit_, terms, seats)
    return [replace(each, movement=Movement(house=-each.amount.units, winners=each.amount.units)) for each in paid]


def _other_rounding(right: Any, amount: Any, part: Any, rounding: Any, digits: int = 2) -> Any:
    other = Rounding.DOWN if rounding is Rounding.HALF_UP else Rounding.HALF_UP
    return right(amount, part, other, digits)


def _releases_all(right: Any, left: Any, frozen_reserve: int, overflow_due: int, terms: Any) -> Any:
    return right(left, left.reserve, overflow_due, terms)


def _returns_no_overflow(right: Any, left: Any, frozen_reserve: int, overflow_due: int, terms: Any) -> Any:
    return right(left, frozen_reserve, 0, terms)


def _reseeds_above_the_limit(right: Any, left: Any, frozen_reserve: int, overflow_due: int, terms: Any) -> Any:
    return right(left, frozen_reserve, overflow_due, replace(terms, limit=None))


def _override_is_a_permission(right: Any, one: Any, other: Any) -> bool:
    if one.logged or other.logged:
        return bool(right(one, other))
    return other.front is None and one.mark < other.mark and not one.at_approval


def _void_gives_nothing_back(right: Any, books: Any, round_: Any, key: str, request: bytes, kind: str) -> Any:
    return [] if kind == "void" else right(books, round_, key, request, kind)


def _recount_keeps_the_old(right: Any, books: Any, round_: Any, key: str, request: bytes, kind: str) -> Any:
    return [] if kind == "recount" else right(books, round_, key, request, kind)


def _basis_with_coin_ins_since(right: Any, books: Any, *told: Any) -> Any:
    frozen, found = right(books, *told)
    return frozen, replace(found, frozen_meter=found.live.meter)


def _newer_terms_judge(right: Any, round_: Any) -> Any:
    from jackpot.books.models.jackpot import Jackpot

    ids = list(right(round_))
    return dict(Jackpot.objects.filter(id__in=ids).values_list("id", "version_id"))


def _odd_cents_are_shared(right: Any, pot_: Any, top: Any, *told: Any) -> Any:
    return right(replace(pot_, frozen_meter=pot_.frozen_meter + 10**6 * (len(top) - 1)), top, *told)


def _house_pays_every_shortfall(right: Any, lack: int, found: Any, terms: Any) -> Any:
    moved = right(lack, found, terms)
    return Movement(meter=moved.meter, house=-moved.meter)


def _repays_too_much(right: Any, spots: int, owed: int, raised: int, terms: Any) -> Any:
    return right(spots + 1, owed, raised, terms)


def _paid_in_error_is_forgotten(right: Any, award: Any, paid: bool) -> Any:
    return right(award, False)


def _largest_award_decides(right: Any, *told: Any) -> Any:
    settlement = right(*told)
    largest = max((line.award.amount for line in settlement.lines), default=Money(0))
    return replace(settlement, needed=needed(largest, told[3]))


def _transfer_leaves_the_overflow(right: Any, amount: Any, before: Any) -> Any:
    return right(amount, before._replace(overflow=0, contributed=before.contributed + before.overflow))


def _j_pot_fixes_nothing(right: Any, wins: Any, terms: Any) -> Any:
    return [replace(each, fixed=None) for each in right(wins, terms)]


def _key_of_an_executive(right: Any, need: Needed, level: int) -> bool:
    return need.people == 1 and level >= need.level


def _queue_is_not_asked(right: Any, marks: Any, place: Any) -> Any:
    return []


def _overflow_is_lost(right: Any, moved: Any, meter_before: int, terms: Any) -> Any:
    cut = right(moved, meter_before, terms)
    return replace(cut, overflow=moved.overflow, house=cut.house + cut.overflow - moved.overflow)


def _only_the_row_right_below(right: Any, line: Any, terms: Any) -> Any:
    return right(line, terms)[:1]


def _aggregate_cuts_nothing(right: Any, hits: Any, terms: Any) -> Any:
    return list(hits)


def _dry_meters_stay(right: Any, pot_: Any, award: Any, terms: Any) -> Any:
    return award


def _a_number_is_enough(right: Any, **told: Any) -> Any:
    """Nobody has to show to be there: whoever knows a card's number signs with it."""
    found = card_in(told["rows"])
    return right(**told) if found is None or told["pin"] else found.comes_to(timezone.now())


def _seven_count_as_eight(right: Any, books: Any, jackpot_id: int, spots: int, about: Any) -> Any:
    return right(books, jackpot_id, spots + (spots == 7), about)


def _sign_forgets_envy(right: Any, pot_: Any, act: Any) -> Any:
    return [award for award in right(pot_, act) if not award.envy]


def _judged_alone(right: Any, pot_: Any, act: Any, frozen: int) -> Any:
    return [each for each in right(pot_, act, frozen) if each.seq != judgement.AFTER_ALL]


def _returns_are_forgotten(right: Any, frozen: int, resets: Any) -> int:
    return frozen


def _nothing_passed(right: Any, *told: Any) -> Any:
    return []


def _no_pace(right: Any, *told: Any) -> Any:
    return None


def _refused_is_accepted(right: Any, **told: Any) -> Any:
    return right(**{**told, "accept": True})


def _counted_for_everybody(right: Any, jackpots: Any, seats: str, chip: int, facts: Any, played: Any) -> Any:
    """What is played of a further wager raises the jackpots of the first one too."""
    more = "".join(sorted({*seats, *(seat for each in played for seat in each.seats)}))
    return right(jackpots, more if seats else seats, chip, facts, played)


def _any_chip_wins(right: Any, round_: Any, hand: str, seat: int) -> Any:
    at_round.check_coin_in(round_, seat)
    return at_round.lines_paying(round_, hand)


def _envy_of_any_wager(right: Any, books: Any, hits: Any, seats_on: Any, *told: Any) -> Any:
    return right(books, hits, lambda _: [int(seat) for seat in seats_on.__self__.everybody], *told)


def _meter_makes_up(right: Any, owed: Any, source: str, *told: Any) -> Movement:
    """What the house owes the winners comes out of the meter."""
    made: Movement = right(owed, "meter", *told)
    return made


def _counts_as_typed(right: Any, row: Any, given: Any) -> Money:
    """A gift counts as it was written, whatever the limit left of it."""
    right(row, given)
    return given.amount_money  # type: ignore[no-any-return]


def _ranks_when_said(right: Any, books: Any, lit_key: Any, seats: Any, by: Any) -> None:
    """The seats of a lit key rank from when they were said, and no longer from when it was lit."""
    right(books, lit_key, seats, by)
    now = books.heads[lit_key.jackpot_id].last_seq
    said = type(lit_key).objects.filter(jackpot_id=lit_key.jackpot_id, mark_seq=lit_key.mark_seq, seat__in=seats)
    said.filter(table_code=lit_key.table_code, line=lit_key.line).update(mark_seq=now, frozen_seq=now)


ANY = ("reference", "clockwise", "parts of a cent", "equal shares")
FAULTS: tuple[Fault, ...] = (
    Fault("a dead mark ranks", ANY,
          _both(_instead(_dead_mark_ranks, "open_marks_of", queue, queue_acts), _dead_marks_in_the_database)),
    Fault("a tray mark gives the frozen point", ANY, _instead(_tray_mark_ranks, "pot_of", approve)),
    Fault("reset before the shortfall", ("nothing kept back", "clockwise"),
          _instead(_reset_before_shortfall, "_award", settlement)),
    Fault("envy is forgotten", ANY, _instead(_nothing_passed, "_envy", settlement)),
    Fault("envy from the tray", ANY, _instead(_envy_from_the_tray, "_envy", settlement)),
    Fault("the other rounding", ("parts of a cent", "equal shares"), _instead(_other_rounding, "share", Money)),
    Fault("a reset releases what came in since", ANY, _instead(_releases_all, "reset", movement)),
    Fault("a reset returns no overflow", ("clockwise", "equal shares", "parts of a cent"),
          _instead(_returns_no_overflow, "reset", movement)),
    Fault("what an earlier reset returned is sought there again", ("at the limit",),
          _instead(_returns_are_forgotten, "still_frozen", settlement, approve, judgement)),
    Fault("a reseed above the limit", ("at the limit", "nothing kept back"),
          _instead(_reseeds_above_the_limit, "reset", movement)),
    Fault("an override is a mere permission", ANY, _instead(_override_is_a_permission, "comes_before", rank)),
    Fault("whom an override passed is not frozen anew", ANY, _instead(_nothing_passed, "passed_by", queue_acts)),
    Fault("nobody waits in the queue", ANY, _instead(_queue_is_not_asked, "ahead", queue)),
    Fault("seats in the other order", ANY, _instead(lambda right, *told: right(*told)[::-1], "in_order", settlement)),
    Fault("a void gives nothing back", ANY, _instead(_void_gives_nothing_back, "_take_back", undo)),
    Fault("a recount keeps the old count", ANY, _instead(_recount_keeps_the_old, "_take_back", undo)),
    Fault("the basis holds coin-ins since", ANY, _instead(_basis_with_coin_ins_since, "pot_of", approve)),
    Fault("newer terms judge an older coin-in", ANY, _instead(_newer_terms_judge, "versions_of", at_round)),
    Fault("odd cents are shared too", ("equal shares", "never less"),
          _instead(_odd_cents_are_shared, "_shared", settlement)),
    Fault("the house pays every shortfall", ("parts of a cent", "dry meter", "never less"),
          _instead(_house_pays_every_shortfall, "shortfall", movement)),
    Fault("more is repaid than the stated part", ("dry meter",), _instead(_repays_too_much, "repay", movement)),
    Fault("a dry meter stays dry", ("dry meter",), _instead(_dry_meters_stay, "_restarted", settlement)),
    Fault("what was paid in error is forgotten", ANY, _instead(_paid_in_error_is_forgotten, "undone", contra)),
    Fault("the largest award decides who approves", ANY, _instead(_largest_award_decides, "settle_round", hit)),
    Fault("a transfer leaves the overflow", ("equal shares", "clockwise", "parts of a cent"),
          _instead(_transfer_leaves_the_overflow, "sent", transfer.rules)),
    Fault("RUN computes again what J-POT fixed", ("never less",), _instead(_j_pot_fixes_nothing, "paid_hits", approve)),
    Fault("an executive's key approves what only the card may", ANY, _instead(_key_of_an_executive, "by_key", Needed)),
    Fault("what no table can have dealt counts at once", ANY, _instead(_no_pace, "why_implausible", round_acts)),
    Fault("what was refused raises the meter", ANY, _instead(_refused_is_accepted, "decide_kept_back", rounds_api)),
    Fault("further chips raise the jackpots of the first wager", ANY,
          _instead(_counted_for_everybody, "chips_by_jackpot", wagered)),
    Fault("a mark wins on a wager that its seat did not play", ANY,
          _instead(_any_chip_wins, "lines_of_seat", hit, lit_keys)),
    Fault("envy of a wager that a seat did not play", ANY, _instead(_envy_of_any_wager, "settle_round", hit)),
    Fault("a lit key ranks when its seats are said", ANY, _instead(_ranks_when_said, "put_on_seats", lit)),
    Fault("what is above the limit is always revenue", ("clockwise", "equal shares"),
          _instead(_overflow_is_lost, "cut_at_limit", movement)),
    Fault("only the row right below is compared", ("never less",),
          _instead(_only_the_row_right_below, "below_of", next_row)),
    Fault("the aggregate cuts nothing", ("never less", "parts of a cent"),
          _instead(_aggregate_cuts_nothing, "within_aggregate", settlement)),
    Fault("what was made up is made up again", ANY, _instead(lambda right, win: None, "_last_page", underpayment)),
    Fault("an underpayment is the meter's", ANY, _instead(_meter_makes_up, "difference", movement)),
    Fault("each of several sharers is owed the whole", ("equal shares",),
          _instead(lambda right, win: 1, "_sharers", underpayment)),
    Fault("a gift counts as it was typed", ("clockwise", "at the limit"),
          _instead(_counts_as_typed, "_given", underpayment)),
    Fault("a sign forgets the envy", ANY, _instead(_sign_forgets_envy, "settle", judgement.OpenPot)),
    Fault("a sign judges each act alone", ANY, _instead(_judged_alone, "_counted", judgement.OpenPot)),
    Fault("a sign judges in the other order", ANY,
          _instead(lambda right, *told: right(*told)[::-1], "in_turn", judgement)),
    Fault("a card's number is enough", ANY, _instead(_a_number_is_enough, "known_card_with_pin", at_round)),
    Fault("seven seats count as eight", ANY, _instead(_seven_count_as_eight, "coin_in", Books)),
)  # fmt: skip


def by_name() -> Mapping[str, Fault]:
    return {fault.name: fault for fault in FAULTS}
