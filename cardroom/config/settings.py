"""Django's settings. What differs between installations comes from `cardroom.config.environment`; all else is written here.

They fail closed: a missing secret key, an unknown variable or an invalid value stops the start with a message.
"""

from __future__ import annotations

from typing import Any

import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from cardroom.config import admin_look
from cardroom.config.broker import BROKER_SECONDS, celery_address, private_url
from cardroom.config.databases import database_settings, replica_settings
from cardroom.config.environment import PROJECT_DIR, EnvironmentRefused, read_environment
from cardroom.config.openapi import SPECTACULAR

# ModelForm[Table], ModelAdmin[Table]: makes Django's classes subscriptable at run time, as the type stubs have them.
django_stubs_ext.monkeypatch()

try:
    configuration = read_environment()
except EnvironmentRefused as refusal:
    raise ImproperlyConfigured(str(refusal)) from None

#: Everything the site writes is under here: database, secret key, collected static files, the broker's socket.
STATE_DIR = configuration.state_dir

SECRET_KEY = configuration.secret_key
DEBUG = configuration.debug
ALLOWED_HOSTS = list(configuration.allowed_hosts)
ROOT_URLCONF = "cardroom.config.urls"
ASGI_APPLICATION = "cardroom.config.asgi.application"
WSGI_APPLICATION = "cardroom.config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    # Unfold comes before the admin whose templates it replaces.
    "unfold",
    "unfold.contrib.filters",
    "unfold.contrib.forms",
    "unfold.contrib.simple_history",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "django_structlog",
    "simple_history",
    "csp",
    "cardroom.core",
    "cardroom.rooms",
    "cardroom.people",
    "cardroom.filings",
    "cardroom.jobs",
    "cardroom.floor",
    "cardroom.webhooks",
    "cardroom.inbox",
    "cardroom.obligations",
    "cardroom.drop",
    "cardroom.tips",
    "cardroom.reports",
    "cardroom.company",
    "cardroom.ops",
    "cardroom.demo",
    "cardroom.api",
    "cardroom.web",
]

MIDDLEWARE = [
    "cardroom.core.counters.requests_counted",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "cardroom.config.admin_policy.admin_content_policy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "cardroom.config.no_store.no_store",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "cardroom.config.request_log.RequestsLogged",
    "cardroom.config.logs.RequestsNamed",
    "allauth.account.middleware.AccountMiddleware",
    "cardroom.web.account.session_guard.SessionGuard",
    "django_htmx.middleware.HtmxMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "cardroom.config.admin_time.AdminTimeMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PROJECT_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- Database -------------------------------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {"default": database_settings(configuration.database)}
DATABASE_OPTIONS: dict[str, Any] = DATABASES["default"]["OPTIONS"]
TRANSACTION_POOLING = configuration.transaction_pooling
if configuration.database.engine == "postgresql":
    if configuration.database_pool:
        # Connections return to the pool at the end of a request. Opening one for each request took half its time.
        DATABASE_OPTIONS["pool"] = {
            "min_size": 1,
            "max_size": configuration.database_pool,
            "timeout": 5,
            # After a failure the pool waits twice as long each time, until it has tried for so long; after that each request
            # tries anew. By default that is five minutes, in the midst of which a database that is back is not noticed.
            "reconnect_timeout": 5,
        }
    DATABASE_OPTIONS["server_side_binding"] = True
    if TRANSACTION_POOLING:
        # The next transaction may be another connection's: none keeps a statement or a cursor for it.
        DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
    else:
        # A statement is prepared once a connection has run it three times: a page runs a dozen short queries over many
        # joins, which take PostgreSQL longer to plan than to answer. Only with values sent apart from the statement
        # (`server_side_binding`) is it the same one each time.
        DATABASE_OPTIONS["prepare_threshold"] = 3

HAS_REPLICA = configuration.replica is not None
if configuration.replica is not None:
    # Read from inside one block alone, and never written to (`cardroom.config.replica`).
    DATABASES["replica"] = replica_settings(configuration.replica)
    DATABASES["replica"]["OPTIONS"]["server_side_binding"] = True
    DATABASES["replica"]["DISABLE_SERVER_SIDE_CURSORS"] = TRANSACTION_POOLING
    DATABASE_ROUTERS = ["cardroom.config.replica.ReplicaRouter"]

# --- Redis protocol: Celery's broker and the shared cache -----------------------------------------------------------

#: The broker and the cache. Without CARDROOM_REDIS_URL: the Valkey that the supervisor runs in the state directory.
REDIS_URL = configuration.redis_url or private_url(STATE_DIR)

CACHES = {
    "default": {
        "BACKEND": "cardroom.config.cache.SteadyRedisCache",
        # The private Valkey has a second database for the cache; a configured server may have only one.
        "LOCATION": configuration.redis_url or private_url(STATE_DIR, database=1),
        "KEY_PREFIX": "cardroom",
        # Timeout in seconds: the most that an unreachable server costs a request.
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
}

# --- Celery -----------------------------------------------------------------------------------------------------------

CELERY_BROKER_URL = celery_address(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # the worker waits for a broker as long as that takes
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": BROKER_SECONDS,
    # Of a broker that is cut off nothing comes, no refusal either: without this a command would wait for minutes.
    "socket_timeout": BROKER_SECONDS,
    # Publishing is tried once: a command at a table does not wait for an unreachable broker.
    "max_retries": 0,
    # A worker asks for messages without that timeout; it asks anew, on a new connection, when so long after the end of
    # its question (a second) there was no answer.
    "health_check_interval": 5,
    "socket_keepalive": True,
}
# Two queues, from which workers take by turns: pieces of long work keep no report waiting for more than one of them.
CELERY_TASK_DEFAULT_QUEUE = "celery"
# A message is gone from the broker once a worker has it. Celery ends a worker whose broker goes while a message waits to
# be acknowledged, and an acknowledgement would serve nothing here: beat asks for due work every minute.
CELERY_PIECES_QUEUE = "pieces"
CELERY_TASK_QUEUES = {name: {"no_ack": True} for name in (CELERY_TASK_DEFAULT_QUEUE, CELERY_PIECES_QUEUE)}
CELERY_TASK_ROUTES = {"cardroom.jobs.tasks.run_pieces": {"queue": CELERY_PIECES_QUEUE}}
CELERY_WORKER_DISABLE_PREFETCH = True  # no more messages at once than a worker has processes
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True  # and no result backend: tasks write their results to the database
CELERY_TASK_SOFT_TIME_LIMIT = 300
CELERY_TASK_TIME_LIMIT = 330
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
CELERY_ENABLE_UTC = True
CELERY_TIMEZONE = "UTC"
# The beat schedule. Never a crontab in a local zone: it would skip or double on the nights when clocks change. Each
# task queries the database for due work, so a message expires after its interval (seconds).
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "show that a worker takes messages": {
        "task": "cardroom.jobs.tasks.show_life",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "run the jobs that are due": {
        "task": "cardroom.jobs.tasks.run_due_jobs",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "look at the tables where somebody plays": {
        "task": "cardroom.floor.tasks.watch_floors",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "hand new entries of the journal to webhooks": {
        "task": "cardroom.webhooks.tasks.hand_out",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "escalate variances that nobody explained in time": {
        "task": "cardroom.reports.tasks.escalate_variances",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "forget old answers to idempotency keys": {
        "task": "cardroom.reports.tasks.purge_stored_answers",
        "schedule": 24 * 60 * 60.0,
    },
    "delete sessions that have expired": {
        "task": "cardroom.people.tasks.purge_sessions",
        "schedule": 60 * 60.0,
        "options": {"expires": 60 * 60},
    },
}
CELERY_BEAT_SCHEDULER = "cardroom.jobs.scheduling:PulseScheduler"
# Beat's last run times. A file is enough: one beat runs at a time, and the tasks are idempotent.
CELERY_BEAT_SCHEDULE_FILENAME = str(STATE_DIR / "beat")

# --- E-mails -------------------------------------------------------------------------------------------------------

_MAIL = configuration.mail_server
EMAIL_BACKEND = (
    "cardroom.config.mail.LoggedMail" if _MAIL is None else "django.core.mail.backends.smtp.EmailBackend"
)
if _MAIL is not None:
    EMAIL_HOST, EMAIL_PORT = _MAIL.host, _MAIL.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL.user, _MAIL.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.security == "starttls", _MAIL.security == "tls"
EMAIL_TIMEOUT = 20  # SMTP timeout in seconds
DEFAULT_FROM_EMAIL = SERVER_EMAIL = configuration.mail_from or "cardroom@localhost"
#: Base URL of the site in e-mails, without a slash at its end; None: e-mails hold no links.
PUBLIC_URL = configuration.public_url

# --- People and sign-in ---------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "people.Staff"
AUTHENTICATION_BACKENDS = ["cardroom.people.sign_in.StaffBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/accounts/login/"
#: A signed-in user may sign in as another, which ends the first session: tablets are shared.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False

ACCOUNT_ADAPTER = "cardroom.people.sign_in.StaffAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_NOTIFICATIONS = False
ACCOUNT_SESSION_REMEMBER = False
# All tablets of a room share one IP address: a rate limit by address would let one bad guesser lock everyone out.
# Wrong passwords and codes are counted by person in the database (`cardroom.people.lockouts`), and allauth's limits are off.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": None,
    "signup": None,
    "reset_password": None,
    "reset_password_from_key": None,
}

ACCOUNT_REAUTHENTICATION_TIMEOUT = (
    10 * 60
)  # seconds: as long as a sign-in is fresh, `cardroom.people.sessions`

#: Whether the roles of `cardroom.people.second_factor` sign in with one.
SECOND_FACTOR_REQUIRED = configuration.second_factor
MFA_ADAPTER = "cardroom.people.second_factor.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Cardroom"
MFA_TOTP_TOLERANCE = 1  # a code of 30 seconds ago or ahead: phones and servers are not set alike
MFA_ALLOW_UNVERIFIED_EMAIL = True  # accounts need no e-mail address
# Browsers let pages without https use passkeys on localhost alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not configuration.https
MFA_FORMS = {
    "authenticate": "cardroom.people.second_factor_forms.CodeForm",
    "reauthenticate": "cardroom.people.second_factor_forms.CodeAgainForm",
    "authenticate_webauthn": "cardroom.people.second_factor_forms.KeyForm",
    "reauthenticate_webauthn": "cardroom.people.second_factor_forms.KeyAgainForm",
    "login_webauthn": "cardroom.people.second_factor_forms.KeyAloneForm",
}
MFA_RATE_LIMITS = {"webauthn_login": None}  # by address, and a passkey cannot be guessed

SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_AGE = 12 * 60 * 60  # a long shift, in seconds
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = configuration.https
CSRF_COOKIE_SECURE = configuration.https
CSRF_COOKIE_SAMESITE = "Lax"

# --- Security headers -----------------------------------------------------------------------------------------------

SECURE_SSL_REDIRECT = configuration.https
# Health checks and metrics are requested on this network, behind the proxy that terminates https.
SECURE_REDIRECT_EXEMPT = [r"^(health|ready|metrics)/?$"]
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if configuration.https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = configuration.https
# W021: HSTS preloading is the decision of the domain's owner.
SILENCED_SYSTEM_CHECKS = ["security.W021"]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Pages load nothing from other origins and run no inline script. The admin's wider policy: admin_policy.py.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}

# --- Static files ---------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = STATE_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- API ------------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    # Throttles by address go by the connection's, in which uvicorn puts what a proxy that it trusts says.
    "NUM_PROXIES": 0,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = SPECTACULAR

# --- Admin ----------------------------------------------------------------------------------------------------------

UNFOLD = admin_look.UNFOLD

# --- Time and language ----------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
#: Those of the players' display; all other pages are in English.
LANGUAGES = [("en", "English"), ("es", "Español"), ("vi", "Tiếng Việt"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [PROJECT_DIR / "cardroom" / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True
# Times in the admin are shown with their zone.
FORMAT_MODULE_PATH = ["cardroom.config.formats"]

# --- Logs -----------------------------------------------------------------------------------------------------------

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "cardroom.config.logs.line_formatter"},
        "json": {"()": "cardroom.config.logs.json_formatter"},
    },
    "filters": {"once_a_second": {"()": "cardroom.config.logs.OnceASecond"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "json" if configuration.log_json else "line",
        }
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        # Django's default handlers would print every request and error a second time.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
        "uvicorn": {"handlers": [], "level": "INFO", "propagate": True},
        "uvicorn.access": {"handlers": [], "propagate": False},
        # Where the database is away, the pool warns of every connection that it tries to open.
        "psycopg.pool": {"filters": ["once_a_second"]},
    },
}
DJANGO_STRUCTLOG_CELERY_ENABLED = True

# --- Metrics --------------------------------------------------------------------------------------------------------

#: The bearer token for /metrics; None: /metrics answers 404.
METRICS_TOKEN = configuration.metrics_token

# --- Programs -------------------------------------------------------------------------------------------------------

#: Requests a minute that one program may send to the API.
PROGRAM_REQUESTS = configuration.program_requests
#: Whether webhooks may go to addresses of private networks, and by http.
WEBHOOKS_INSIDE = configuration.webhooks_inside

# --- Checkpoints ----------------------------------------------------------------------------------------------------

#: The key that signs checkpoints, outside the database; a file that is not there: none is made (docs/checkpoints.md).
CHECKPOINT_KEY_FILE = configuration.checkpoint_key_file
#: The time stamp authority and its root certificate; None: checkpoints get no time stamps.
TSA_URL = configuration.tsa_url
TSA_CERTIFICATE = configuration.tsa_certificate

# --- Exports --------------------------------------------------------------------------------------------------------

#: Where closed gaming days are written as Parquet; None: they are not (docs/parquet.md).
EXPORT_URL = configuration.export_url
#: The file of a company's cells, at the company's own site (docs/company.md); None everywhere else.
COMPANY_FILE = configuration.company_file
