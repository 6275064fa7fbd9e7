"""A line of the trail in words: what happened, and what belongs to it in one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

LONGEST_FACTS: Final = 160
OUTCOMES: Final = ("done", "refused", "wrong", "locked", "failed", "alarm", "due", "disagrees")  # and no other
_WORD: Final = re.compile(r"[^\W_]+")
# A day or a moment as programs write them, on its own: not within a name, an address or a path.
_WRITTEN_TIME: Final = re.compile(
    r"(?<![\w/.:-])\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w/:-])"
)
_TOO_EXACT: Final = re.compile(r"-?\d+\.\d{2}\d*0")  # an amount as the books store it
_DIGEST: Final = re.compile(r"[0-9a-f]{40,}")
SayTime = Callable[[date], str]  # a moment is a date too
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
    "ask_to_accept_books": "asked to accept the books", "ask_for_report": "report asked for",
    "ask_for_proof": "proof asked for", "prove_books": "books proven",
}  # fmt: skip


# Steps of whatever two people decide are told alike, of every kind.
STEPS: Final = {
    "request_": "asked for", "ask_": "asked for", "approve_": "signed", "refuse_": "not given",
    "withdraw_": "withdrawn",
}  # fmt: skip


def words_of_act(act: str) -> str:
    """Its own words; else those of its step and kind; else its name."""
    if act in ACTS:
        return ACTS[act]
    step = next((each for each in STEPS if act.startswith(each)), "")
    kind = act.removeprefix(step).replace("_", " ")
    return f"{STEPS[step]}: {kind}" if step else kind


def spoken_act(act: str, outcome: str, what: str = "") -> str:
    """What happened, with what came of it where that is not simply that it was done."""
    words = words_of_act(act)
    if what:
        words = f"{words}: {what}"
    return words if outcome in ("done", "refused") else f"{words}: {outcome}"


def facts_of(details: Mapping[str, Any], say: SayTime) -> str:
    """What stands beside a line, short enough for a list; the API has all of it. `say` tells a day or a moment."""
    said = ", ".join(_facts(details, say))
    return said if len(said) <= LONGEST_FACTS else f"{said[: LONGEST_FACTS - 1]}…"


def spoken_times(text: str, say: SayTime) -> str:
    """The same text with its days and moments as people write them."""

    def as_written(found: re.Match[str]) -> str:
        written = found[0]
        try:
            return say(date.fromisoformat(written) if len(written) == len("2026-11-20") else _moment(written))
        except ValueError:  # no day of any calendar: a number that only looks like one
            return written

    return _WRITTEN_TIME.sub(as_written, text)


def _moment(written: str) -> datetime:
    at = datetime.fromisoformat(written)
    if at.tzinfo is None:
        raise ValueError(written)  # nobody said by which clock
    return at


def _facts(details: Mapping[str, Any], say: SayTime) -> Iterator[str]:
    for name, value in details.items():
        # Of a person whose name, a win whose slip stands beside it; act and person have columns of their own.
        if name.endswith("_key") or name in ("win", "act", "requested_by"):
            continue
        words = _in_words(name, value, say)
        if words:
            yield f"{name.replace('_', ' ')} {words}"


def _in_words(name: str, value: Any, say: SayTime) -> str:
    """One value; empty where there is none, so that its name is left out too."""
    match value:
        case None | "" | "None":  # the last as some lines from before have it
            return ""
        case dict() if name == "shifts":  # minutes after midnight
            return ", ".join(f"{shift} {at // 60:02}:{at % 60:02}" for shift, at in value.items())
        case dict():
            inside = ", ".join(_facts(value, say))
            return f"({inside})" if inside else ""
        case bool() | "True" | "False":
            return "yes" if value in (True, "True") else "no"
        case list():
            return ", ".join(each for each in (_in_words("", part, say) for part in value) if each)
        case str() if _DIGEST.fullmatch(value):
            return f"{value[:12]}…"
        case str() if _TOO_EXACT.fullmatch(value):
            return f"{_cut(value)}"
        case _:
            return spoken_times(str(value), say)


def _cut(amount: str) -> str:
    """As many decimals as it has, and two at least."""
    exact = Decimal(amount).normalize()
    return f"{exact:f}" if exact.as_tuple().exponent < -2 else f"{exact:.2f}"  # type: ignore[operator]


def search_words(typed: str) -> str:
    """What was typed as the database searches for it: every word begins one of the line's; nothing typed is nothing."""
    return " & ".join(f"{word}:*" for word in _WORD.findall(typed)[:8])
