from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Here and not above: while this module is read no model of any room is ready yet.
        from jackpot.database.rights import declare
        from jackpot.signing.actions.kinds import register
        from tables.player_dealer.queries.hand_lines import hand_lines
        from tables.player_dealer.rules.hand_proof import check_hands
        from tables.requests.actions.kinds import KINDS
        from tables.rights import OF_THE_WORKER, RIGHTS
        from tables.rounds.queries.told_hands import HandsKnown, hands_are_known_to

        register(*KINDS)
        declare(RIGHTS, OF_THE_WORKER)
        hands_are_known_to(HandsKnown(hand_lines, check_hands))
