"""What a webhook signs with: shown once, kept so that only the file key opens it."""

from __future__ import annotations

import base64
import hmac

from cryptography.fernet import Fernet
from django.conf import settings

from accounting.webhooks.models import Webhook


def sealed_secret(secret: str) -> bytes:
    return _locker().encrypt(secret.encode())


def secret_behind(row: Webhook) -> str:
    """A copy of the database alone signs nothing."""
    return _locker().decrypt(bytes(row.secret_sealed)).decode()


def _locker() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hmac.digest(settings.MASTER_KEY, b"webhooks", "sha256")))
