"""Addresses for machines. A proxy passes /health/ and /ready/ on to those who watch the house, or to nobody."""

from __future__ import annotations

from django.urls import path

from . import views

app_name = "works"

urlpatterns = [
    path("health/", views.health, name="health"),
    path("ready/", views.ready, name="ready"),
]
