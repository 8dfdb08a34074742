"""`python -m cardroom.ops.supervisor [--demo]`: prepares the installation and runs it until Ctrl-C or SIGTERM.

Exit status: 0 after being asked to stop; 1 when the start was refused, with a message, or when a program kept dying and
all were stopped.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import fcntl
import http.client
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from cardroom.config.checkpoint_key import checkpoint_key_make
from cardroom.config.environment import Configuration, EnvironmentRefused, read_environment
from cardroom.config.secret_key import secret_key_make
from cardroom.config.version import VERSION
from cardroom.ops.supervisor.programs import (
    HOST,
    Program,
    StepFailed,
    manage,
    manage_beside,
    private_valkey,
    programs_of,
)
from cardroom.ops.supervisor.supervision import GaveUp, Supervision
from cardroom.ops.supervisor.valkey import ValkeyFailed

#: Seconds to wait for the site's first response before a warning; programs go on starting meanwhile.
_PATIENCE_SECONDS = 60.0
#: Gaming days of simulated play behind a demo room that is new.
_PAST_DAYS = 35


class InTheWay(Exception):
    """The site cannot start until something is corrected; the message says what."""


def main(arguments: list[str]) -> int:
    """Prepare and run the site; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m cardroom.ops.supervisor", description="Runs the site on one machine."
    )
    parser.add_argument("--demo", action="store_true", help="load the demo room, and print its sign-ins")
    demo: bool = parser.parse_args(arguments).demo
    # Both signals end the preparation and its current step. (A shell's background jobs come with SIGINT ignored.)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        configuration = read_environment(needs_secret=False)
        require_free_port(configuration.port)
        with sole_supervisor(configuration.state_dir):
            run(configuration, demo=demo)
    except (EnvironmentRefused, InTheWay, StepFailed, ValkeyFailed, GaveUp) as fault:
        print(fault, file=sys.stderr, flush=True)
        return 1
    except KeyboardInterrupt:
        print("stopped before the site was up", file=sys.stderr)
        return 0
    return 0


def run(configuration: Configuration, *, demo: bool) -> None:
    """Prepare the site, run its programs until asked to stop, and print its address once it answers."""
    sign_ins = prepare(configuration, demo=demo)
    valkey = private_valkey(configuration)
    broker = () if valkey is None else (Program("valkey", tuple(valkey.command()), ready=valkey.answers),)
    supervision = Supervision([*broker, *programs_of(configuration)])
    with supervision.stopped_by_signals():
        if valkey is not None:
            valkey.make_way()
        threading.Thread(target=announce, args=(supervision, configuration, sign_ins), daemon=True).start()
        supervision.run()
    supervision.say("stopped")


def prepare(configuration: Configuration, *, demo: bool) -> str:
    """Create missing keys, tables, static files, and with `demo` the demo room. Returns its sign-ins."""
    if "CARDROOM_SECRET_KEY" not in os.environ and secret_key_make(configuration.state_dir):
        print("made a secret key", flush=True)
    if public := checkpoint_key_make(configuration.checkpoint_key_file):
        print(f"made a key that signs checkpoints; keep its public key elsewhere: {public}", flush=True)
    print(f"Cardroom {VERSION}: preparing the database, and collecting static files beside it", flush=True)
    with manage_beside("collectstatic", "--noinput", "--verbosity", "0"):
        manage("migrate", "--noinput", "--verbosity", "0", "--skip-checks")
    # The checks import every page, which takes seconds: the demo, which is loaded meanwhile, does not wait for them.
    with manage_beside("check"):
        if not demo:
            return ""
        print("loading the demo room; a new one gets five weeks of play behind it", flush=True)
        return manage("load_demo", "--past", str(_PAST_DAYS))


def announce(supervision: Supervision, configuration: Configuration, sign_ins: str) -> None:
    """Wait until the site answers, then print its address and the demo's sign-ins."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not site_answers(configuration.port):
        if supervision.is_asked_to_stop:
            return
        if time.monotonic() > deadline:
            supervision.say(
                f"the site has not answered for {_PATIENCE_SECONDS:.0f} seconds; see the lines of web above"
            )
            return
        time.sleep(0.1)
    supervision.say(
        f"\nThe site is open at http://{HOST}:{configuration.port}/ (Ctrl-C closes it)\n{sign_ins}"
    )


def site_answers(port: int) -> bool:
    """Tell whether the site answers an HTTP request, with any status."""
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/accounts/login/")
        return connection.getresponse().status < 500
    except OSError:
        return False
    finally:
        connection.close()


def require_free_port(port: int) -> None:
    """Raise InTheWay when the site's port is in use already."""
    with socket.socket(socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as fault:
            if fault.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            why = "is taken by another program" if fault.errno == errno.EADDRINUSE else "needs root's rights"
            raise InTheWay(
                f"Port {port} of {HOST} {why}. Stop that program, or choose another port: "
                f"CARDROOM_PORT={8001 if port != 8001 else 8002} make run"
            ) from None


@contextlib.contextmanager
def sole_supervisor(state_dir: Path) -> Iterator[None]:
    """Lock the state directory for this supervisor. Raises InTheWay while another one holds the lock.

    It is a kernel file lock, so it is released when the process ends, by SIGKILL too.
    """
    state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (state_dir / "supervisor.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InTheWay(
                f"Another supervisor runs this site (state directory {state_dir}). Stop it first, "
                "or give this one a CARDROOM_STATE_DIR and a CARDROOM_PORT of its own."
            ) from None
        yield


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
