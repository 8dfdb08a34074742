"""Django system check (`check --deploy`, cardroom.W003): the key that signs checkpoints."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core import checks

from cardroom.config.checkpoint_key import KeyRefused, private_key_read


@checks.register(checks.Tags.security, deploy=True)
def check_checkpoint_key(**kwargs: Any) -> list[checks.CheckMessage]:
    """Warn of a site that signs no checkpoints."""
    try:
        private_key_read(settings.CHECKPOINT_KEY_FILE)
    except KeyRefused as fault:
        return [
            checks.Warning(
                f"No checkpoint is signed: {fault}",
                hint="Without checkpoints outside the site, a database that its owner rewrites whole agrees with itself. "
                "docs/checkpoints.md says how.",
                id="cardroom.W003",
            )
        ]
    return []
