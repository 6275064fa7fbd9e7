"""What web and worker may write of the progressive's tables, and of those that Django brings.

Whoever adds a table with money, a word or a right adds its line here. A table without one may be written freely by the
web; of what has no line in `OF_THE_WORKER` the worker writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jackpot.database.rights import (
    TableRights,
    WorkersRights,
    adds,
    adds_and_takes_away,
    keeps,
    only,
    reads,
    takes_away,
    writes,
)

ACCOUNTS: Final = "contributed meter reserve overflow house winners paid outside"

RIGHTS: Final[Mapping[str, TableRights]] = {
    "django_migrations": reads(),
    "django_content_type": reads(),
    "auth_permission": reads(),
    # The books
    "jackpot_entry": adds(),
    "jackpot_version": adds(),
    "jackpot_jackpot": writes(f"name version_id state retired_at transfer_by last_seq seal last_at advance {ACCOUNTS}"),
    # Wins
    "jackpot_win": writes(
        "state ranked front_seq frozen_seq mark_seq marked_at marked_by asked_at asked_by asker_id cards_checked "
        "number slip premises_id place amount paper override award_seq logged_at gaming_day moved_at "
        "paid_at paid_by payer_id paid_method paid_cheque paid_window"
    ),
    "jackpot_signature": writes("part entry"),  # a trigger lets a word be taken back with the key, and nothing else
    "jackpot_slipcounter": writes("next_slip next_win premises_id"),
    "jackpot_payment": adds(),
    "jackpot_windowreceipt": adds(),
    "jackpot_taxrecord": adds(),
    "jackpot_payee": adds(),
    "jackpot_dispute": writes("settled_by_id settled_at answer"),
    "jackpot_unclaimednotice": adds(),
    "jackpot_actwitness": adds(),
    # Requests of two people: triggers keep their words
    "jackpot_request": keeps(),
    "jackpot_adjustment": keeps("request_ptr_id"),
    "jackpot_termschange": keeps("request_ptr_id"),
    "jackpot_authoritychange": keeps("request_ptr_id"),
    "jackpot_coversuspension": adds(),
    "jackpot_requestentry": adds(),
    "jackpot_evidencefile": adds(),
    "jackpot_requestevidence": adds(),
    "jackpot_roundevidence": adds(),
    "jackpot_notice": keeps(),
    # What stops the books, and which key opens what they keep
    "jackpot_wentback": writes(
        "known_seq known_seal found_seq why told_by asked_by_id asked_at asked_seq reason accepted_by_id accepted_at"
    ),
    "jackpot_keymark": writes("mark since"),
    # The house and its rules
    "jackpot_property": keeps(),
    "jackpot_datedshifts": adds(),
    "jackpot_datedtax": adds(),
    "jackpot_datedunclaimed": adds(),
    "jackpot_datednotice": adds(),
    # People
    "jackpot_role": keeps("code"),
    "jackpot_operator": keeps(),
    "jackpot_operator_roles": adds_and_takes_away(),
    "jackpot_card": keeps(),
    "jackpot_passkey": TableRights(takes_away=True, writes=("uses", "used_at")),
    "jackpot_directorylink": TableRights(takes_away=True, writes=("used_at",)),
    "jackpot_keyregister": writes("level back_at"),
    "jackpot_onetimecode": writes("used_at"),
    # Records
    "jackpot_trail": adds(),
    "jackpot_trailseal": adds(),
    "jackpot_unsealedtrail": takes_away(),
    "jackpot_errand": keeps(),
    "jackpot_proofreach": writes("seq seal at"),
    "jackpot_storedanswer": adds_and_takes_away(),
}

# The worker suspends by an entry that moves nothing (a trigger sees to that), stops books, raises notices, seals the
# trail. It gives nobody a card, a word, a win or a payment.
OF_THE_WORKER: Final = WorkersRights(
    {
        "jackpot_entry": adds(),
        "jackpot_jackpot": only(f"state last_seq seal last_at advance {ACCOUNTS}"),
        "jackpot_coversuspension": adds(),
        "jackpot_wentback": writes("known_seq known_seal found_seq why told_by"),
        "jackpot_proofreach": writes("seq seal at"),
        "jackpot_request": only("state findings preview previewed_at"),
        "jackpot_notice": adds(),
        "jackpot_trail": adds(),
        "jackpot_trailseal": adds(),
        "jackpot_unsealedtrail": takes_away(),
        "jackpot_errand": keeps(),
        "jackpot_storedanswer": takes_away(),
        "jackpot_installedbuild": adds(),
    },
    unread=(
        "django_session", "jackpot_passkey", "jackpot_secondfactor", "jackpot_recoverycode", "jackpot_onetimecode",
        "jackpot_directorylink",
    ),
)  # fmt: skip
