"""A person of the house at a browser: signs in once, then asks and acts over the REST API as any program would."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from tables.simulator.wires import ANSWER_WITHIN, Answer, AnswerLost, ServerRefusal

TRIES: Final = 5
PAUSE: Final = 0.3


@dataclass(frozen=True, slots=True)
class Login:
    """What a person types at the sign-in page."""

    username: str
    password: str


class ApiSession:
    """One session. What was not answered is asked again with the same words; every act here may be repeated."""

    def __init__(self, url: str, login: Login) -> None:
        self._url, self._login = url.rstrip("/"), login
        self._jar = CookieJar()
        self._opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(self._jar))
        self._turn = asyncio.Lock()
        self._signed_in = False

    async def reads(self, path: str) -> Answer:
        return await self._answered(Request(f"{self._url}{path}"))

    async def acts(self, path: str, words: Mapping[str, Any], key: str = "") -> Answer:
        """`key` names the act, where the door asks for a name."""
        named = {"Idempotency-Key": key} if key else {}
        headers = {"Content-Type": "application/json", **named}
        return await self._answered(Request(f"{self._url}{path}", json.dumps(words).encode(), headers))

    async def _answered(self, request: Request) -> Answer:
        async with self._turn:
            for attempt in range(1, TRIES + 1):
                try:
                    return await asyncio.to_thread(self._ask, request)
                except AnswerLost:
                    if attempt == TRIES:
                        raise
                await asyncio.sleep(PAUSE * attempt)
        raise AssertionError("the last try answers or raises")

    def _ask(self, request: Request) -> Answer:
        if not self._signed_in:
            self._sign_in()
        request.add_header("X-CSRFToken", self._token())
        request.add_header("Referer", self._url)
        try:
            answer: Answer = json.loads(self._open(request))
        except HTTPError as refused:
            raise self._refusal(refused) from None
        except ValueError as garbled:
            raise AnswerLost(f"{request.full_url} answered no JSON.") from garbled
        return answer

    def _sign_in(self) -> None:
        """By the page itself: a form with its token, and a session cookie in return."""
        page = f"{self._url}/sign-in/"
        typed = {"username": self._login.username, "password": self._login.password, "next": "/api/v1/health"}
        try:
            self._open(Request(page))
            words = urlencode({**typed, "csrfmiddlewaretoken": self._token()}).encode()
            self._open(Request(page, words, {"Referer": page}))
        except HTTPError as refused:
            refused.close()
            why = f"{self._login.username} cannot sign in (status {refused.code}). Did somebody change the password?"
            raise ServerRefusal("sign_in", why) from None
        self._signed_in = True

    def _open(self, request: Request) -> bytes:
        try:
            with self._opener.open(request, timeout=ANSWER_WITHIN) as answer:
                body: bytes = answer.read()
                return body
        except HTTPError:
            raise
        except (OSError, http.client.HTTPException) as problem:
            raise AnswerLost(str(problem)) from problem

    def _refusal(self, refused: HTTPError) -> Exception:
        with refused:
            try:
                said: Answer = json.loads(refused.read())
            except ValueError:
                said = {}
        if refused.code == http.client.UNAUTHORIZED:
            self._signed_in = False
            return AnswerLost("The session has ended.")
        if refused.code >= http.client.INTERNAL_SERVER_ERROR:
            return AnswerLost(f"The server answered {refused.code}.")
        return ServerRefusal(
            str(said.get("code", "refused")), str(said.get("why", f"The server answered {refused.code}."))
        )

    def _token(self) -> str:
        return next((cookie.value or "" for cookie in self._jar if cookie.name == "csrftoken"), "")
