"""`Authorization: Bearer fm_…`: a program instead of a person. Whoever shows no token is asked as ever."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from accounting.programs.actions.tokens import use_token
from accounting.programs.models import ProgramCaller, ProgramToken
from jackpot.refusals import NotAllowed


class BearerToken(BaseAuthentication):
    """Stands before the session: where both come, the token speaks, so no request has two authors."""

    def authenticate(self, request: Request) -> tuple[ProgramCaller, ProgramToken] | None:
        scheme, _, written = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        # Before the method is judged: a wrong token hears only that it opens nothing.
        token = use_token(written.strip())
        if request.method not in SAFE_METHODS:
            raise NotAllowed(f"A token only reads; {request.method} is a person’s. Sign in to do it.", "token_reads")
        return ProgramCaller(token), token


class BearerInSchema(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Tells the OpenAPI document of it."""

    target_class = BearerToken
    name = "programToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:  # noqa: ARG002  asked by the document
        return {"type": "http", "scheme": "bearer", "description": "A token of a program; it opens what is read."}
