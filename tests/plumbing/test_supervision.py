"""Programs are kept running while that makes sense, and are stopped in order."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from cardroom.ops.supervisor import supervision as module
from cardroom.ops.supervisor.programs import Program
from cardroom.ops.supervisor.supervision import MOST_DEATHS, GaveUp, Supervision

from .test_processes import wait_until

pytestmark = pytest.mark.outside


def program(name: str, source: str) -> Program:
    return Program(name, (sys.executable, "-c", source))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE_SECONDS", 0.01)


@pytest.mark.usefixtures("quick")
def test_a_program_that_dies_is_started_again_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = tmp_path / "marks"
    once = f"open({str(marks)!r}, 'a').write('.'); n = len(open({str(marks)!r}).read()); "
    supervision = Supervision(
        [program("fickle", once + "import time, sys; sys.exit(3) if n == 1 else time.sleep(60)")]
    )

    def stop_when_started_twice() -> None:
        wait_until(lambda: marks.exists() and len(marks.read_text()) == 2)
        supervision.ask_to_stop()

    runner = threading.Thread(target=stop_when_started_twice)
    runner.start()
    supervision.run()
    runner.join()
    assert "fickle ended with status 3; starting it again in 0.01 seconds" in capsys.readouterr().out
    assert marks.read_text() == ".."


@pytest.mark.usefixtures("quick")
def test_a_program_that_keeps_dying_stops_the_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks, end = tmp_path / "marks", tmp_path / "end"
    steady = (
        "import signal, sys, time; "
        f"signal.signal(signal.SIGTERM, lambda *_: (open({str(end)!r}, 'w').close(), sys.exit(0))); time.sleep(60)"
    )
    supervision = Supervision(
        [
            program("steady", steady),
            program(
                "broken", f"open({str(marks)!r}, 'a').write('.'); print('no bread'); raise SystemExit(1)"
            ),
        ]
    )
    with pytest.raises(GaveUp, match=f"broken ended {MOST_DEATHS} times"):
        supervision.run()
    assert marks.read_text() == "." * MOST_DEATHS
    assert end.exists(), "the program that was well was not stopped in good order"
    assert "broken | no bread" in capsys.readouterr().out


def test_programs_wait_for_the_one_they_stand_on_and_are_stopped_before_it(tmp_path: Path) -> None:
    log, ready = tmp_path / "log", tmp_path / "ready"

    def logging_start(name: str, then: str = "") -> str:
        return (
            f"import signal, sys, time; note = lambda word: open({str(log)!r}, 'a').write({name!r} + word + ' '); "
            f"signal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.1), note('-'), sys.exit(0))); note('+'); {then}"
            "time.sleep(60)"
        )

    database = Program(
        "database",
        (
            sys.executable,
            "-c",
            logging_start("database", f"time.sleep(0.5); open({str(ready)!r}, 'w').close(); "),
        ),
        ready=ready.exists,
    )
    supervision = Supervision([database, program("web", logging_start("web"))])

    def stop_when_up() -> None:
        wait_until(lambda: log.exists() and "web+" in log.read_text())
        assert ready.exists()
        supervision.ask_to_stop()

    runner = threading.Thread(target=stop_when_up)
    runner.start()
    supervision.run()
    runner.join()
    assert log.read_text().split() == ["database+", "web+", "web-", "database-"]
