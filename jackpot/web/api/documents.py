"""The OpenAPI document, and the page that renders it with assets of our own."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SCHEMA_KWARGS, SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

from jackpot.refusals import Refused
from jackpot.web.api.access import ANYONE

OPEN: Mapping[str, tuple[str, ...]] = {"GET": (ANYONE,)}
IN_A_REQUEST: Final = 30.0  # seconds that a request waits for it
WRITTEN_WITHIN: Final = 120.0
log = logging.getLogger(__name__)


class DocumentUnderWay(Refused):
    """It comes; the same is welcome a little later."""

    code = "busy"
    status = 503


@dataclass(slots=True)
class Document:
    """One form of it. Whoever asks first has it written; who asks meanwhile waits for the same one."""

    renderer: str
    words: bytes = b""
    _writing: threading.Thread | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def read(self) -> bytes:
        with self._lock:
            if not self.words and (self._writing is None or not self._writing.is_alive()):
                # A daemon: no stop of the house waits for a document.
                self._writing = threading.Thread(target=self._write, name="document of the API", daemon=True)
                self._writing.start()
            writing = self._writing
        # Joined without the lock: who asks meanwhile waits beside us and not behind us.
        if not self.words and writing is not None:
            writing.join(IN_A_REQUEST)
        if not self.words:
            raise DocumentUnderWay("The document of the API is being written. Ask again in some seconds.")
        return self.words

    def _write(self) -> None:
        command = [sys.executable, "-m", "jackpot.web.api.document_writer", self.renderer]
        environment = {**os.environ, "FAIRMETER_DATA": str(settings.DATA_DIR)}
        try:
            done = subprocess.run(
                command, cwd=settings.BASE_DIR, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                timeout=WRITTEN_WITHIN, check=True,
            )  # fmt: skip
        # Nothing is kept of it: whoever asks next has it written again.
        except (OSError, subprocess.SubprocessError) as problem:
            said = getattr(problem, "stderr", None) or b""
            log.error("The document of the API was not written: %s %s", problem, said[-2000:].decode(errors="replace"))
        else:
            self.words = done.stdout


# By what a renderer calls its form: seconds of processor time each, and anybody may ask.
_DOCUMENTS: Final = {"yaml": Document("OpenApiYamlRenderer"), "json": Document("OpenApiJsonRenderer")}


class Schema(SpectacularAPIView):
    """The same for everybody and for as long as the process lives, so it is written once, whatever is asked, and in a
    process of its own: nobody at this one waits beside it."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = OPEN

    @extend_schema(**SCHEMA_KWARGS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        renderer: Any = request.accepted_renderer
        words = _DOCUMENTS[renderer.format].read()
        told = {"Content-Disposition": f'inline; filename="fairmeter.{renderer.format}"'}
        return HttpResponse(words, content_type=renderer.media_type, headers=told)


class Documentation(SpectacularSwaggerSplitView):
    """The script comes by a request of its own, because the page may hold none."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = OPEN
    url_name = "api-schema"
    template_name = "jackpot/web/api_docs.html"
