"""Signs the supervisor of the drills' tables in: `python -m tests.measure.drills.signed_in`, prints the session's key."""

from __future__ import annotations

import os

import django


def main() -> None:
    """Sign in and print."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    from django.test import Client

    from cardroom.people.models import Staff
    from cardroom.people.sessions import BACKEND

    client = Client()
    client.force_login(Staff.objects.get(username="floor"), backend=BACKEND)
    print(client.cookies["sessionid"].value)


if __name__ == "__main__":
    main()
