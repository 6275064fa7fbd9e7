from __future__ import annotations

from django.urls import path

from proving.bench.naive.views import Messages

urlpatterns = [path("tables/<str:code>/messages", Messages.as_view())]
