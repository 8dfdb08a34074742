"""Runs a command against throwaway servers: `python -m tests.servers postgres -- pytest tests/floor`.

The servers are passed to the command by the site's own variables, and gone when it ends. Its exit status is passed on.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType

from tests.servers.postgres import Postgres

USAGE = "usage: python -m tests.servers postgres -- COMMAND [ARGUMENT…]"


def main(arguments: list[str]) -> int:
    """Start the server that `arguments` name, run the command after "--", stop the server."""
    if arguments[:2] != ["postgres", "--"] or len(arguments) < 3:
        print(USAGE, file=sys.stderr)
        return 2
    with Postgres() as server:
        command = subprocess.Popen(arguments[2:], env={**os.environ, "CARDROOM_DATABASE_URL": server.url})

        def pass_on(number: int, frame: FrameType | None) -> None:
            command.send_signal(number)

        # Ctrl-C reaches the command by itself; this process has to outlive it, to stop the server.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, pass_on)
        return command.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
