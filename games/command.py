"""`manage.py settle`: sheets in, settlements out. Needs no database, no settings and no Django.

    settle FILE           one sheet in a file of JSON
    settle --batch FILE   JSON Lines: a sheet a line, an answer a line, in the same order

FILE may be `-` for standard input. A refused sheet prints its error in its place, and the status is then 1;
a file that cannot be read is told on standard error, status 2. In a batch every line is answered: an empty
one is no JSON (`bad_json`). Answers come some lines at a time, not line by line.
"""

import gc
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TextIO

from games.refusal import Refusal
from games.settle import settle
from games.sheet import Sheet, read_sheet

USAGE = "usage: manage.py settle [--batch] FILE      FILE may be - for standard input"


def main(
    argv: Sequence[str],
    stdin: BinaryIO | None = None,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
) -> int:
    """Run the command with the words that follow `settle`; returns the exit status.

    `stdin` is read as bytes, so that what is not UTF-8 is refused line by line.
    """
    source = sys.stdin.buffer if stdin is None else stdin
    out = sys.stdout if stdout is None else stdout
    err = sys.stderr if stderr is None else stderr
    words = list(argv)
    if words in (["-h"], ["--help"]):
        print(__doc__ + "\n" + USAGE, file=out)
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
        # Whoever reads our output has seen enough; nothing went wrong here.
        sys.stderr.close()
        return 0
    except OSError as error:
        print(f"settle: cannot read {files[0]}: {error.strerror or error}", file=err)
        return 2


def _run(source: BinaryIO, out: TextIO, batch: bool) -> int:
    texts: Iterator[bytes] = iter(source) if batch else iter((source.read(),))
    refused = False
    with _rare_collections():
        while some := list(islice(texts, _AT_ONCE)):
            answers = answers_to(some)
            refused = refused or not all(settled for _, settled in answers)
            out.write("\n".join([*[answer for answer, _ in answers], ""]))
    out.flush()
    return 1 if refused else 0


_AT_ONCE = 8


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for garbage in circles seldom: a settlement has none, and looking takes its time."""
    usual = gc.get_threshold()
    gc.set_threshold(100_000, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def answers_to(texts: Iterable[str | bytes]) -> list[tuple[str, bool]]:
    """Some sheets' answers in their order: each a line of JSON, and whether the sheet was settled.

    All are read, then all settled, then all put in words: a processor whose caches hold one of these steps at a
    time gets through a batch in nine tenths of the time. More than some sixteen at once outgrow the caches again.
    """
    sheets = [_read(text) for text in texts]
    settlements = [sheet if isinstance(sheet, str) else settle(sheet) for sheet in sheets]
    return [(each, False) if isinstance(each, str) else (each.to_text(), True) for each in settlements]


def _read(text: str | bytes) -> Sheet | str:
    """The sheet, or the answer to one that is refused."""
    try:
        return read_sheet(text)
    except Refusal as refusal:
        return json.dumps(refusal.to_json())
