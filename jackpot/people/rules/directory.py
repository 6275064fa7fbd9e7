"""A directory of the casino says who somebody is (OpenID Connect): which of its words are believed.

The signature is checked before; here stands what must be in the signed words. A directory is asked to let the person
sign in anew each time, so a terminal on which it remembers the one before lets nobody else in as that one.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

CLOCKS_DIFFER: Final = 60
LONGEST_SUBJECT: Final = 255  # OpenID Connect Core 1.0, section 2
FACTORS: Final = frozenset({"otp", "hwk", "swk", "sc", "fpt", "face", "iris", "pop"})  # RFC 8176, beside `pwd`


@dataclass(frozen=True, slots=True)
class DirectoryAsked:
    """What was asked for, as the browser that asked remembers it."""

    issuer: str
    client: str
    nonce: str
    since: float


def why_not_believed(asked: DirectoryAsked, claims: Mapping[str, Any], now: float) -> str:
    """The first thing in the signed words that is not as it was asked for; empty where all of it is."""
    audience, party = claims.get("aud"), claims.get("azp")
    audiences = [audience] if isinstance(audience, str) else audience if isinstance(audience, list) else []
    subject = claims.get("sub")
    if claims.get("iss") != asked.issuer:
        return "it is of another directory"
    # Where the words are meant for several programs, `azp` names the one that asked: another's are not ours to take.
    if asked.client not in audiences or ((party is not None or len(audiences) > 1) and party != asked.client):
        return "it was meant for another program"
    if not hmac.compare_digest(str(claims.get("nonce", "")).encode(errors="replace"), asked.nonce.encode()):
        return "it answers another question"
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or not _plain(subject):
        return "it names nobody"
    told = [claims.get(name) for name in ("exp", "iat", "auth_time")]
    moments = [each for each in told if isinstance(each, int | float) and not isinstance(each, bool)]
    if len(moments) < len(told):
        return "it does not say when the person signed in there (exp, iat, auth_time)"
    ends, made, signed_in = moments
    if ends < now - CLOCKS_DIFFER:
        return "it has ended"
    if made > now + CLOCKS_DIFFER:
        return "its clock is ahead of ours by more than a minute"
    if signed_in < asked.since - CLOCKS_DIFFER:
        return "the person had signed in there before and was not asked again"
    return ""


def _plain(subject: str) -> bool:
    """ASCII, says the standard; what no database keeps is not asked for there."""
    return subject.isascii() and subject.isprintable()


def second_factor_was_shown(claims: Mapping[str, Any]) -> bool:
    """Whether the directory says that more than a password was shown to it."""
    shown = claims.get("amr")
    methods = {each for each in shown if isinstance(each, str)} if isinstance(shown, list) else set()
    return "mfa" in methods or ("pwd" in methods and bool(methods & FACTORS))
