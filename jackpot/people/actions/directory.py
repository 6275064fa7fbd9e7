"""Asking a directory of the casino who somebody is: OpenID Connect, the code flow with PKCE. Signatures by joserfc.

Nothing here makes a person, gives a role or a card: it ends in the directory's own name for whoever signed in there,
and `directory_links` knows whether that is somebody here.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, Final
from urllib.parse import quote, urlencode

from cryptography.exceptions import UnsupportedAlgorithm
from django.conf import settings
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, KeySet

from jackpot.pacing.actions import count_try
from jackpot.pacing.rules import TryPace
from jackpot.people.actions.sign_in import TooManyAtOnce
from jackpot.people.rules.directory import DirectoryAsked, second_factor_was_shown, why_not_believed
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound
from jackpot.timed_line import TimedLine, within
from launcher.switches import reachable_directory

WAITS: Final = "directory_waits"
SECONDS_TO_SIGN_IN: Final = 600
PATIENCE: Final = 5.0
LARGEST: Final = 262_144
# Keys are changed seldom; one that we do not know is asked for sooner than this.
KNOWN_FOR: Final = 3600.0
ASK_AGAIN_AFTER: Final = 10.0  # a key that is not known may be new; a forger does not make us ask for each guess
ALGORITHMS: Final = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]  # never `none`, never a shared key
UNREADABLE: Final = (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError, UnsupportedAlgorithm)
DIRECTORY_TRIES: Final = TryPace("directory", free=60, longest=timedelta(seconds=30))
MOST_AT_ONCE: Final = 4  # questions of one process; a directory that is slow holds no more of us
_LINES: Final = BoundedSemaphore(MOST_AT_ONCE)


class DirectoryAway(NotAllowedNow):
    """Nothing was judged; the password of this house opens meanwhile."""

    code = "directory_away"


@dataclass(frozen=True, slots=True)
class DirectoryAnswer:
    """Whom the directory names, what for it was asked, and where the person wanted to go."""

    subject: str
    second_factor: bool
    purpose: str
    person: int | None
    wanted: str


class _StaysThere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _TimedHttp(urllib.request.HTTPHandler):
    """Over lines that are cut when the time of the whole question is over, its first letters included."""

    def __init__(self, line: TimedLine) -> None:
        super().__init__()
        self.line = line

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(lambda host, **how: self.line.carry(http.client.HTTPConnection(host, **how)), request)


class _TimedHttps(urllib.request.HTTPSHandler):
    def __init__(self, line: TimedLine) -> None:
        super().__init__()
        self.line = line

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(lambda host, **how: self.line.carry(http.client.HTTPSConnection(host, **how)), request)


_known: dict[str, tuple[float, Any]] = {}


def begin(
    session: Any, *, purpose: str, back: str, address: str, person: int | None = None, wanted: str = "/"
) -> str:  # fmt: skip
    """The directory's page to go to. What was asked for stays in this browser's own session.

    Each is counted for its address, and taken back when its person is in: an answer is judged once, so whoever begins
    seldom makes us ask the directory seldom.
    """
    facts = _facts()
    count_try(DIRECTORY_TRIES, address, "Sign-ins")
    verifier = secrets.token_urlsafe(48)
    waits = {
        "state": secrets.token_urlsafe(24), "nonce": secrets.token_urlsafe(24), "verifier": verifier,
        "since": time.time(), "purpose": purpose, "person": person, "wanted": wanted, "back": back,
    }  # fmt: skip
    # One question a browser: what was begun before it is answered to nobody.
    session[WAITS] = waits
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    asked = {
        "response_type": "code", "client_id": settings.DIRECTORY_CLIENT, "redirect_uri": back, "scope": "openid",
        "state": waits["state"], "nonce": waits["nonce"], "code_challenge": challenge, "code_challenge_method": "S256",
        # `prompt` asks for a new sign-in; `max_age` makes the directory say when it was, and that is judged.
        "prompt": "login", "max_age": "0",
    }  # fmt: skip
    page = _address(facts, "authorization_endpoint")
    return f"{page}{'&' if '?' in page else '?'}{urlencode(asked)}"


def finish(session: Any, *, state: str, code: str, error: str, issuer: str) -> DirectoryAnswer:
    """Taken out of the session, whatever comes of it: each answer is judged once, in the browser that asked."""
    waits: dict[str, Any] = session.pop(WAITS, None) or {}
    in_time = time.time() - waits.get("since", 0) <= SECONDS_TO_SIGN_IN
    if not waits or not in_time or not hmac.compare_digest(waits["state"].encode(), state.encode()):
        raise NotAllowedNow("This was not begun in this browser, or too long ago. Begin anew.", "not_begun")
    if error or not code:
        raise NotAllowed(f"{settings.DIRECTORY_NAME} let nobody in. Try again, or use your password here.", "no_code")
    if issuer and issuer != settings.DIRECTORY_ISSUER:  # RFC 9207: another directory's answer is not taken for ours
        raise NotAllowed("This answer is of another directory. Begin anew.", "wrong_directory")
    claims = _claims(_facts(), code, waits)
    asked = DirectoryAsked(settings.DIRECTORY_ISSUER, settings.DIRECTORY_CLIENT, waits["nonce"], waits["since"])
    why = why_not_believed(asked, claims, time.time())
    if why:
        raise NotAllowed(f"What {settings.DIRECTORY_NAME} said is not believed: {why}. Begin anew.", "wrong_directory")
    told = settings.DIRECTORY_TELLS_FACTOR and second_factor_was_shown(claims)
    return DirectoryAnswer(claims["sub"], told, waits["purpose"], waits["person"], waits["wanted"])


def check_directory() -> None:
    """Whether somebody could sign in: it answers under its own name, its keys can be read, and so can our secret."""
    if not _keys(_facts()).keys:
        raise DirectoryAway(f"{settings.DIRECTORY_NAME} publishes no key that can be read. Tell its administrator.")
    _secret()


def _claims(facts: Mapping[str, Any], code: str, waits: Mapping[str, Any]) -> Mapping[str, Any]:
    asked = {
        "grant_type": "authorization_code", "code": code, "redirect_uri": waits["back"],
        "code_verifier": waits["verifier"],
    }  # fmt: skip
    headers, secret = {}, _secret()
    if secret:
        # RFC 6749 wants both encoded before they become a pair: a colon in either would end the name too early.
        pair = f"{quote(settings.DIRECTORY_CLIENT, safe='')}:{quote(secret, safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    else:
        asked["client_id"] = settings.DIRECTORY_CLIENT
    answer = _asked(_address(facts, "token_endpoint"), urlencode(asked).encode(), headers)
    try:
        token = str(answer["id_token"])
        try:
            return jwt.decode(token, _keys(facts), algorithms=ALGORITHMS).claims
        # Its keys may have been changed within the hour: they are asked for once more before anybody is refused.
        except (JoseError, ValueError):
            return jwt.decode(token, _keys(facts, anew=True), algorithms=ALGORITHMS).claims
    except UNREADABLE:
        why = f"What {settings.DIRECTORY_NAME} said is not signed as it should be. Begin anew."
        raise NotAllowed(why, "wrong_directory") from None


def _facts() -> Mapping[str, Any]:
    """What the directory says of itself; its own name must be the one that the house was told."""
    if not settings.DIRECTORY_ISSUER:
        raise NotFound("This house has no directory. Sign in with your password.", "no_directory")
    place = f"{settings.DIRECTORY_ISSUER.rstrip('/')}/.well-known/openid-configuration"
    facts: Mapping[str, Any] = _remembered(place)
    if facts.get("issuer") != settings.DIRECTORY_ISSUER:
        _known.pop(place, None)  # put right there, it is right here at once
        raise DirectoryAway("The directory calls itself by another name than FAIRMETER_OIDC_ISSUER. Tell the operator.")
    return facts


def _keys(facts: Mapping[str, Any], *, anew: bool = False) -> KeySet:
    """The published keys that can be read: one of a new kind beside them keeps nobody out."""
    published = _remembered(_address(facts, "jwks_uri"), ASK_AGAIN_AFTER if anew else KNOWN_FOR).get("keys")
    readable = []
    for each in published if isinstance(published, list) else []:
        with suppress(*UNREADABLE):
            key = JWKRegistry.import_key(each)
            key.ensure_kid()
            readable.append(key)
    return KeySet(readable)


def _remembered(address: str, known_for: float = KNOWN_FOR) -> Any:
    at, told = _known.get(address, (-KNOWN_FOR, None))
    if time.monotonic() - at >= known_for:
        told = _asked(address)
        _known[address] = time.monotonic(), told
    return told


def _address(facts: Mapping[str, Any], name: str) -> str:
    address = str(facts.get(name, ""))
    if not reachable_directory(address):
        raise DirectoryAway(f"The directory names no encrypted {name}. Tell the operator.")
    return address


def _asked(address: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> Any:
    """One question, answered within seconds and in little, by the very address that was asked."""
    if not _LINES.acquire(blocking=False):
        raise TooManyAtOnce("Many are signing in at this moment. Try again in some seconds.")
    try:
        request = urllib.request.Request(address, body, {"Accept": "application/json", **(headers or {})})
        with within(PATIENCE) as line:
            asks = urllib.request.build_opener(_StaysThere, _TimedHttp(line), _TimedHttps(line))
            with asks.open(request, timeout=PATIENCE) as answer:
                told = json.loads(_read(answer))
        if isinstance(told, dict):
            return told
    except urllib.error.HTTPError as refused:
        refused.close()
        # Only a code is refused this way; elsewhere such an answer is a directory that is set up wrongly.
        if body is not None and refused.code in (400, 401, 403):
            raise NotAllowed(f"{settings.DIRECTORY_NAME} did not take this sign-in. Begin anew.", "no_code") from None
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        pass
    finally:
        _LINES.release()
    raise DirectoryAway(f"{settings.DIRECTORY_NAME} does not answer as it should. Sign in with your password here.")


def _read(answer: http.client.HTTPResponse) -> bytes:
    told = b""
    while part := answer.read1(LARGEST):
        told += part
        if len(told) > LARGEST:
            raise ValueError("too long")
    return told


def _secret() -> str:
    """In a file of its own, read when it is needed: it stands in no environment and may be changed while we run."""
    if not settings.DIRECTORY_SECRET_FILE:
        return ""
    try:
        secret = Path(settings.DIRECTORY_SECRET_FILE).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        secret = ""
    if not secret:
        raise DirectoryAway("The file of FAIRMETER_OIDC_SECRET_FILE cannot be read or is empty. Tell the operator.")
    return secret
