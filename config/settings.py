"""Settings. They read the environment and files; they never start anything.

Every value has a default that is right for one machine; a server sets DATABASE_URL and FAIRMETER_HOSTS. No setting here
names Redis: it only rings between workers (config/celery.py), and signs need none (docs/decisions/0034).
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from psycopg.conninfo import conninfo_to_dict

from jackpot.database.deadlines import USE, connection_options
from launcher.places import drawn, read_master
from launcher.switches import CLIENT, directory_issuer, idle_minutes

BASE_DIR = Path(__file__).resolve().parent.parent
PROGRAM = "Fairmeter " + tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
DATA_DIR = Path(os.environ.get("FAIRMETER_DATA") or BASE_DIR / "data")


def setting(name: str, default: str = "") -> str:
    """An empty variable counts as unset: compose files and shells love to pass them."""
    return os.environ.get(name) or default


DEBUG = setting("FAIRMETER_DEBUG") == "yes"
MASTER_KEY = read_master(DATA_DIR)
SECRET_KEY = drawn(MASTER_KEY, "django").hex()
WEBHOOK_REACH = setting("FAIRMETER_WEBHOOK_REACH")  # hosts, .domains and networks; empty: anywhere
ALLOWED_HOSTS = setting("FAIRMETER_HOSTS", "127.0.0.1,localhost,[::1]").split(",")
ALLOWED_ORIGINS = [origin for origin in setting("FAIRMETER_ORIGINS").split(",") if origin]
# What a phone that scans a win page opens; without a word of its own, the first origin that the server was told.
PUBLIC_URL = (setting("FAIRMETER_PUBLIC_URL") or next(iter(ALLOWED_ORIGINS), "")).rstrip("/")
OVER_TLS = setting("FAIRMETER_TLS") == "yes"

INSTALLED_APPS = [
    "config",
    "accounting",
    "tables",
    "jackpot",
    "channels",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "csp",
    "django.contrib.postgres",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "jackpot.web.request_id.NamedRequests",
    "jackpot.web.pages.readable.Readable",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "jackpot.web.pages.unkept.Unkept",
    "jackpot.web.pages.certain.Certain",
    "jackpot.web.pages.old_sessions.OldSessions",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "jackpot.trail.pages.RefusalsNoted",
    "jackpot.answers.pages.FormsOnce",
    "jackpot.people.pages.SecondFactorAsked",
    "jackpot.people.pages.TouchProlongs",
    "jackpot.web.pages.only_by_form.OnlyByForm",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "libraries": {
                "figures": "jackpot.web.templatetags.figures",
                "evidence": "jackpot.evidence.templatetags.evidence",
                "house": "jackpot.top.templatetags.house",
                "history": "jackpot.trail.templatetags.history",
                "play_around": "jackpot.wins.templatetags.play_around",
                "row_meters": "jackpot.wins.templatetags.row_meters",
                "cards": "tables.rulebook.templatetags.cards",
                "exact_figures": "tables.par.templatetags.exact_figures",
                "hit_evidence": "tables.hits.templatetags.hit_evidence",
                "notices": "jackpot.notices.templatetags.notices",
                "tour": "accounting.tour.templatetags.tour",
                "alarms": "accounting.alarms.templatetags.alarms",
            },
            "builtins": ["jackpot.web.templatetags.forms"],  # every form's own key beside Django's token
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]


def database(url: str) -> dict[str, Any]:
    """Django's form of a PostgreSQL URL; what libpq knows and Django does not goes to OPTIONS."""
    parts: dict[str, Any] = dict(conninfo_to_dict(url))
    known = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    return {
        "ENGINE": "jackpot.database.engine",  # a commit that had no answer is no success there
        **{name: str(parts.pop(libpq, "") or "") for name, libpq in known.items()},
        "OPTIONS": connection_options(parts, os.environ.get(USE) or "command"),
        "CONN_MAX_AGE": 0,
        "DISABLE_SERVER_SIDE_CURSORS": False,
    }


DATABASES = {"default": database(setting("DATABASE_URL", "postgresql://fairmeter_app@/fairmeter"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "jackpot.Operator"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/"
# Roles whose people need a second factor; whoever has set one up is asked for it anyway. The demo asks of nobody.
SECOND_FACTOR_ROLES = tuple(role.strip() for role in setting("FAIRMETER_SECOND_FACTOR").split(",") if role.strip())
# A directory of the casino that signs people in (OpenID Connect); they exist here first and link themselves.
DIRECTORY_ISSUER = directory_issuer(os.environ)
DIRECTORY_CLIENT = setting(CLIENT)
DIRECTORY_SECRET_FILE = setting("FAIRMETER_OIDC_SECRET_FILE")
DIRECTORY_NAME = setting("FAIRMETER_OIDC_NAME", "the casino’s directory")
DIRECTORY_TELLS_FACTOR = setting("FAIRMETER_OIDC_TELLS_FACTOR") == "yes"  # its word for a second factor is enough
# After how many minutes without a touch a sign-in ends (10 to 480; 0: only after its eight hours), with a warning
# before; and whether a person has one sign-in only, the newest. A console on duty holds its own.
IDLE_MINUTES = idle_minutes(os.environ)
ONE_SESSION = setting("FAIRMETER_ONE_SESSION") == "yes"
SESSION_COOKIE_AGE = IDLE_MINUTES * 60 or 8 * 3600
SESSION_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = OVER_TLS
SECURE_SSL_REDIRECT = False  # the server speaks TLS itself or a proxy does; plain HTTP is then not listened to
SECURE_HSTS_SECONDS = 31_536_000 if OVER_TLS else 0
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # HSTS for subdomains: they are the casino's, not ours to bind
    "security.W008",  # no redirect from plain HTTP: it is not listened to where TLS is on
    "security.W021",  # HSTS preload is a decision of the domain's owner
]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_TRUSTED_ORIGINS = ALLOWED_ORIGINS

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    },
}

LANGUAGE_CODE = "en"
USE_TZ = True
TIME_ZONE = "UTC"

# How long what is no record of the books is kept; /audit/retention/ shows all of it in one table.
ANSWERS_KEPT_DAYS = max(1, int(setting("FAIRMETER_ANSWERS_DAYS", "7")))
PARCELS_KEPT_DAYS = max(1, int(setting("FAIRMETER_PARCELS_DAYS", "30")))
RECORDS_KEPT_YEARS = max(1, int(setting("FAIRMETER_RECORDS_YEARS", "7")))

# Where an OpenTelemetry collector takes traces over HTTP, such as http://127.0.0.1:4318; empty: none are made.
TRACES_URL = setting("FAIRMETER_TRACES")
# Alarms by mail: smtp://host:25 (encrypted as soon as the server offers it) or smtps://name:password@host:465.
SMTP_URL = setting("FAIRMETER_SMTP")
MAIL_FROM = setting("FAIRMETER_MAIL_FROM", "fairmeter@localhost")
# Where the heads of the books go besides the data folder: https://… (a PUT) or the path of a program, between spaces.
HEADS_TO = setting("FAIRMETER_HEADS_TO").split()

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounting.programs.api.bearer.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["jackpot.web.api.access.ReadsOrRefused"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_FILTER_BACKENDS": [
        "django_filters.rest_framework.DjangoFilterBackend",
        "rest_framework.filters.OrderingFilter",
    ],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "jackpot.web.api.refusals.answer_refusal",
    "COERCE_DECIMAL_TO_STRING": True,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Fairmeter",
    "DESCRIPTION": "The open, self-hosted manager of table-game progressive jackpots.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "ENFORCE_NON_BLANK_FIELDS": True,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "jackpot.web.api.examples.with_examples",
    ],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    # Several subjects have a field of one name and other words for it; the document calls each by its subject.
    "ENUM_NAME_OVERRIDES": {
        "DayStateEnum": "accounting.days.api.DAY_STATES",
        "DayActEnum": "accounting.days.api.DAY_ACTS",
        "TermsChangeStateEnum": "tables.requests.api.STATE_WORDS",
        "FindingWeightEnum": "jackpot.laboratory.findings.WEIGHTS",
        "ApprovedThingEnum": "jackpot.approvals.api.THINGS",
        "KeptItemKindEnum": "tables.custody.api.KINDS",
        "HandSlipWordEnum": "tables.slip_book.api.SLIP_WORDS",
        "ApprovalWordEnum": "jackpot.approvals.api.SAYS",
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "unsaid": {"()": "jackpot.web.logs.Unsaid"},
        "named": {"()": "jackpot.web.request_id.NamesRequests"},
    },
    "formatters": {
        "line": {"()": "jackpot.web.logs.Line"},
        "json": {"()": "jackpot.web.logs.JsonLine"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if setting("FAIRMETER_LOG_JSON") == "yes" else "line",
            "filters": ["unsaid", "named"],
        },
    },
    # What a caller sent wrongly is answered and, where it was refused, in the trail; it is no warning of ours.
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django.security": {"level": "CRITICAL"},  # a strange host, a forged form, a thousand fields: answered with 400
    },
    "root": {"handlers": ["console"], "level": setting("FAIRMETER_LOG_LEVEL", "WARNING")},
}
