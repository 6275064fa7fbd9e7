"""What a rule sheet says at a line stands in the words that the book, its irregularities and its glossary give for it.

`test_every_step_of_the_sheets_is_in_the_book` asks only for the line; here the sentence itself is asked for.
"""

from __future__ import annotations

from datetime import date

import pytest

from tables.games.limits import BetRefused
from tables.games.uth.collection import rule_set
from tables.games.uth.procedure import glossary, procedures

SAID = {
    "001:22": "the deck of the last round goes from the rack into the shuffler",
    "001:75": "no more bets are taken; nothing may be bet, raised or taken back",
    "001:97": "one by one, face down, counts them; in the rack",
    "001:100": "cards stay on or above the table; a supervisor",
    "001:118": "into the work area; turns them up",
    "001:120": "announces the hand and whether it wins",
    "001:132": "counts them, and puts them in the rack before the next seat",
    "001:147": "stays face up until it is paid",
    "002:29": "the entire deck; into the hand",
    "002:43": "checks, or plays three or four times the ante; once and for good",
    "002:51": "the first three community cards",
    "002:54": "who has not played yet checks, or plays twice the ante; who has played decides no more",
    "002:58": "the last two community cards; together",
    "002:60": "folds, or plays once the ante",
    "002:64": "turns over the two cards; announces its best five",
    "002:68": "no automatic win",
    "002:99": "gives the ante back, before looking at the player's cards",
    "002:116": "the mode of this game; its technician sets it up",
    "002:125": "the first five cards face down in the middle",
    "002:134": "the green button; the rest of the deck",
    "002:204": "all hands are void; all wagers go back",
    "002:208": "another hand or against another player; every bet stands on the player's own seat",
    "002:268": "the progressive chips off the sensors",
    "002:285": "the one farthest to the right first, then counter-clockwise",
    "002:300": "the prize on the monitor; prints its win page",
    "002:537": "no bonus bet is taken once cards are out",
    "002:546": "tucks its two cards under the bonus bet that is still in action",
    "003:142": "a chip is bet, raised or taken back after the call; the wagers stand as they lay at the call",
    "003:203": "the remaining cards into the discard rack without showing them",
    "003:250": "turns over the two cards of the hand that banks",
}
MEANT = {
    "Ante": "first bet of a seat",
    "Blind": "as large as the ante; pays by the player's hand, from a straight up",
    "Check": "without playing",
    "Community cards": "in the middle; every hand at the table",
    "Fold": "give the hand up",
    "Play": "bet made after seeing cards",
    "Player-dealer": "banks a round against all others",
    "Poker value": "by the ranking of hands",
    "Round": "from the first bet to the last payment",
    "Trips": "three of a kind or better; whoever wins",
}


@pytest.mark.parametrize(("line", "words"), SAID.items())
def test_what_a_sheet_says_at_a_line_stands_in_the_words_of_the_book(line: str, words: str) -> None:
    book = procedures()
    steps = [f"{each.text} {each.why}" for each in book.steps if line in each.source]
    cures = [f"{each.text} {each.cure}" for each in book.irregularities if line in each.source]
    said = " ".join([*steps, *cures]).lower()
    assert [each for each in words.lower().split("; ") if each not in said] == []


def test_each_term_of_the_glossary_means_what_the_sheet_says() -> None:
    """003:463-502; two further terms of ours stand beside the ten."""
    told = {word: meaning.lower() for word, meaning, _ in glossary()}
    lacking = [(word, part) for word, parts in MEANT.items() for part in parts.split("; ") if part not in told[word]]
    assert lacking == []


@pytest.mark.parametrize("minimum", [0, 1001])
def test_the_posted_minimum_must_lie_in_the_printed_range(minimum: int) -> None:
    """001:195: from 1 to 1,000."""
    with pytest.raises(BetRefused, match=r"posted minimum of \$[\d,]+ is outside \$1 to \$1,000 \(001:195\)"):
        rule_set("001").limits[1].refuse_posted(minimum, 10_000, date(2026, 1, 1))
    rule_set("001").limits[1].refuse_posted(1000, 10_000, date(2026, 1, 1))
