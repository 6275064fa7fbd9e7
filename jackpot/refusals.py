"""What a person or a device can meet: every refusal is a sentence that names the thing and the cure."""

from __future__ import annotations


class Refused(Exception):
    """Nothing was changed. `code` is for programs, the text is for people."""

    code = "refused"
    status = 409

    def __init__(self, why: str, code: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.code = code or self.code


class NotAllowedNow(Refused):
    code = "not_now"


class NotAllowed(Refused):
    code = "not_allowed"
    status = 403


class NotFound(Refused):
    code = "not_found"
    status = 404


class NotUnderstood(Refused):
    code = "not_understood"
    status = 400


class AlreadyPosted(Refused):
    """The same name with another request: loud, because somebody believes something else."""

    code = "clash"
