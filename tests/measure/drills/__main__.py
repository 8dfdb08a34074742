"""`make drills`: run drills on throwaway servers and write docs/measured/drills.md.

    python -m tests.measure.drills [NAME …]

Exit status 0 when every drill came out whole, and every control broken.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.servers.postgres import open_directory

from .drill import Drill, Run, failures, say
from .every import DRILLS
from .page import PAGE, page, read, section


def main(arguments: list[str]) -> int:
    """Run the drills that are named, or all; write the sections of those that came to an end."""
    by_name = {drill.name: drill for drill in DRILLS}
    parser = argparse.ArgumentParser(prog="python -m tests.measure.drills")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of: {', '.join(by_name)}; all without one"
    )
    names = parser.parse_args(arguments).names
    if unknown := sorted(set(names) - set(by_name)):
        parser.error(f"there is no drill {unknown[0]!r}; there are: {', '.join(by_name)}")
    failed = [drill.name for drill in (by_name[name] for name in names or by_name) if not _passes(drill)]
    if failed:
        print(f"Failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _passes(drill: Drill) -> bool:
    """Run a drill and write its section; tell whether it came out as it must."""
    say(f"{drill.name}: {drill.title}")
    began = time.monotonic()
    runs: list[Run] = []
    try:
        with tempfile.TemporaryDirectory(prefix="cardroom-drill-", dir=open_directory()) as name:
            place = Path(name)
            place.chmod(0o711)  # the servers' account enters it
            runs.extend(drill.runs(place))
    except Exception:  # noqa: BLE001  # whatever it is: the other drills are run even so, and this one has failed
        traceback.print_exc()
        say(f"{drill.name}: did not come to its end")
        return False
    text = section(drill, runs, time.monotonic() - began)
    print(text)
    PAGE.write_text(page(DRILLS, {drill.name: text}, read()), encoding="utf-8")
    wrong = failures(runs)
    for each in wrong:
        say(f"{drill.name}: FAILED: {each}")
    return not wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
