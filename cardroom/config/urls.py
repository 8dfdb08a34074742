"""Root URL configuration."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from cardroom.ops.health import health, ready
from cardroom.ops.metrics import metrics
from cardroom.web.account.views import remove_key

# The admin uses the site's sign-in page, which is rate limited.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    # Before allauth's own page of that address, which lets the last factor go.
    path("accounts/2fa/webauthn/keys/<int:pk>/remove/", remove_key, name="mfa_remove_webauthn"),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("api/", include("cardroom.api.urls")),
    path("metrics", metrics, name="metrics"),
    path("health/", health, name="health"),
    path("ready/", ready, name="ready"),
    path("", include("cardroom.web.urls")),
]

#: Responds to an unhandled exception: 503 where the database or the broker is unreachable, else 500.
handler500 = "cardroom.config.failures.server_error"
