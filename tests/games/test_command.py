"""The settle command: what it prints, its status, and that it needs nothing of the site."""

import gc
import io
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.command_settle import main
from tests.samples import ROOT, samples, write_sheets

SHEET = (
    '{"rulebook": "california", "bank": {"seat": 3, "wager": 20000}, "bank_hand": "Qh 7d 4c", "positions": '
    '[{"seat": 4, "player": "Ann", "hand": "9s 9c 2d", "wagers": {"ante": 1000}, "decision": "play"}]}'
)


def _run(*argv: str, stdin: bytes = b"") -> tuple[int, str, str]:
    out, err = io.BytesIO(), io.StringIO()
    status = main(argv, stdin=io.BytesIO(stdin), stdout=out, stderr=err)
    return status, out.getvalue().decode(), err.getvalue()


def test_one_sheet_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(json.loads(SHEET), indent=2))
    status, out, err = _run(str(file))
    assert status == 0 and err == ""
    assert json.loads(out)["net"] == {"Ann": 2000}


def test_one_sheet_from_standard_input() -> None:
    status, out, _ = _run("-", stdin=SHEET.encode())
    assert status == 0
    line = json.loads(out)["lines"][0]
    assert line["clause"] == "california:winners.2.a"
    assert line["reason"] == "pair of nines beats queen high"


def test_a_refused_sheet_prints_its_error_and_ends_with_status_1() -> None:
    status, out, err = _run("-", stdin=SHEET.replace("california", "nevada").encode())
    assert status == 1 and err == ""
    error = json.loads(out)["error"]
    assert set(error) == {"code", "message", "path"}
    assert (error["code"], error["path"]) == ("unknown_rulebook", "rulebook")


def test_a_batch_answers_each_line_in_its_place_blank_ones_too() -> None:
    lines = [SHEET, "", "{", SHEET, b"\xff".decode("latin-1")]
    stdin = b"\n".join([line.encode("latin-1") for line in lines]) + b"\n"
    status, out, _ = _run("--batch", "-", stdin=stdin)
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert ["error" in answer for answer in answers] == [False, True, True, False, True]
    assert {a["error"]["code"] for a in answers if "error" in a} == {"bad_json"}


def test_a_batch_takes_its_flag_after_the_file_too_and_lines_ended_as_on_windows(tmp_path: Path) -> None:
    file = tmp_path / "sheets.jsonl"
    file.write_bytes(f"{SHEET}\r\n{SHEET}".encode())
    status, out, _ = _run(str(file), "--batch")
    assert status == 0 and len(out.splitlines()) == 2


def test_an_empty_batch_is_answered_by_nothing() -> None:
    assert _run("--batch", "-") == (0, "", "")


def test_line_separators_inside_a_name_do_not_part_lines() -> None:
    sheet = SHEET.replace("Ann", "A\u2028n\u0085n")
    status, out, _ = _run("--batch", "-", stdin=(sheet + "\n").encode())
    assert status == 0 and out.count("\n") == 1
    assert list(json.loads(out)["net"]) == ["A\u2028n\u0085n"]


@pytest.mark.parametrize(
    "argv", [(), ("--batch",), ("a", "b"), ("--fast", "a"), ("--batch", "--batch", "a"), ("--batch=a",)]
)
def test_words_it_does_not_know_get_the_usage(argv: tuple[str, ...]) -> None:
    status, out, err = _run(*argv)
    assert status == 2 and out == "" and err.startswith("usage: manage.py settle")


def test_help_says_what_it_does() -> None:
    status, out, err = _run("--help")
    assert status == 0 and err == "" and "usage: manage.py settle" in out and "JSON Lines" in out


@pytest.mark.parametrize("batch", [(), ("--batch",)])
def test_a_file_that_is_not_there_is_named(batch: tuple[str, ...], tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        status, out, err = _run(*batch, str(path))
        assert status == 2 and out == "" and str(path) in err and err.startswith("settle: cannot read")


class Endless(io.RawIOBase):
    """A standard input of so many sheets, made as they are read."""

    def __init__(self, count: int) -> None:
        self.left = count

    def __iter__(self) -> Iterator[bytes]:
        while self.left:
            self.left -= 1
            yield SHEET.replace("Ann", f"player {self.left % 50}").encode()


class Sink(io.BytesIO):
    """A standard output that keeps nothing."""

    def write(self, text: Any) -> int:
        return len(text)


def test_a_batch_needs_no_more_memory_the_longer_it_is() -> None:
    def peak(count: int) -> int:
        tracemalloc.start()
        try:
            stdin: Any = Endless(count)
            assert main(["--batch", "-"], stdin=stdin, stdout=Sink()) == 0
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(100)  # what is remembered between sheets of the same people is in place by now
    gc.collect()
    # The least of some: what Python keeps for later use fills up once, and again after a full collection.
    assert min(peak(4000) for _ in range(3)) < peak(500) + 50_000


@pytest.mark.outside
def test_manage_py_settles_without_loading_django(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from games.command_settle import main; status = main(sys.argv[2:]); "
        "sys.exit(3 if 'django' in sys.modules else status)"
    )
    file = write_sheets(tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, str(ROOT), "--batch", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and done.stderr == ""
    assert len(done.stdout.splitlines()) == len(samples())


@pytest.mark.outside
def test_output_cut_off_by_its_reader_is_no_error_of_ours(tmp_path: Path) -> None:
    file = write_sheets(tmp_path)
    command = [sys.executable, "manage.py", "settle", "--batch", str(file)]
    done = subprocess.run(
        ["sh", "-c", '"$@" | head -n 1 >/dev/null', "sh", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
