from __future__ import annotations

from django.urls import path, register_converter

import jackpot.urls  # noqa: F401  registers the path converters
from accounting.views import home, verify


class Digest:
    """What stands behind the slip number on a page; anything of that length is answered."""

    regex = "[^/]{1,64}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Digest, "digest")

urlpatterns = [
    path("", home.home, name="home"),
    path("verify/<number:number>/<digest:digest>", verify.verify, name="verify"),
]
