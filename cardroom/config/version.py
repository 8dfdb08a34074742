"""The version of the product: the one place where it is written.

Shown on the about page, at `/health/`, in each JSON log line and by the supervisor as it starts. `CHANGELOG.md` says what
each version changed.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0.dev0"
