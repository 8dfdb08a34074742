"""Where tests find the shared reference data: rule documents, design notes and sample rounds.

The product never reads these. Set CARDROOM_SHARED, or keep the folder `shared` beside the project's root.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def shared(*parts: str) -> Path:
    """A file or folder of the shared data; FileNotFoundError says what to do when it is not there."""
    folder = Path(os.environ.get("CARDROOM_SHARED") or ROOT.parent / "shared")
    path = folder.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(
            f"the shared test data {path} is missing: these tests compare against it and cannot be skipped. "
            f"Put the folder 'shared' beside {ROOT.name}/, or set CARDROOM_SHARED to where it is."
        )
    return path
