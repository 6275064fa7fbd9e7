"""A directory of a casino on loopback, as OpenID Connect describes one: its own keys, codes that count once, PKCE."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "fairmeter at the casino", "a secret/of the: client"


@dataclass
class SmallDirectory:
    """Whoever asks is let in as `subject`; tests change what the signed words say, and with what they are signed."""

    issuer: str = ""
    subject: str = "0f3a-ann"
    told: dict[str, Any] = field(default_factory=dict)  # over what is true
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one", "use": "sig"}))
    published: list[RSAKey] = field(default_factory=list)
    beside: list[Any] = field(default_factory=list)  # what it publishes before its keys
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    token: str = ""  # sent instead of a signed one

    def __post_init__(self) -> None:
        self.published = [self.key]

    def authorize(self, address: str) -> str:
        """What its sign-in page does: the address to which it sends the browser back."""
        parts = urlsplit(address)
        wished = {name: values[0] for name, values in parse_qs(parts.query).items()}
        assert f"{parts.scheme}://{parts.netloc}" == self.issuer
        assert (wished["response_type"], wished["scope"], wished["client_id"]) == ("code", "openid", CLIENT)
        assert (wished["prompt"], wished["max_age"], wished["code_challenge_method"]) == ("login", "0", "S256")
        code = secrets.token_urlsafe(8)
        self.codes[code] = wished
        return f"{wished['redirect_uri']}?code={code}&state={wished['state']}&iss={self.issuer}"

    def answers(self, path: str, body: str, authorization: str) -> tuple[int, Any]:
        self.asked.append(path)
        match path:
            case "/.well-known/openid-configuration":
                named = {"authorization": "authorize", "token": "token"}
                ends = {f"{name}_endpoint": f"{self.issuer}/{word}" for name, word in named.items()}
                return 200, {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys", **ends}
            case "/keys":
                known = KeySet([*self.published]).as_dict(private=False)["keys"]
                return 200, {"keys": [*self.beside, *known]}
            case "/token":
                return self._token({name: values[0] for name, values in parse_qs(body).items()}, authorization)
        return 404, {}

    def _token(self, said: Mapping[str, str], authorization: str) -> tuple[int, Any]:
        wished = self.codes.pop(said.get("code", ""), None)
        if wished is None or wished["redirect_uri"] != said.get("redirect_uri"):
            return 400, {"error": "invalid_grant"}
        digest = hashlib.sha256(said["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).decode().rstrip("=") != wished["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        pair = base64.b64encode(b"fairmeter%20at%20the%20casino:a%20secret%2Fof%20the%3A%20client").decode()
        if authorization != f"Basic {pair}":
            return 401, {"error": "invalid_client"}
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT, "sub": self.subject, "nonce": wished["nonce"], "iat": now,
            "exp": now + 300, "auth_time": now, **self.told,
        }  # fmt: skip
        head = {"alg": "RS256", "kid": self.key.kid}
        return 200, {"token_type": "Bearer", "id_token": self.token or jwt.encode(head, claims, self.key)}


@contextmanager
def a_directory() -> Iterator[SmallDirectory]:
    ours = SmallDirectory()

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer("")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

        def _answer(self, body: str) -> None:
            status, told = ours.answers(urlsplit(self.path).path, body, self.headers.get("Authorization", ""))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(told).encode())

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        ours.issuer = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield ours
        finally:
            server.shutdown()
            thread.join(5)


@contextmanager
def what_answers(words: bytes) -> Iterator[str]:
    """The address of something that tells the first who asks just this."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                line, _ = server.accept()
                with line:
                    line.recv(65_536)
                    line.sendall(words)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
    thread.join(15)
