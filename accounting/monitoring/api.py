"""Figures for a monitoring system, in Prometheus' text form."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

from django.http import HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from accounting.monitoring.queries import figures
from jackpot.web.api.access import ReadsOrRefused
from jackpot.web.api.doors import Door


class NearbyOrReads(ReadsOrRefused):
    """A scraper on this machine asks without signing in; whoever comes from elsewhere, or through a proxy, may not."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return _asked_here(request) or super().has_permission(request, view)


@method_decorator(gzip_page, name="dispatch")  # two lines a table: a floor of 2,000 is 182 kB, and 10 kB packed
class Metrics(Door):
    """Meters, rounds, devices, open hits, paper, signs, standbys, disk. Answers without a database too."""

    permission_classes = [NearbyOrReads]

    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, _: Request) -> HttpResponse:
        text = "".join(line + "\n" for line in figures())
        return HttpResponse(text, content_type="text/plain; version=0.0.4; charset=utf-8")


def _asked_here(request: Request) -> bool:
    if request.META.get("HTTP_X_FORWARDED_FOR") or request.META.get("HTTP_FORWARDED"):
        return False
    try:
        return ip_address(str(request.META.get("REMOTE_ADDR", ""))).is_loopback
    except ValueError:
        return False
