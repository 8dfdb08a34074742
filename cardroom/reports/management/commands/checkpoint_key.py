"""`manage.py checkpoint_key`: make the key that signs checkpoints, or show its public key."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.config.checkpoint_key import KeyRefused, checkpoint_key_make, private_key_read, public_hex


class Command(BaseCommand):
    help = (
        "Makes the Ed25519 key that signs checkpoints where there is none, in the file that CARDROOM_CHECKPOINT_KEY_FILE "
        "names, and prints its public key: write that down outside the site. With --renew makes another one; what the "
        "earlier ones have signed keeps verifying."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--renew", action="store_true", help="put a new key in the place of the present one"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = checkpoint_key_make(settings.CHECKPOINT_KEY_FILE, renew=options["renew"])
            public = made or public_hex(private_key_read(settings.CHECKPOINT_KEY_FILE))
        except (KeyRefused, OSError) as fault:
            raise CommandError(str(fault)) from None
        self.stderr.write(f"{settings.CHECKPOINT_KEY_FILE}: {'made' if made else 'there already'}")
        self.stdout.write(public)
