"""A coin-in wager by wager: which jackpots it raises, what their entries seal, what its round keeps of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jackpot.books.actions.post import Books, EntryReference
from jackpot.books.actions.writing import Posting
from jackpot.money import Money
from tables.rounds.models.further import FurtherCoinIn
from tables.rounds.models.round import Round, RoundEntry
from tables.rounds.rules.further import FurtherFacts, FurtherPlayed, JackpotChips, chips_by_jackpot, further_played
from tables.rounds.rules.round import CoinInRequest, request_digest


class WageredRound(NamedTuple):
    """What a coin-in asks, and what it raises: jackpot by jackpot, and the further wagers that are played."""

    act: CoinInRequest
    raised: Sequence[JackpotChips]
    further: Sequence[FurtherPlayed] = ()

    @classmethod
    def of(
        cls, jackpots: Sequence[int], chip: int, facts: Sequence[FurtherFacts], act: CoinInRequest
    ) -> WageredRound:  # fmt: skip
        """At a table with one wager every jackpot takes the same chips."""
        if not facts:
            return cls(act, [JackpotChips(id_, act.seats, chip) for id_ in jackpots] if act.seats else ())
        further = further_played(facts, act.further)
        return cls(act, chips_by_jackpot(jackpots, act.seats, chip, facts, further), further)


def about_coin_in(table_code: str, number: int, revision: int, seats: str, request: bytes | None) -> EntryReference:
    """What a coin-in's entry seals: the seats whose chips raised this jackpot; `request` where that is known.

    At a table with one wager these are the seats of the round, and its request is the round's own.
    """
    request = request or request_digest(table_code, number, seats)
    return EntryReference(f"{table_code}/{number}/{revision}", request, table_code, number)


def post_chips(books: Books, played: WageredRound, about: EntryReference) -> list[Posting]:
    """Each wager once, on its jackpots, the highest level first; `about` names the seats of the first wager."""
    if not played.further:
        return [books.coin_in(each.jackpot_id, len(each.seats), about) for each in played.raised]
    assert about.round_number is not None, "a coin-in is of a round"
    # By the seats: wagers that the same seats play seal the same request, each in the books of its own jackpots.
    of_seats = {played.act.seats: about} | {
        each.seats: about._replace(request=request_digest(about.table_code, about.round_number, each.seats))
        for each in played.further
    }
    return [books.coin_in(each.jackpot_id, len(each.seats), of_seats[each.seats]) for each in played.raised]


def list_entries(round_: Round, posted: Iterable[Posting]) -> None:
    """What a round is counted on from its present revision on; what it was counted on before stays listed."""
    RoundEntry.objects.bulk_create(
        RoundEntry(
            table_id=round_.table_id, number=round_.number, revision=round_.revision, level=level,
            jackpot_id=posting.jackpot_id, seq=posting.seq,
        )
        for level, posting in enumerate(posted, 1)
    )  # fmt: skip


def list_further(round_: Round, further: Iterable[FurtherPlayed]) -> None:
    """What of further wagers a round is counted on from its present revision on."""
    FurtherCoinIn.objects.bulk_create(
        FurtherCoinIn(
            table_id=round_.table_id, number=round_.number, revision=round_.revision, place=each.place,
            wager=each.code, chip=Money(each.chip).decimal(), seats=each.seats, spots=each.spots,
            jackpots=list(each.jackpots),
        )
        for each in further
    )  # fmt: skip
    round_.forget_further()
