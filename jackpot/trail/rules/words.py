"""A line of the trail in words: what happened, and what belongs to it in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

LONGEST_FACTS: Final = 160
OUTCOMES: Final = ("done", "refused", "wrong", "locked", "failed", "alarm", "due", "disagrees")  # and no other
_WORD: Final = re.compile(r"[^\W_]+")
# An act that has no words of its own is told by its own name.
ACTS: Final[Mapping[str, str]] = {
    "hire": "hired", "alter_person": "name or roles changed", "issue_card": "card issued", "alter_card": "card changed",
    "block_card": "card blocked", "unlock_card": "card unlocked", "set_pin": "PIN set", "wrong_pin": "wrong PIN",
    "card_refused": "card not accepted", "second_factor": "second factor",
    "set_second_factor": "second factor set up", "end_second_factor": "second factor ended",
    "add_passkey": "passkey added", "end_passkey": "passkey ended",
    "sign_in": "sign-in", "sign_out": "signed out", "lock_name": "name locked", "unlock_name": "name unlocked",
    "dismiss": "dismissed", "end_sessions": "signed out by the house", "set_password": "password set",
    "give_roles": "roles given", "take_roles": "roles taken", "show_code": "one-time code shown",
    "ask_people": "asked for", "approve_people": "signed", "refuse_people": "not given",
    "withdraw_people": "withdrawn", "print_page": "printed", "redeem_slip": "paid", "dispute_slip": "disputed",
    "settle_dispute": "dispute settled", "give_notice": "winner told", "look": "seen", "export_report": "exported",
    "save_report": "report saved", "put_away_report": "saved report put away", "mail_report": "report mailed",
    "allow_report_mailbox": "mailbox for reports allowed", "end_report_mailbox": "mailbox for reports ended",
    "export_entries": "ledger exported", "export_list": "list exported", "export_journal": "journal exported",
    "refused": "refused at a page", "set_table_state": "state changed", "late_claim": "claimed late",
    "reject_hits": "hit not confirmed", "pass_queue": "let pass", "rejoin_queue": "put back in the queue",
    "notify": "notice due",
    "read_sign": "sign read", "count_chips": "chips counted", "explain": "difference explained",
    "sign_explanation": "explanation signed", "surveillance_tick": "ticked by surveillance",
    "ask_for_parcel": "parcel asked for", "make_parcel": "parcel made", "take_parcel": "parcel taken home",
    "beyond_reason": "more play than is within reason",
    "spoil_page": "noted a spoiled page",
    "add_book": "put a slip book on the register", "book_out": "handed out", "book_back": "brought back",
    "slip_used": "entered a hand-written slip", "slip_void": "noted a slip as void",
    "slip_missing": "noted a slip as missing",
    "add_custody": "put on the register", "custody_out": "taken out", "custody_back": "brought back",
    "custody_placed": "seal placed", "custody_replaced": "seal replaced", "custody_broken": "seal found broken",
    "ask_for_proof": "proof asked for", "prove_books": "books proven",
}  # fmt: skip


def spoken_act(act: str, outcome: str, what: str = "") -> str:
    """What happened, with what came of it where that is not simply that it was done."""
    words = ACTS.get(act, act.replace("_", " "))
    if what:
        words = f"{words}: {what}"
    return words if outcome in ("done", "refused") else f"{words}: {outcome}"


def facts_of(details: Mapping[str, Any]) -> str:
    """What stands beside a line, short enough for a list; the API has all of it."""
    said = ", ".join(_facts(details))
    return said if len(said) <= LONGEST_FACTS else f"{said[: LONGEST_FACTS - 1]}…"


def _facts(details: Mapping[str, Any]) -> Iterator[str]:
    for name, value in details.items():
        if name.endswith("_key") or name == "win":  # of a person whose name, a win whose slip stands beside it
            continue
        match value:
            case None | "" | [] | {}:
                continue
            case dict():
                yield f"{name.replace('_', ' ')} ({', '.join(_facts(value))})"
            case bool():
                yield f"{name.replace('_', ' ')} {'yes' if value else 'no'}"
            case list():
                yield f"{name.replace('_', ' ')} {', '.join(map(str, value))}"
            case _ if name in ("sha256", "digest"):
                yield f"{name} {str(value)[:12]}…"
            case _:
                yield f"{name.replace('_', ' ')} {value}"


def search_words(typed: str) -> str:
    """What was typed as the database searches for it: every word begins one of the line's; nothing typed is nothing."""
    return " & ".join(f"{word}:*" for word in _WORD.findall(typed)[:8])
