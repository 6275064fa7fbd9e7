from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "proving.bench.naive.settings"
application = get_wsgi_application()
