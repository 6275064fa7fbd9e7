from __future__ import annotations

from django.urls import path

from proving.bench.naive.views import NaiveMessages

urlpatterns = [path("tables/<str:code>/messages", NaiveMessages.as_view())]
