"""The OpenAPI document, and the page that renders it with assets of our own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from jackpot.web.api.access import ANYONE

OPEN: Mapping[str, tuple[str, ...]] = {"GET": (ANYONE,)}


class Schema(SpectacularAPIView):
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = OPEN


class Documentation(SpectacularSwaggerSplitView):
    """The script comes by a request of its own, because the page may hold none."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = OPEN
    url_name = "api-schema"
    template_name = "jackpot/web/api_docs.html"
