"""Run a command and say what it took: a small process of its own, so that what is measured is the command's.

A child's peak memory counts from the fork on, and the benchmark's own process is larger than the engine's.

    python tests/measure/bench/launch.py COMMAND…     standard input goes to the command, its output nowhere

prints `{"status": 0, "cpu": seconds of user and system time, "wall": seconds, "peak": bytes}`.
"""

import json
import os
import subprocess
import sys
import time


def main(words: list[str]) -> None:
    """Run the words as a command and print what it took."""
    began = time.perf_counter()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    took = {"status": child.returncode, "cpu": used.ru_utime + used.ru_stime, "wall": wall, "peak": peak}
    print(json.dumps(took))


if __name__ == "__main__":
    main(sys.argv[1:])
