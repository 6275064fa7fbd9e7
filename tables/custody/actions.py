"""A key or a seal is put on the register; two people of two departments write down what happens to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.actions.presence import CardSource, card_with_pin, hold_card
from jackpot.people.actions.sign_in import sign_in
from jackpot.people.models import Operator, Role
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.signing.actions import SecondPerson
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from tables.custody.models import CustodyItem, CustodyMove
from tables.custody.queries import role_names
from tables.custody.rules import (
    ACT_WORDS,
    CODE,
    LONGEST_PURPOSE,
    MOST_HOURS,
    NUMBER,
    READS_NEW,
    READS_OLD,
    CustodyAct,
    CustodyKind,
    CustodyState,
    GuardedPlace,
    department_refusal,
    state_after,
)

LONGEST_WHERE = 60


@dataclass(frozen=True, slots=True)
class CustodyFacts:
    """What a key opens or a seal closes, and whose it is."""

    code: str
    kind: CustodyKind
    place: GuardedPlace
    where: str
    holder: str
    countersigner: str
    hours: int | None = None


@dataclass(frozen=True, slots=True)
class OtherPerson:
    """How the second of the two shows to be there: a card with its PIN, or the own name and password."""

    card: str = ""
    pin: str = ""
    username: str = ""
    password: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class CustodyWords:
    """What is written down: the act, what for, and the numbers that were read."""

    act: CustodyAct
    purpose: str
    old_seal: str = ""
    new_seal: str = ""


@transaction.atomic
def add_item(*, premises: Property, facts: CustodyFacts, by: Operator) -> CustodyItem:
    """From now on it is touched by two people only; a wrong line is answered by another one under another code."""
    if not CODE.fullmatch(facts.code):
        raise NotUnderstood("Write a code of up to 20 capitals, digits and hyphens, such as BOX-04.", "code")
    if not 0 < len(facts.where.strip()) <= LONGEST_WHERE:
        why = f"Say in 1 to {LONGEST_WHERE} characters which cabinet, table or hall it is."
        raise NotUnderstood(why, "where")
    known = set(Role.objects.values_list("code", flat=True))
    unknown = [role for role in (facts.holder, facts.countersigner) if role not in known]
    if unknown:
        raise NotUnderstood(f"There is no role “{unknown[0]}”. Name two known ones.", "role")
    # Two people of one department would be one pair of eyes.
    if facts.holder == facts.countersigner:
        raise NotUnderstood("Who takes it and who lets it be taken are two departments. Name another role.", "role")
    if (facts.kind is CustodyKind.KEY) != (facts.hours is not None) or not 0 < (facts.hours or 1) <= MOST_HOURS:
        raise NotUnderstood(f"A key is out for 1 to {MOST_HOURS} hours before it rings; a seal for none.", "hours")
    # The house stands for its register: of two who add the same code the second hears it in a sentence.
    Property.objects.select_for_update(no_key=True).get(pk=premises.pk)
    if CustodyItem.objects.filter(premises=premises, code=facts.code).exists():
        raise NotAllowedNow(f"{facts.code} is on the register already. Choose another code.", "known")
    row = CustodyItem.objects.create(
        premises=premises, code=facts.code, kind=facts.kind, place=facts.place, where=facts.where.strip(),
        holder=facts.holder, countersigner=facts.countersigner, hours=facts.hours, added_by=by,
    )  # fmt: skip
    details = {"guards": row.guards, "holder": row.holder, "countersigner": row.countersigner, "hours": row.hours}
    record(actor=by, act="add_custody", about=_about(row), subject=str(row), details=details)
    return row


def write_move(*, item: CustodyItem, words: CustodyWords, by: Operator, other: OtherPerson) -> CustodyMove:
    """Whoever is signed in and another person, one of each department. The other shows to be there first."""
    # Before any lock: a PIN takes 90 ms by design, and a wrong one counts even where the act is refused.
    second = other_present(item.premises, other)
    with transaction.atomic():
        Property.objects.select_for_update(no_key=True).get(pk=item.premises_id)  # its own row is nobody's to change
        row = CustodyItem.objects.select_related("premises").get(pk=item.pk)
        hold_both(row.premises, by, second)
        _check_two(row, by, second.operator)
        last = row.moves.order_by("-number").first()
        state = _next_state(row, last, words)
        # Not simply the last move: a seal that was found broken is written down without a new number.
        sealed = row.moves.exclude(new_seal="").order_by("-number").first()
        return _written(row, last, state, _read(words, sealed), (by, second.operator))


def other_present(premises: Property, other: OtherPerson) -> SecondPerson:
    """The second of two who write something down together; a refusal says how to show to be there."""
    if other.card.strip():
        source = CardSource(address=other.address)
        least = premises.thresholds.pin_from_level
        # With the PIN whatever the threshold: the second of two always shows to be there.
        card = card_with_pin(swipe=other.card, pin=other.pin, pin_from_level=least, source=source, always=True)
        return SecondPerson(card.operator, card)
    if not other.username.strip() or not other.password:
        why = "The other department reads a card and gives its PIN, or writes the own name and password."
        raise NotUnderstood(why, "proof")
    return SecondPerson(sign_in(username=other.username.strip(), password=other.password, address=other.address))


def hold_both(premises: Property, by: Operator, second: SecondPerson | None) -> None:
    """Behind the act's own locks: neither was dismissed since, and a card that was read is still what it was."""
    check_works_here(by, *([] if second is None else [second.operator]))
    if second is not None and second.card is not None:
        hold_card(second.card, premises.thresholds.pin_from_level, premises.gaming_day(timezone.now()))


def _check_two(row: CustodyItem, by: Operator, second: Operator) -> None:
    for person in (by, second):
        if person.premises_id not in (None, row.premises_id):
            raise NotFound(f"There is no {row} in the house of {person}.", "no_custody")
    if by.pk == second.pk:
        raise NotAllowed(f"{by} is one person. Somebody of the other department signs with {by}.", "same_person")
    roles = [set(each.roles.values_list("code", flat=True)) for each in (by, second)]
    refusal = department_refusal(row.holder, row.countersigner, *roles)
    if refusal:
        names = role_names()
        asked = " and ".join(names.get(role, role) for role in (row.holder, row.countersigner))
        raise NotAllowed(f"{_capital(row)} takes two people, {asked}. {refusal}", "role")


def _next_state(row: CustodyItem, last: CustodyMove | None, words: CustodyWords) -> CustodyState:
    stands = CustodyState(last.state) if last else row.first_state
    state = state_after(stands, words.act)
    if state is None:
        with_whom = f" since {last.person_name} and {last.second_name} wrote so" if last else ""
        why = f"{_capital(row)} is {stands.value}{with_whom}; “{ACT_WORDS[words.act]}” does not follow that."
        raise NotAllowedNow(f"{why} Look at the register first.", "state")
    if not 0 < len(words.purpose.strip()) <= LONGEST_PURPOSE:
        raise NotUnderstood(f"Say in 1 to {LONGEST_PURPOSE} characters what for.", "purpose")
    return state


def _read(words: CustodyWords, sealed: CustodyMove | None) -> CustodyMove:
    """The numbers as they were read: one that is not on the register is a fact to keep, and an alarm."""
    old, new = words.old_seal.strip(), words.new_seal.strip()
    wanted = ((old, words.act in READS_OLD, "comes off"), (new, words.act in READS_NEW, "goes on"))
    for number, asked, what in wanted:
        if asked != bool(number) or (number and not NUMBER.fullmatch(number)):
            how = f"Write the number of the seal that {what}" if asked else f"No seal {what} here; leave it empty"
            raise NotUnderstood(f"{how}: up to 30 letters, digits and signs.", "seal")
    known = sealed.new_seal if sealed else ""
    if new and new == known:
        raise NotUnderstood(f"Seal {new} is the one that is on. A replaced seal has another number.", "seal")
    # Kept and rung, not refused: a refusal would leave a seal that somebody exchanged out of the register.
    differs = bool(old) and old != known
    return CustodyMove(act=words.act, purpose=words.purpose.strip(), old_seal=old, new_seal=new, differs=differs)


def _written(
    row: CustodyItem, last: CustodyMove | None, state: CustodyState, move: CustodyMove, two: tuple[Operator, Operator]
) -> CustodyMove:
    (move.person, move.second), now = two, timezone.now()
    move.person_name, move.second_name = (str(each)[:100] for each in two)
    move.item, move.state, move.number, move.at = row, state, (last.number if last else 0) + 1, now
    move.due_at = _due(row, state, now)
    move.save(force_insert=True)
    told = {"purpose": move.purpose, "with": two[1].username, "old_seal": move.old_seal, "new_seal": move.new_seal}
    why = f"seal {move.old_seal} came off, and the register has another number" if move.differs else ""
    outcome = "alarm" if move.differs or state is CustodyState.BROKEN else "done"
    record(
        actor=two[0], act=f"custody_{move.act}", about=_about(row), subject=str(row), outcome=outcome, why=why,
        details=told,
    )  # fmt: skip
    return move


def _due(row: CustodyItem, state: CustodyState, now: datetime) -> datetime | None:
    return now + timedelta(hours=row.hours) if state is CustodyState.OUT and row.hours else None


def _about(row: CustodyItem) -> ObjectRef:
    return ObjectRef(ObjectKind.CUSTODY, row.code, row.premises_id)


def _capital(row: CustodyItem) -> str:
    return f"{row.kind.capitalize()} {row.code}"
