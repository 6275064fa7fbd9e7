"""A passkey in Python: answers a site as a device would, and can lie about each thing that must be checked."""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url as spoken

PRESENT, ATTESTED = 0x01, 0x40


class SoftKey:
    """One credential for one site, on the curve that every browser knows."""

    def __init__(self, site: str = "localhost", origin: str = "http://localhost") -> None:
        self.site, self.origin = site, origin
        self.id = secrets.token_bytes(32)
        self.secret = ec.generate_private_key(ec.SECP256R1())
        self.uses = 0

    def made(self, options: dict[str, Any], **lies: Any) -> dict[str, Any]:
        """The answer to an invitation to make one."""
        point = self.secret.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")})
        told = bytes(16) + struct.pack(">H", len(self.id)) + self.id + public
        data = self._data(PRESENT | ATTESTED, lies) + told
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options, lies)
        return self._said({"clientDataJSON": spoken(client), "attestationObject": spoken(attestation)})

    def shown(self, options: dict[str, Any], **lies: Any) -> dict[str, Any]:
        """The answer to a challenge."""
        self.uses = lies.get("uses", self.uses + 1)
        data = self._data(lies.get("flags", PRESENT), lies)
        client = self._client("webauthn.get", options, lies)
        signed = self.secret.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        if lies.get("signature"):
            signed = lies["signature"]
        return self._said(
            {"clientDataJSON": spoken(client), "authenticatorData": spoken(data), "signature": spoken(signed)}
        )

    def _data(self, flags: int, lies: dict[str, Any]) -> bytes:
        site = hashlib.sha256(str(lies.get("site", self.site)).encode()).digest()
        return site + bytes([flags]) + struct.pack(">I", self.uses)

    def _client(self, kind: str, options: dict[str, Any], lies: dict[str, Any]) -> bytes:
        said = {
            "type": lies.get("kind", kind), "challenge": lies.get("challenge", options["challenge"]),
            "origin": lies.get("origin", self.origin), "crossOrigin": False,
        }  # fmt: skip
        return json.dumps(said).encode()

    def _said(self, response: dict[str, str]) -> dict[str, Any]:
        return {
            "id": spoken(self.id), "rawId": spoken(self.id), "type": "public-key", "response": response,
            "clientExtensionResults": {},
        }  # fmt: skip
