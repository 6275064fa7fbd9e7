"""A transaction around acts which commit by themselves, so that all of it can be taken back."""

from __future__ import annotations

from typing import Any

from django.db import transaction


def as_a_test() -> Any:
    """As Django marks its own: what is durable lets itself be held by tests only."""
    held = transaction.atomic()
    held._from_testcase = True  # type: ignore[attr-defined]  # the name that Django asks for
    return held
