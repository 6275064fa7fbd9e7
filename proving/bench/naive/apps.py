from __future__ import annotations

from django.apps import AppConfig


class NaiveConfig(AppConfig):
    name = "proving.bench.naive"
    label = "naive"
