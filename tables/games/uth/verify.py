"""Which line is won, and why, in a sentence that a supervisor can check against the cards."""

from tables.games.cards import PlayingCard
from tables.games.game import LineVerdict, TableCards
from tables.games.packs import BetTable, PrintedLine
from tables.games.poker import Hand
from tables.games.uth.hands import Spot, winning_line


def judge(table: BetTable, deal: TableCards, seat: int) -> LineVerdict:
    """The verdict on one seat's side bet."""
    return verdict_on(table, Spot.of(deal, seat))


def judge_board(table: BetTable, board: tuple[PlayingCard, ...]) -> LineVerdict | None:
    """A royal on the board is every seat's, whatever it holds; any other board waits for the hole cards."""
    spot = Spot((), board)
    line = next((line for line in table.lines if line.hand == "royal_community"), None)
    if line is None or not spot.is_royal_on_board:
        return None
    return _own_hand_wins(line, spot)


def verdict_on(table: BetTable, spot: Spot) -> LineVerdict:
    line = winning_line(table, spot)
    match table.bet:
        case "bad_beat":
            return _bad_beat(table, spot, line)
        case "pairs":
            return _pairs(spot, line)
        case _:
            return _own_hand(table, spot, line)


def _own_hand(table: BetTable, spot: Spot, line: PrintedLine | None) -> LineVerdict:
    hand = spot.hand
    if line is None:
        lowest = table.lines[-1].name.lower()
        return LineVerdict(None, hand.cards, f"{_shown(hand)} wins no line; the lowest is {lowest}.")
    return _own_hand_wins(line, spot)


def _own_hand_wins(line: PrintedLine, spot: Spot) -> LineVerdict:
    hand = spot.hand
    match line.hand:
        case "royal_first_5":
            why = "both hole cards and the flop make it"
        case "royal_first_7":
            why = f"uses {_text(spot.used_hole_cards)}; the flop alone was not enough"
        case "royal_community":
            why = "all five lie on the board, so every seat with a coin-in wins it"
        case _:
            return LineVerdict(line, hand.cards, f"{_shown(hand)}, {_from_hand(spot)}: {line.pays}.")
    return LineVerdict(line, hand.cards, f"{line.name}: {why}: {line.pays} ({hand.text}).")


def _bad_beat(table: BetTable, spot: Spot, line: PrintedLine | None) -> LineVerdict:
    mine, dealers = spot.hand, spot.dealer_hand
    if spot.beaten is None:
        return LineVerdict(None, mine.cards, f"Both hold {_lower(_shown(mine))}; a tie beats nobody and the bet loses.")
    if mine < dealers:
        contest = f"The dealer's {_lower(_shown(dealers))} beats the player's {_lower(_shown(mine))}"
    else:
        contest = f"The player's {_lower(_shown(mine))} beats the dealer's {_lower(_shown(dealers))}"
    beaten = spot.beaten.category.printed.lower()
    if line is None:
        lowest = table.lines[-1].name.lower()
        return LineVerdict(
            None, spot.beaten.cards, f"{contest}; {beaten} beaten is less than {lowest} and wins no line."
        )
    return LineVerdict(line, spot.beaten.cards, f"{contest}; the beaten hand is {beaten}: {line.pays}.")


def _pairs(spot: Spot, line: PrintedLine | None) -> LineVerdict:
    hole = _text(spot.hole)
    if line is None:
        return LineVerdict(None, spot.hole, f"The hole cards {hole} match no line.")
    if line.hand == "aces_against_aces":
        cards = spot.hole + spot.dealer
        return LineVerdict(line, cards, f"{line.name} ({hole} against {_text(spot.dealer)}): {line.pays}.")
    return LineVerdict(line, spot.hole, f"{line.name} ({hole}): {line.pays}.")


def _from_hand(spot: Spot) -> str:
    used = spot.used_hole_cards
    return f"uses {_text(used)}" if used else "all five on the board"


def _shown(hand: Hand) -> str:
    return f"{hand.described} ({hand.text})"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _text(cards: tuple[PlayingCard, ...]) -> str:
    return " ".join(str(card) for card in cards)
