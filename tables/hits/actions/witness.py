"""Somebody stands by a large act before it is paid: by their own card and PIN, or their own password; never for others.

The table of amounts says who (jackpot/property/rules/witness.py), the window waits for them (`why_unpaid`).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from jackpot.books.actions.post import lock
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.actions.presence import CardSource, card_with_pin, hold_card, too_low
from jackpot.people.actions.sign_in import sign_in
from jackpot.people.models import Card, Operator
from jackpot.property.rules.authority_change import grouped
from jackpot.property.rules.witness import LEVEL_OF, SPEAKS, WITNESS_WORDS, WitnessPart
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.models import Win
from jackpot.wins.queries.witnesses import ActWitnesses, act_of, approvals_of, noted_of, witnesses_of
from jackpot.wins.rules.win_life import SPOKEN, WinState
from jackpot.witnesses.models import ActWitness

LONGEST_REFERENCE = 200
UNPAID = (WinState.LOGGED, WinState.OWED)


@dataclass(frozen=True, slots=True)
class WitnessProof:
    """What somebody gave to show that they are there; `reference` says whom of the regulator an executive told."""

    card: str = ""
    pin: str = ""
    password: str = ""
    address: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Present:
    """Who is there, and the card that was read."""

    operator: Operator
    card: Card | None


def stand_by(*, win: Win, part: WitnessPart, proof: WitnessProof, by: Operator) -> ActWitness:
    """The word of one witness for the act of a win that is approved and not paid. It stays."""
    who = _present(win, part, proof, by)  # a PIN takes 90 ms by design, so before any lock
    with transaction.atomic():
        # The lock that a window takes to pay: a slip is paid, or gains a witness, and never both at once.
        lock(sorted({each.jackpot_id for each in act_of(win)} | {win.jackpot_id}))
        found = Win.objects.select_related("jackpot__premises").get(pk=win.pk)
        if found.state not in UNPAID:
            why = f"Slip {found.slip} is {SPOKEN[WinState(found.state)]}; nobody stands by it any more."
            raise NotAllowedNow(why, "not_owed")
        told = witnesses_of(found)
        _check_asked(found, part, told)
        _check_person(found, part, who, proof.reference)
        return _keep(found, part, who, proof.reference.strip(), told)


def _present(win: Win, part: WitnessPart, proof: WitnessProof, by: Operator) -> Present:
    """A card speaks for a level; surveillance and the regulator may say it with their password alone."""
    house = win.jackpot.premises
    if not proof.card.strip() and not proof.password:
        why = "Read your card and give its PIN, or write your own password."
        raise NotUnderstood(f"Whoever stands by shows to be there. {why}", "proof")
    if part in LEVEL_OF or proof.card.strip():
        source = CardSource(person=by, password=proof.password, address=proof.address)
        card = card_with_pin(
            swipe=proof.card, pin=proof.pin, pin_from_level=house.thresholds.pin_from_level, source=source, always=True
        )
        return Present(card.operator, card)
    return Present(sign_in(username=by.username, password=proof.password, address=proof.address), None)


def _check_person(win: Win, part: WitnessPart, who: Present, reference: str) -> None:
    person, house = who.operator, win.jackpot.premises
    check_works_here(person)
    if who.card is not None:
        # The card was proved before the lock; held until the commit, it cannot be blocked in between.
        hold_card(who.card, house.thresholds.pin_from_level, house.gaming_day(timezone.now()))
    # As if there were no such slip: nobody hears of the wins of another house.
    if person.premises_id not in (None, house.pk):
        raise NotFound(f"There is no slip {win.slip} in the house of {person}.", "no_slip")
    if part in LEVEL_OF:
        _check_level(LEVEL_OF[part], who)
    elif SPEAKS[part] not in person.verbs():
        _check_brings_word(part, who, reference)
    _check_apart(win, part, person)
    if any(note.operator_id == person.pk for note in noted_of(house, win)):
        raise NotAllowed(f"{person} stands by this act already. Another person must.", "same_person")


def _check_apart(win: Win, part: WitnessPart, person: Operator) -> None:
    """Who marked or approved the hit is not its surveillance nor its regulator as well: they would count twice."""
    act = act_of(win)
    speaks = part in SPEAKS and SPEAKS[part] in person.verbs()  # an executive who brings a word only carries it
    own_marks = part in LEVEL_OF and win.jackpot.premises.thresholds.marker_may_verify
    if (part in LEVEL_OF or speaks) and not own_marks and any(each.marker_id == person.pk for each in act):
        raise NotAllowed(f"{person} marked this hit and cannot stand by its payment. Another person must.", "marker")
    if part is not WitnessPart.SECOND_PERSON and not speaks:
        return
    if any(word.person == person.pk for word in approvals_of(act)):
        why = f"{person} approved this win. A second, different person stands by."
        raise NotAllowed(why, "same_person")


def _check_level(least: int, who: Present) -> None:
    assert who.card is not None, "a level is that of a card"
    if who.card.level < least:
        wanted, own = Card.Level(least).label, Card.Level(who.card.level).label
        raise too_low(who.card, f"This takes the card of a {wanted}; {who.operator} has that of a {own}.")


def _check_brings_word(part: WitnessPart, who: Present, reference: str) -> None:
    """Surveillance speaks for itself. Of the regulator an executive may bring the word, and says whose it is."""
    named = WITNESS_WORDS[part]
    if part is WitnessPart.SURVEILLANCE:
        why = "Somebody of surveillance notes it."
        raise NotAllowed(f"{who.operator} has no role that speaks for {named}. {why}", "role")
    if who.card is None or who.card.level < Card.Level.EXECUTIVE:
        why = "The regulator's own person notes it, or an executive by card, naming whom of theirs was told."
        raise NotAllowed(f"{who.operator} has no role that speaks for {named}. {why}", "role")
    if not 1 <= len(reference.strip()) <= LONGEST_REFERENCE:
        why = f"Say in 1 to {LONGEST_REFERENCE} characters whom of the regulator you told, how and when."
        raise NotUnderstood(why, "reference")


def _check_asked(win: Win, part: WitnessPart, told: ActWitnesses) -> None:
    line = next((line for line in told.lines if line.part is part), None)
    if line is None:
        why = f"Slip {win.slip} does not wait for {WITNESS_WORDS[part]}"
        asked = " and ".join(f"{each.words} (from {grouped(each.since)})" for each in told.lines)
        raise NotAllowedNow(
            f"{why}. {f'It asks for {asked}.' if asked else 'No sum here asks for anybody.'}", "not_asked"
        )
    if line.met:
        who = line.note.operator_name if line.note else "the words of its approval"
        raise NotAllowedNow(f"For {line.words} {who} stands by slip {win.slip} already.", "noted")


def _keep(win: Win, part: WitnessPart, who: Present, reference: str, told: ActWitnesses) -> ActWitness:
    assert win.logged_at is not None, "an act has the moment of its approval"
    brought = part is WitnessPart.REGULATOR and SPEAKS[part] not in who.operator.verbs()
    row = ActWitness.objects.create(
        premises=win.jackpot.premises, table_code=win.table_code, round_number=win.round_number,
        approved_at=win.logged_at, part=part, operator=who.operator, operator_name=str(who.operator)[:100],
        card=who.card, level=who.card.level if who.card else 0, reference=reference if brought else "",
    )  # fmt: skip
    row.refresh_from_db()
    slips = [each.slip for each in act_of(win)]
    details = {"part": part, "total": str(told.total), "slips": slips, "card": who.card.last_four if who.card else ""}
    about = objects.slip(win.slip, win.premises_id)
    record(actor=who.operator, act="stand_by", about=about, why=row.reference, details=details)
    return row
