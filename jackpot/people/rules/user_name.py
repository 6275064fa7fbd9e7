"""How a person is called here: the name to sign in with, and the name on paper."""

from __future__ import annotations

import re
from typing import Final

_USERNAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@+-]{0,59}")


def user_name_refusal(username: str, name: str) -> str:
    """The sentence of the refusal, or nothing."""
    if _USERNAME.fullmatch(username) is None:
        return "A user name is letters, digits and . _ - @ +, at most 60."
    if not name.strip() or len(name) > 100:
        return "Write the person's name, at most 100 characters."
    return ""
