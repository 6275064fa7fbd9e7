"""What a table controller may say, word by word, for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers

LARGEST: Final = 2**53 - 1


class AnyMessage(serializers.Serializer[Any]):
    id = serializers.IntegerField(required=False, help_text="The sender's own number; it comes back in the answer.")


class RoundMessage(AnyMessage):
    round = serializers.IntegerField(min_value=1, max_value=LARGEST)


class HelloMessage(AnyMessage):
    """First word of a controller: where does my table stand?"""

    do = serializers.ChoiceField(choices=["hello"])
    device = serializers.CharField()
    version = serializers.CharField()
    profile = serializers.CharField(required=False, help_text="card or key.")
    proof = serializers.CharField(required=False, help_text="WebSocket only: the answer to the challenge.")
    console = serializers.BooleanField(required=False, help_text="The browser console: a staff session is the proof.")
    marks = serializers.DictField(
        child=serializers.CharField(), required=False,
        help_text="What the last answer gave under this name, by jackpot: books that went back are found by it.",
    )  # fmt: skip


class CoinInMessage(RoundMessage):
    """COIN IN / START GAME: the seats with a chip."""

    do = serializers.ChoiceField(choices=["coin_in"])
    seats = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=9))
    spots = serializers.CharField(
        required=False, help_text="Sensor map, one character a seat: 1 lit, 0 dark, x silent."
    )
    further = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=9)), required=False,
        help_text="Seats with a chip of the table's further wagers, by their codes.",
    )  # fmt: skip
    further_spots = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="Sensor maps of further wagers, by their codes."
    )
    at = serializers.DateTimeField(required=False, help_text="The controller's clock; for alarms only.")


class BankWord(serializers.Serializer[Any]):
    seat = serializers.IntegerField(min_value=1, max_value=9, help_text="The player-dealer's seat.")
    wager = serializers.CharField(help_text="Its wager, such as 500.00: no more is won or lost with it.")


class SpotBetsWord(serializers.Serializer[Any]):
    seat = serializers.IntegerField(min_value=1, max_value=9)
    wagers = serializers.DictField(
        child=serializers.CharField(), help_text="By name: ante, blind, trips, bad_beat; what comes later never counts."
    )
    players = serializers.IntegerField(
        min_value=1, max_value=3, required=False, help_text="Who plays the spot, where more than one does."
    )


class ActionMessage(RoundMessage):
    """Before the deal, where a player banks: who banks, and what lies on each spot. Answered with the fee."""

    do = serializers.ChoiceField(choices=["action"])
    bank = BankWord()
    bets = SpotBetsWord(many=True)


class SpotResultWord(serializers.Serializer[Any]):
    """What the cards said at one spot."""

    seat = serializers.IntegerField(min_value=1, max_value=9)
    play = serializers.CharField(required=False, help_text="Its Play wager; left out where there is none.")
    due = serializers.DictField(
        child=serializers.CharField(), help_text="Each wager of the spot: won above zero, lost below, 0 is a push."
    )


class SettleMessage(RoundMessage):
    """After the cards, where a player banks: what each wager is due. Answered with what the bank's wager covers."""

    do = serializers.ChoiceField(choices=["settle"])
    results = SpotResultWord(many=True)


class EndMessage(RoundMessage):
    """GAME OVER / END GAME."""

    do = serializers.ChoiceField(choices=["end"])
    at = serializers.DateTimeField(required=False)


class MarkMessage(RoundMessage):
    """A hand is seen at a seat; its amount is frozen from here. The same again changes nothing."""

    do = serializers.ChoiceField(choices=["mark"])
    seat = serializers.IntegerField(
        min_value=1, max_value=9, required=False,
        help_text="Left out in the key profile: the key is lit and the pit says its seats. Left out in the card "
        "profile: a hand on the board (`board` in hello) is marked at every seat with coin-in.",
    )  # fmt: skip
    hand = serializers.CharField(max_length=40, help_text="Code of a hand that hello offered.")


class UnmarkMessage(RoundMessage):
    """The mark was a mistake; free until it is asked for."""

    do = serializers.ChoiceField(choices=["unmark"])
    seat = serializers.IntegerField(
        min_value=1, max_value=9, required=False, help_text="Left out: the hand's key is put out with all its seats."
    )
    hand = serializers.CharField(max_length=40)


class ConfirmMessage(RoundMessage):
    """These are the round's hits, no others: signs begin to verify."""

    do = serializers.ChoiceField(choices=["confirm"])


class ParkMessage(RoundMessage):
    """An executive parks the round's open hits: the round is over, they are settled later from the pit page."""

    do = serializers.ChoiceField(choices=["park"])
    card = serializers.CharField(max_length=200, help_text="An executive's card.")
    pin = serializers.CharField(max_length=20, required=False)
    reason = serializers.CharField(max_length=200)


class RejectMessage(RoundMessage):
    """The hits asked for are not confirmed."""

    do = serializers.ChoiceField(choices=["reject"])
    reason = serializers.CharField(max_length=200)


class CardMessage(RoundMessage):
    """Card profile: a card accepts the whole act."""

    do = serializers.ChoiceField(choices=["card"])
    card = serializers.CharField(max_length=200)
    pin = serializers.CharField(max_length=20, required=False)


class KeyMessage(AnyMessage):
    """Key profile: a key was turned."""

    do = serializers.ChoiceField(choices=["key"])
    key = serializers.CharField(max_length=20, help_text="Number of the key.")
    position = serializers.ChoiceField(choices=["JPH", "RUN"])


class JPotMessage(AnyMessage):
    """Key profile: J-POT was pressed with a key at JPH."""

    do = serializers.ChoiceField(choices=["j_pot"])
    pin = serializers.CharField(
        required=False,
        help_text="At a dealer’s console, where the key’s number is typed: the PIN of who signed it out.",
    )


class SupervisedMessage(RoundMessage):
    """Who answers for it: a supervisor, and for a round of an earlier gaming day a second person."""

    card = serializers.CharField(required=False, help_text="A supervisor's card.")
    pin = serializers.CharField(required=False, max_length=20, help_text="Where an approval would ask for it.")
    key = serializers.CharField(required=False, max_length=20, help_text="Or, in the key profile, the number of a key.")
    second_card = serializers.CharField(
        required=False, help_text="Of an earlier gaming day: another supervisor's card."
    )
    second_pin = serializers.CharField(required=False, max_length=20)


class VoidMessage(SupervisedMessage):
    """Every hand of the round is void; its contributions are taken back."""

    do = serializers.ChoiceField(choices=["void"])
    reason = serializers.CharField(max_length=200)


class RecountMessage(SupervisedMessage):
    """Before the first card: a dead spot or a late chip. Contra and new coin-in, same round."""

    do = serializers.ChoiceField(choices=["recount"])
    seats = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=9))
    spots = serializers.CharField(required=False)
    further = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=9)), required=False,
        help_text="Seats with a chip of the table's further wagers, by their codes.",
    )  # fmt: skip
    further_spots = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="Sensor maps of further wagers, by their codes."
    )


class DealerMessage(AnyMessage):
    """Who deals, from badge in to badge out."""

    do = serializers.ChoiceField(choices=["dealer"])
    badge = serializers.CharField()


DealerMessage._declared_fields["in"] = serializers.BooleanField(help_text="true comes, false goes.")


class SpotsMessage(AnyMessage):
    """The live sensor map while bets are placed."""

    do = serializers.ChoiceField(choices=["spots"])
    spots = serializers.CharField()
    further_spots = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="Sensor maps of further wagers, by their codes."
    )
    round = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST)


class KeptRoundWord(serializers.Serializer[Any]):
    round = serializers.IntegerField(min_value=1, max_value=LARGEST)
    seats = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=9), help_text="Of a void: none."
    )
    further = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=9)), required=False,
        help_text="The same of further wagers, by their codes.",
    )  # fmt: skip
    at = serializers.DateTimeField(required=False, help_text="When it was played.")
    open = serializers.BooleanField(required=False, help_text="It is not over.")


class JournalMessage(AnyMessage):
    """After a restore: what the box knows, and rounds of its journal that the books may have lost."""

    do = serializers.ChoiceField(choices=["journal"])
    last_round = serializers.IntegerField(min_value=0, max_value=LARGEST, required=False)
    last_slip = serializers.IntegerField(min_value=0, max_value=LARGEST, required=False)
    rounds = KeptRoundWord(many=True, required=False)


class BeatMessage(AnyMessage):
    """Every second: what the controller counted since it opened. A disagreement holds the table."""

    do = serializers.ChoiceField(choices=["beat"])
    rounds = serializers.IntegerField(min_value=0, required=False)
    coin_ins = serializers.IntegerField(min_value=0, required=False)
    marks = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="As in hello: what the box remembers of each jackpot."
    )


WORDS: Final[Mapping[str, type[AnyMessage]]] = {
    "hello": HelloMessage,
    "coin_in": CoinInMessage,
    "action": ActionMessage,
    "settle": SettleMessage,
    "end": EndMessage,
    "mark": MarkMessage,
    "unmark": UnmarkMessage,
    "confirm": ConfirmMessage,
    "park": ParkMessage,
    "reject": RejectMessage,
    "card": CardMessage,
    "key": KeyMessage,
    "j_pot": JPotMessage,
    "void": VoidMessage,
    "recount": RecountMessage,
    "dealer": DealerMessage,
    "spots": SpotsMessage,
    "beat": BeatMessage,
    "journal": JournalMessage,
}
