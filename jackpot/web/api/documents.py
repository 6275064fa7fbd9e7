"""The OpenAPI document, and the page that renders it with assets of our own."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SCHEMA_KWARGS, SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

from jackpot.web.api.access import ANYONE

OPEN: Mapping[str, tuple[str, ...]] = {"GET": (ANYONE,)}


_WRITTEN: Final[dict[str, bytes]] = {}  # by format: it costs a second of processor time, and anybody may ask
_WRITING: Final = threading.Lock()


class Schema(SpectacularAPIView):
    """The same for everybody and for as long as the process lives, so it is written once, whatever is asked."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = OPEN

    @extend_schema(**SCHEMA_KWARGS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        renderer: Any = request.accepted_renderer
        with _WRITING:
            if renderer.media_type not in _WRITTEN:
                generator: Any = SchemaGenerator
                document = generator().get_schema(request=None, public=True)
                _WRITTEN[renderer.media_type] = renderer.render(document, renderer.media_type, {})
        name = f'inline; filename="fairmeter.{renderer.format}"'
        return HttpResponse(
            _WRITTEN[renderer.media_type], content_type=renderer.media_type, headers={"Content-Disposition": name}
        )


class Documentation(SpectacularSwaggerSplitView):
    """The script comes by a request of its own, because the page may hold none."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = OPEN
    url_name = "api-schema"
    template_name = "jackpot/web/api_docs.html"
