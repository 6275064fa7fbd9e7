"""The process that writes the API's document: python -m jackpot.web.api.document_writer RENDERER > FILE.

It takes seconds of Python, so it is no work for a process that counts chips beside it; it gives way to the floor.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Final

import django

GIVES_WAY: Final = 2


def main(renderer: str) -> None:
    os.nice(GIVES_WAY)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    sys.stdout.buffer.write(written_by(renderer))


def written_by(name: str) -> bytes:
    """The whole document, in the words of one of the library's renderers."""
    from drf_spectacular import renderers
    from drf_spectacular.generators import SchemaGenerator

    generator: Any = SchemaGenerator
    renderer = getattr(renderers, name)()
    document: Any = generator().get_schema(request=None, public=True)
    said: bytes = renderer.render(document, renderer.media_type, {})
    return said


if __name__ == "__main__":
    main(sys.argv[1])
