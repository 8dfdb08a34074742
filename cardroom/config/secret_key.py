"""Generates the secret key of an installation, once: `python -m cardroom.config.secret_key`."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

from cardroom.config.environment import EnvironmentRefused, read_environment, secret_key_file


def secret_key_make(state_dir: Path) -> bool:
    """Write a new secret key file (mode 0600) into the state directory.

    Returns whether one was written. An existing key stays: a new one would end every session.
    """
    state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = secret_key_file(state_dir)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(64) + "\n")
    return True


if __name__ == "__main__":
    try:
        configuration = read_environment(needs_secret=False)
    except EnvironmentRefused as refusal:
        sys.exit(str(refusal))
    made = secret_key_make(configuration.state_dir)
    print(f"{secret_key_file(configuration.state_dir)}: {'made' if made else 'there already'}")
