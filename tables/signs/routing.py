from __future__ import annotations

from django.urls import path

from tables.signs.consumers import SignConsumer

websocket_urlpatterns = [path("ws/signs/<str:code>", SignConsumer.as_asgi())]  # type: ignore[arg-type]
