"""Every address of the house. The floor's signs come first: their page and feed share prefixes with other doors."""

from __future__ import annotations

from django.urls import include, path, re_path

from accounting.tour import pages as tour
from jackpot.web.api.nowhere import Nowhere

handler400 = "jackpot.web.pages.errors.bad_request"
handler403 = "jackpot.web.pages.errors.forbidden"
handler404 = "jackpot.web.pages.errors.not_found"
handler500 = "jackpot.web.pages.errors.fault"

urlpatterns = [
    path("", include("tables.signs.urls")),
    path("", include("accounting.urls")),
    path("", include("tables.urls")),
    path("", include("jackpot.urls")),
    path("tour/<slug:profile>/", tour.tour_steps, name="tour-steps"),
    path("tour/<slug:profile>/sign/", tour.tour_sign, name="tour-sign"),
    path("tour/<slug:profile>/again/", tour.tour_again, name="tour-again"),
    re_path(r"^api/v1/.*$", Nowhere.as_view(), name="api-nowhere"),
]
