from __future__ import annotations

from django.urls import path

from tables.signs import views

urlpatterns = [
    path("signs/", views.index, name="signs"),
    path("signs/<str:code>/", views.page, name="sign"),
    path("api/v1/signs/<str:code>", views.snapshot, name="sign-snapshot"),
]
