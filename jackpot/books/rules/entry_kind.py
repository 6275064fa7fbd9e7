"""Every kind of entry: its word in the seal, what people call it, and what it moves. The books know no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final


class EntryKind(StrEnum):
    """The word stands in the sealed line, so it never changes."""

    OPENING = "opening"
    TAKE_OVER = "take_over"
    COIN_IN = "coin_in"
    VOID = "void"
    RECOUNT = "recount"
    MARK = "mark"
    UNMARK = "unmark"
    ASSIGN = "assign"
    ASK = "ask"
    RELEASE = "release"
    OUTRANK = "outrank"
    REJECT = "reject"
    FALL = "fall"
    PARK = "park"
    CLAIM = "claim"
    PASS_QUEUE = "pass_queue"
    REJOIN = "rejoin"
    OVERRIDE = "override"
    LOG = "log"
    AWARD = "award"
    ADVANCE = "advance"
    REPAY = "repay"
    PAY = "pay"
    BACK_OUT = "back_out"
    RECEIPT = "receipt"
    CONFIGURE = "configure"
    ADJUST = "adjust"
    DIFFERENCE = "difference"
    TRANSFER_OUT = "transfer_out"
    TRANSFER_IN = "transfer_in"
    SUSPEND = "suspend"
    RESUME = "resume"
    RETIRE = "retire"

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS: Final[Mapping[EntryKind, str]] = {
    EntryKind.OPENING: "seed posted",
    EntryKind.TAKE_OVER: "taken over from another system",
    EntryKind.COIN_IN: "coin-in",
    EntryKind.VOID: "round voided",
    EntryKind.RECOUNT: "round counted again",
    EntryKind.MARK: "hit marked",
    EntryKind.UNMARK: "mark taken back",
    EntryKind.ASSIGN: "seats of a lit key said",
    EntryKind.ASK: "hit asked for",
    EntryKind.RELEASE: "asked for no longer",
    EntryKind.OUTRANK: "outranked by a higher hand",
    EntryKind.REJECT: "hit not confirmed",
    EntryKind.FALL: "hit void with its round",
    EntryKind.PARK: "hit parked, the table plays on",
    EntryKind.CLAIM: "hit claimed after the round",
    EntryKind.PASS_QUEUE: "let pass the queue",
    EntryKind.REJOIN: "in the queue again",
    EntryKind.OVERRIDE: "paid in spite of its cards",
    EntryKind.LOG: "win logged",
    EntryKind.AWARD: "award",
    EntryKind.ADVANCE: "house advance: a dry meter began anew",
    EntryKind.REPAY: "house advance repaid",
    EntryKind.PAY: "winner paid",
    EntryKind.BACK_OUT: "win backed out",
    EntryKind.RECEIPT: "money paid in error came back",
    EntryKind.CONFIGURE: "other terms in force",
    EntryKind.ADJUST: "adjustment",
    EntryKind.DIFFERENCE: "difference owed to a winner",
    EntryKind.TRANSFER_OUT: "transferred to another jackpot",
    EntryKind.TRANSFER_IN: "transferred from another jackpot",
    EntryKind.SUSPEND: "suspended",
    EntryKind.RESUME: "resumed",
    EntryKind.RETIRE: "retired",
}
CHOICES: Final = [(kind.value, kind.label) for kind in EntryKind]

# What the page for strangers says of each; kinds that move in the same way share a line.
_MOVES: Final[Mapping[tuple[EntryKind, ...], str]] = {
    (EntryKind.OPENING,): "the seed: house −, meter +. Always entry 1",
    (EntryKind.TAKE_OVER,): "instead of an opening: the reading of the old system. meter, reserve, overflow +; "
    "house − what it had advanced; outside the rest",
    (EntryKind.COIN_IN,): "k chips of the wager: contributed −k·w·(rate + reserve rate), meter +k·w·rate, "
    "reserve +k·w·reserve rate. What would lift the meter above its limit goes to overflow (or to the house, by the "
    "switch `overflow`)",
    (EntryKind.VOID, EntryKind.RECOUNT): "the exact contra of the coin-in, or of its `repay`, named in *corrects*. "
    "What a balance lacks for it is made good by the reserve, then the house. A mark that falls with its round is a "
    "`void` that moves and corrects nothing",
    (
        EntryKind.MARK, EntryKind.UNMARK, EntryKind.ASSIGN, EntryKind.ASK, EntryKind.RELEASE, EntryKind.OUTRANK,
        EntryKind.REJECT, EntryKind.FALL, EntryKind.PARK, EntryKind.CLAIM, EntryKind.PASS_QUEUE, EntryKind.REJOIN,
        EntryKind.OVERRIDE, EntryKind.LOG,
    ): "nothing. Their number is the order in which things happened",
    (EntryKind.AWARD,): "what a seat wins: winners +, out of meter, reserve, overflow and house; a shortfall, and "
    "after it a reseed, is part of the same entry",
    (EntryKind.ADVANCE,): "right after an award that left the meter dry, where the terms restart it: meter +seed, "
    "house −seed ([decision 0006](decisions/0006-a-dry-meter-begins-anew.md))",
    (EntryKind.REPAY,): "right after a coin-in, while an advance is owed: k × the stated part, meter −, house +, "
    "never more than the coin-in raised the meter by. Its key is the coin-in's with `/repay`",
    (EntryKind.PAY,): "winners −, paid +",
    (EntryKind.BACK_OUT,): "the contra of the award named in *corrects*, and of its `advance` as far as it is still "
    "owed; a sum already paid stays paid and falls to the house. A win that had not moved the meter yet is backed out "
    "by an entry that moves nothing",
    (EntryKind.RECEIPT,): "what a window paid for a win that was backed out afterwards comes back, all of it or a "
    "part: paid −, house +; never more than was paid, and never into the meter "
    "([decision 0016](decisions/0016-what-was-paid-in-error-comes-back.md))",
    (EntryKind.CONFIGURE,): "nothing. Two people put other terms in force at once; it is the first entry that names "
    "their version",
    (EntryKind.ADJUST,): "two people: the meter or the reserve +/−, the house the other way; what is above the limit "
    "goes to overflow",
    (EntryKind.DIFFERENCE,): "after a back-out, or when an underpayment was found: owed to a winner by a page of "
    "its own, from the meter (what it lacks comes from the declared source) or from the house. Where two people only "
    "note it, the entry moves nothing and names the winner's own win",
    (EntryKind.TRANSFER_OUT, EntryKind.TRANSFER_IN): "to a jackpot of the same game, wager and odds: meter, reserve "
    "and overflow of one go outside, and come in at the other. The key of each names the other entry",
    (EntryKind.SUSPEND, EntryKind.RESUME, EntryKind.RETIRE): "nothing. From a `suspend` or `retire` on no coin-in "
    "counts",
}  # fmt: skip
assert [kind for kinds in _MOVES for kind in kinds] == list(EntryKind), "every kind says once what it moves"


def known_kind(word: str) -> EntryKind | None:
    """The kind of this word; None where the books have no such kind."""
    return EntryKind(word) if word in _WORDS else None


def table_of_kinds() -> Iterator[str]:
    """The lines of the table in docs/books.md, which holds nothing else between its heading and the next."""
    yield "| kind | moves |"
    yield "|---|---|"
    for kinds, moves in _MOVES.items():
        yield f"| {' '.join(f'`{kind}`' for kind in kinds)} | {moves} |"


_WORDS: Final = frozenset(kind.value for kind in EntryKind)

if __name__ == "__main__":
    print("\n".join(table_of_kinds()))  # noqa: T201 - to be pasted into docs/books.md
