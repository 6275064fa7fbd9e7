from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.urls import resolve
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from jackpot.refusals import NotFound
from jackpot.web.api.access import ANYONE
from jackpot.web.api.doors import Door


@extend_schema(exclude=True)
class Nowhere(Door):
    """Every other address under /api/v1/: a refusal like all others, not a page."""

    # That an address is not there is no secret: nobody has to sign in to be told.
    authentication_classes = []
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": (ANYONE,)}

    def initial(self, request: Request, *_: Any, **__: Any) -> None:
        path = request.path
        meant = resolve(f"{path}/").url_name if not path.endswith("/") else None
        advice = f" Did you mean {path}/?" if meant not in (None, "api-nowhere") else " See /api/v1/docs/."
        raise NotFound(f"There is nothing at {path}.{advice}")
