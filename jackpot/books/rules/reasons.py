"""What an entry says in one sentence, and why a meter fell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jackpot.books.rules.entry_kind import EntryKind, known_kind

UNKNOWN: Final = "Posted as “{kind}”."
SENTENCES: Final[Mapping[EntryKind, str]] = {
    EntryKind.OPENING: "The jackpot was opened; the house posted its seed.",
    EntryKind.TAKE_OVER: "The jackpot was taken over from another system by its last reading.",
    EntryKind.COIN_IN: "Coin-in{place}.",
    EntryKind.VOID: "Round{place} was voided; what its coin-in had brought (entry {corrects}) was taken back.",
    EntryKind.RECOUNT: "Round{place} was counted again; its first count (entry {corrects}) was taken back.",
    EntryKind.MARK: "A hit{place} was marked; its amount is frozen from here.",
    EntryKind.UNMARK: "A mark{place} was taken back before anybody asked.",
    EntryKind.ASSIGN: "The pit said which seats hold the lit hand{place}.",
    EntryKind.PARK: "An executive parked a hit{place}; the table played on.",
    EntryKind.CLAIM: "A hit{place} was claimed after the round, with evidence and two people.",
    EntryKind.ASK: "A hit{place} was asked for and is being verified.",
    EntryKind.RELEASE: "A hit{place} is asked for no longer.",
    EntryKind.FALL: "A hit{place} fell with its void round.",
    EntryKind.PASS_QUEUE: "An executive and a second person let the hit{place} pass the queue.",
    EntryKind.REJOIN: "The hit{place} stands in the queue again, where its mark ranks it.",
    EntryKind.OVERRIDE: "An executive and a second person had the hit{place} paid in spite of its cards.",
    EntryKind.OUTRANK: "A hit{place} was outranked by a higher hand.",
    EntryKind.REJECT: "A hit{place} was not confirmed.",
    EntryKind.LOG: "A win{place} was logged.",
    EntryKind.AWARD: "An award{place}.",
    EntryKind.ADVANCE: "The award before left the meter dry; it began anew at the seed, which the house advanced.",
    EntryKind.REPAY: "Of this coin-in the stated part repaid the house advance.",
    EntryKind.PAY: "A winner{place} was paid.",
    EntryKind.BACK_OUT: "A win{place} was backed out; what it had moved (entry {corrects}) came back.",
    EntryKind.RECEIPT: "Money came back that had been paid in error for a win{place}.",
    EntryKind.CONFIGURE: "Two people put other terms in force.",
    EntryKind.ADJUST: "An adjustment that two people signed.",
    EntryKind.DIFFERENCE: "Two people decided what a winner{place} is owed beside the award.",
    EntryKind.TRANSFER_OUT: "Money went to another jackpot of the same game, wager and odds.",
    EntryKind.TRANSFER_IN: "Money came from another jackpot of the same game, wager and odds.",
    EntryKind.SUSPEND: "The jackpot was suspended: no coin-in counts until it is resumed.",
    EntryKind.RESUME: "The jackpot plays again.",
    EntryKind.RETIRE: "The jackpot was retired on its closing reading: no coin-in counts any more.",
}
assert SENTENCES.keys() == set(EntryKind), "every kind has its sentence"


def reason(kind: str, table_code: str, round_number: int | None, corrects: int | None) -> str:
    """One sentence for one entry, made only of what the entry itself says."""
    place = f" of round {round_number} at {table_code}" if round_number is not None else ""
    known = known_kind(kind)
    if known in (EntryKind.VOID, EntryKind.RECOUNT) and round_number is not None:
        place = f" {round_number} at {table_code}"
    number = "unknown" if corrects is None else str(corrects)
    sentence = UNKNOWN if known is None else SENTENCES[known]
    return sentence.format(place=place, corrects=number, kind=kind)
