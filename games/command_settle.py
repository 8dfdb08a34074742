"""`manage.py settle`: sheets in, settlements out. Needs no database, no settings and no Django, only msgspec.

    settle FILE           one sheet in a file of JSON
    settle --batch FILE   JSON Lines: a sheet a line, an answer a line, in the same order

FILE may be `-` for standard input. A refused sheet prints its error in its place, with exit status 1; an unreadable
file prints an error on standard error, with status 2. In a batch every line gets an answer: an empty one is invalid
JSON (`bad_json`).
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO, TextIO

import msgspec

from games.engine import read_sheet, settle
from games.refusal import Refusal

USAGE = "usage: manage.py settle [--batch] FILE      FILE may be - for standard input"


def main(
    argv: Sequence[str],
    stdin: BinaryIO | None = None,
    stdout: BinaryIO | None = None,
    stderr: TextIO | None = None,
) -> int:
    """Run the command with the arguments after `settle`; returns the exit status.

    `stdin` and `stdout` are bytes, so that what is not UTF-8 is refused line by line.
    """
    source = sys.stdin.buffer if stdin is None else stdin
    out = sys.stdout.buffer if stdout is None else stdout
    err = sys.stderr if stderr is None else stderr
    words = list(argv)
    if words in (["-h"], ["--help"]):
        out.write(f"{__doc__}\n{USAGE}\n".encode())
        return 0
    batch = "--batch" in words
    files = [word for word in words if word != "--batch"]
    if len(files) != 1 or (files[0].startswith("-") and files[0] != "-") or len(words) > len(files) + 1:
        print(USAGE, file=err)
        return 2
    try:
        if files[0] == "-":
            return _run(source, out, batch)
        with Path(files[0]).open("rb") as file:
            return _run(file, out, batch)
    except BrokenPipeError:
        # The reader closed the pipe (`head`, say): not an error.
        sys.stderr.close()
        return 0
    except OSError as error:
        print(f"settle: cannot read {files[0]}: {error.strerror or error}", file=err)
        return 2


def _run(source: BinaryIO, out: BinaryIO, batch: bool) -> int:
    texts: Iterable[bytes] = source if batch else [source.read()]
    refused = False
    for text in texts:
        answer, settled = answer_to(text)
        refused = refused or not settled
        out.write(answer + b"\n")
    out.flush()
    return 1 if refused else 0


def answer_to(text: str | bytes) -> tuple[bytes, bool]:
    """The answer to one sheet, a line of JSON without its end, and whether the sheet was settled."""
    try:
        return settle(read_sheet(text)).to_text(), True
    except Refusal as refusal:
        return msgspec.json.encode(refusal.to_json()), False
