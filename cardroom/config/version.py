"""Version string of the product: the one place where it is written.

Shown on the about page, at `/health/`, in each JSON log line and at the supervisor's start. `CHANGELOG.md` lists what
each version changed.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.2.0.dev0"
