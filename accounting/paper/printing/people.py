"""Who stands on a page: the dealer, everybody who signed, and lines for those who sign by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.property.rules.witness import WITNESS_WORDS, WitnessPart
from jackpot.web.templatetags.figures import clock
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.win_life import WinState
from jackpot.witnesses.models import ActWitness
from tables.rounds.models.round import Round

Person = dict[str, str]
PARTS: Final = {
    Signature.Part.CLAIM: "Opened the claim",
    Signature.Part.OVERRIDE: "Let it pass the queue",
    Signature.Part.REJOIN: "Put it back in the queue",
    Signature.Part.TAKEN_BACK: "Word taken back with the key",
    Signature.Part.CARDS: "Overrode the cards",
    Signature.Part.PAY: "Paid by",
    Signature.Part.BACK_OUT: "Backed out",
    Signature.Part.DIFFERENCE: "Difference",
}


def people_rows(
    win: Win, round_: Round | None, badge: Card | None, signatures: Sequence[Signature], house: Property,
    witnesses: Sequence[ActWitness] = (),
) -> list[Person]:  # fmt: skip
    """Dealer and signers with the last four of their cards; the player writes name and signature by hand."""
    dealer = str(round_.dealer) if round_ is not None and round_.dealer else win.marked_by
    rows = [_person("Dealer", dealer, _last_four(badge), clock(win.marked_at, house))]
    rows += [_signer(each, house) for each in signatures]
    rows += [_stood_by(each, house) for each in witnesses]
    # A void page has no lines to sign: nobody shall pay on it.
    if win.state == WinState.BACKED_OUT:
        return rows
    if not any(each.part == Signature.Part.PAY for each in signatures):
        rows.append(_person("Paid by", "", "", ""))
    return [*rows, _person("Player", "", "", "")]


def void_words(signatures: Sequence[Signature]) -> str:
    """Why a page is void, and the two people who said so."""
    signed = [each for each in signatures if each.part == Signature.Part.BACK_OUT]
    names = " and ".join(str(each.operator) for each in signed)
    why = signed[0].why if signed else ""
    return f"Backed out by {names}: {why}" if signed else ""


def _signer(signature: Signature, house: Property) -> Person:
    if signature.part == Signature.Part.APPROVE:
        role = Card.Level(signature.level).label.capitalize()
        # In the key profile a J-POT key was turned, and no card was read.
        card = _last_four(signature.card) or "by key"
    else:
        role, card = PARTS[Signature.Part(signature.part)], _last_four(signature.card)
    return _person(role, str(signature.operator), card, clock(signature.at, house))


def _stood_by(note: ActWitness, house: Property) -> Person:
    """Whoever stood by before the payment; of the regulator's word, who brought it."""
    role = WITNESS_WORDS[WitnessPart(note.part)].removeprefix("a ").removeprefix("an ").removeprefix("the ")
    name = f"{note.operator_name} ({note.reference})" if note.reference else note.operator_name
    return _person(f"Stood by: {role}", name, _last_four(note.card), clock(note.at, house))


def _last_four(card: Card | None) -> str:
    return f"•••• {card.last_four}" if card else ""


def _person(role: str, name: str, card: str, at: str) -> Person:
    return {"role": role, "name": name, "card": card, "at": at}
