"""What a webhook signs with: shown once, kept so that only the file key opens it."""

from __future__ import annotations

import base64
import hmac
from datetime import datetime

from cryptography.fernet import Fernet
from django.conf import settings

from accounting.webhooks.models import Webhook


def sealed_secret(secret: str) -> bytes:
    return _locker().encrypt(secret.encode())


def secret_behind(row: Webhook) -> str:
    """A copy of the database alone signs nothing."""
    return _locker().decrypt(bytes(row.secret_sealed)).decode()


def earlier_behind(row: Webhook, now: datetime) -> str:
    """The secret before it while it still signs; nothing afterwards."""
    if row.earlier_sealed is None or row.earlier_until is None or now >= row.earlier_until:
        return ""
    return _locker().decrypt(bytes(row.earlier_sealed)).decode()


def _locker() -> Fernet:
    # A key for this purpose alone: what opens a webhook's secret opens nothing else of the house.
    return Fernet(base64.urlsafe_b64encode(hmac.digest(settings.MASTER_KEY, b"webhooks", "sha256")))
