"""What is special of a door: what it only counts, takes along, takes back or asks, and the words it is tried with."""

from __future__ import annotations

from datetime import date
from typing import Final

from tests.photos import a_photo

PHOTO: Final = a_photo()
CALCULATES: Final = {"api-game-verify", "api-game-settle", "api-game-bets"}  # only carries cards; nothing is kept
# Two roles together may have what neither of them has.
NEEDS_TWO_VERBS: Final = {
    "office-win-copy", "audit-parcels", "audit-parcel-ask", "audit-parcel", "audit-parcel-file", "api-audit-parcels",
    "api-audit-parcel-file",
}  # fmt: skip
ATTENDS: Final = {"office-win-stand-by", "api-slip-witnesses"}  # a regulator's one word: that they were there
OWN: Final = {"own-password", "own-pin", "own-factor", "own-passkey", "own-directory-link"}  # a person's own secrets
TAKES_BACK: Final = {"lab-cancel", "api-laboratory"}  # one's own question, before its answer
TAKES_ALONG: Final = {
    *("par-print", "report-export", "report-save", "report-put-away", "audit-proof-ask"),
    "audit-parcel-ask",
    "audit-parcel-file",
    "api-audit-proofs",
    "api-audit-parcels",
    "api-audit-parcel-file",
    "setup-written",
    "api-setup-written",
}  # paper for whoever reads; only the trail says that it was printed
QUESTIONS: Final = {
    "api-game-decision": "?hole=7c+2d&board=Kh+8h+Kd+9s+4s",
    "api-par-sheet-verify": f"?digest={'0' * 64}&signature={'0' * 64}",
    "api-jackpot-which": "?house_edge=0",
}  # doors that answer nothing without a question
UNREADABLE_IS_ENTERED: Final = {400, 409}  # a door that is open may still refuse an empty form
LOOK_IS_NOTED: Final = {
    "request-evidence", "api-request-evidence-file", "hit-evidence", "api-round-evidence-file"
}  # fmt: skip  # taking a file is an act of its own
NOTHING_OF_THE_HOUSE: Final = {"lab-export"}  # a file that may be taken without a line: calculated, not kept
AT_A_TABLE: Final = {
    "console", "duty", "round", "api-table", "api-round", "api-messages", "pit-table", "pit-state", "pit-kept-back",
    "api-table-kept-back", "hit-page", "pit-hits", "pit-seats", "pit-park", "pit-claim", "pit-void", "api-round-seats",
    "api-round-park", "api-round-claim", "api-round-void", "hit-watch", "hit-tick",
    "hit-evidence", "hit-evidence-add", "api-round-evidence", "api-round-evidence-file",
    "checklist", "check-off", "api-checklist", "check-photo", "rule-card",
}  # fmt: skip
WORDS: Final = {
    "username": "auditor", "number": "1", "seq": "1", "digest": "0" * 64, "copy": 0, "game": "uth", "form": "csv",
    "change": "1", "kind": "rename_house", "profile": "card", "slip": "1", "part": "tables", "bet": "trips",
    "receipt": "1", "on": date(2026, 11, 18), "day": date(2026, 11, 18),
}  # fmt: skip
