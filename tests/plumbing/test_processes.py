"""Children end when they should, and nothing of theirs is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cardroom.config.environment import PROJECT_DIR
from cardroom.ops.supervisor.processes import end_session, start_child, stop_children

pytestmark = pytest.mark.outside


def python(source: str) -> list[str]:
    return [sys.executable, "-c", source]


def is_alive(pid: int) -> bool:
    """Tell whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(holds: object, seconds: float = 10) -> None:
    assert callable(holds)
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come to hold in time"
        time.sleep(0.02)


#: A leader that starts a process which ignores SIGTERM, prints its id, and waits.
STUBBORN = (
    "import subprocess, sys, time;"
    "child = subprocess.Popen([sys.executable, '-c',"
    " 'import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)'],"
    " stdout=subprocess.PIPE);"
    "child.stdout.readline(); print(child.pid, flush=True); time.sleep(60)"
)


@pytest.fixture
def stubborn() -> tuple[subprocess.Popen[bytes], int]:
    leader = start_child(python(STUBBORN), output=subprocess.PIPE)
    assert leader.stdout is not None
    return leader, int(leader.stdout.readline())


def test_a_child_does_not_hear_the_terminals_ctrl_c() -> None:
    child = start_child(python("import time; time.sleep(60)"))
    try:
        assert os.getsid(child.pid) == child.pid != os.getsid(0)
    finally:
        end_session(child)


def test_stopping_ends_what_the_leader_left_behind(stubborn: tuple[subprocess.Popen[bytes], int]) -> None:
    leader, other = stubborn
    assert is_alive(other)
    stop_children([leader], grace=5)
    assert leader.returncode == -signal.SIGTERM
    wait_until(lambda: not is_alive(other))


def test_only_the_leader_is_asked_to_end() -> None:
    """A worker's pool must go on until its leader ends it."""
    source = (
        "import os, signal, subprocess, sys;"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        "answer = lambda: os.write(1, b'gone' if child.poll() else b'there');"
        "signal.signal(signal.SIGTERM, lambda *_: (answer(), child.kill(), os._exit(0)));"
        "os.write(1, b'ready\\n'); signal.pause()"
    )
    leader = start_child(python(source), output=subprocess.PIPE)
    assert leader.stdout is not None
    leader.stdout.readline()
    stop_children([leader], grace=10)
    assert leader.stdout.read() == b"there"


def test_a_child_that_does_not_end_in_time_is_ended() -> None:
    source = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    child = start_child(python(source), output=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    began = time.monotonic()
    stop_children([child], grace=0.3)
    assert child.returncode == -signal.SIGKILL
    assert time.monotonic() - began < 5


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children that their parent died")
def test_children_end_when_their_parent_is_killed() -> None:
    source = (
        "import time; from cardroom.ops.supervisor.processes import start_child;"
        "print(start_child(['sleep', '60']).pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen(python(source), stdout=subprocess.PIPE, cwd=PROJECT_DIR)
    with parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_alive(child)
        parent.kill()
    wait_until(lambda: not is_alive(child))


def test_a_signal_that_comes_while_a_child_is_started_leaves_no_child() -> None:
    source = """
import os, signal
from cardroom.ops.supervisor.processes import start_child
signal.signal(signal.SIGTERM, signal.default_int_handler)
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGTERM))
try:
    start_child(["sleep", "60"])
except KeyboardInterrupt:
    print("interrupted")
try:
    print(os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    print("no child")
"""
    done = subprocess.run(python(source), capture_output=True, text=True, cwd=PROJECT_DIR, check=False)
    assert done.stdout.split("\n") == ["interrupted", "no child", ""], done
