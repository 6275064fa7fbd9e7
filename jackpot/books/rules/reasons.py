"""What an entry says in one sentence, and why a meter fell."""

from __future__ import annotations

from typing import Final

UNKNOWN: Final = "Posted as “{kind}”."
SENTENCES: Final = {
    "opening": "The jackpot was opened; the house posted its seed.",
    "take_over": "The jackpot was taken over from another system by its last reading.",
    "coin_in": "Coin-in{place}.",
    "void": "Round{place} was voided; what its coin-in had brought (entry {corrects}) was taken back.",
    "recount": "Round{place} was counted again; its first count (entry {corrects}) was taken back.",
    "mark": "A hit{place} was marked; its amount is frozen from here.",
    "unmark": "A mark{place} was taken back before anybody asked.",
    "assign": "The pit said which seats hold the lit hand{place}.",
    "park": "An executive parked a hit{place}; the table played on.",
    "claim": "A hit{place} was claimed after the round, with evidence and two people.",
    "ask": "A hit{place} was asked for and is being verified.",
    "release": "A hit{place} is asked for no longer.",
    "fall": "A hit{place} fell with its void round.",
    "pass_queue": "An executive and a second person let the hit{place} pass the queue.",
    "rejoin": "The hit{place} stands in the queue again, where its mark ranks it.",
    "override": "An executive and a second person had the hit{place} paid in spite of its cards.",
    "outrank": "A hit{place} was outranked by a higher hand.",
    "reject": "A hit{place} was not confirmed.",
    "log": "A win{place} was logged.",
    "award": "An award{place} was taken from the meter.",
    "advance": "The award before left the meter dry; it began anew at the seed, which the house advanced.",
    "repay": "Of this coin-in the stated part repaid the house advance.",
    "pay": "A winner{place} was paid.",
    "back_out": "A win{place} was backed out; what it had moved (entry {corrects}) came back.",
    "configure": "Two people put other terms in force.",
    "adjust": "An adjustment that two people signed.",
    "difference": "Two people decided what a later winner{place} is owed, after an earlier award was backed out.",
    "transfer_out": "Money went to another jackpot of the same game, wager and odds.",
    "transfer_in": "Money came from another jackpot of the same game, wager and odds.",
    "suspend": "The jackpot was suspended: no coin-in counts until it is resumed.",
    "resume": "The jackpot plays again.",
    "retire": "The jackpot was retired on its closing reading: no coin-in counts any more.",
}


def reason(kind: str, table_code: str, round_number: int | None, corrects: int | None) -> str:
    """One sentence for one entry, made only of what the entry itself says."""
    place = f" of round {round_number} at {table_code}" if round_number is not None else ""
    if kind in {"void", "recount"} and round_number is not None:
        place = f" {round_number} at {table_code}"
    number = "unknown" if corrects is None else str(corrects)
    return SENTENCES.get(kind, UNKNOWN).format(place=place, corrects=number, kind=kind)
