"""Compares the catalogue, the placards and the printed figures with the rule documents' own text.

    python -m tests.traceability.documents FOLDER

FOLDER holds, at any depth, the texts of the five documents (`000_….txt` to `004_….txt`) and the list of their
provisions (`clauses.csv`, with the columns `rulebook`, `clause` and `kind`). The command prints a line for each fault
and ends with status 1 where there is one. The repository keeps no copy of the documents, so no test needs the folder.
"""

from __future__ import annotations

import csv
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from games.registry import load_rulebook
from games.three_card_poker.placard.game_placard import game_placard_of
from games.three_card_poker.terms import default_terms
from tests.samples import DATA

from .catalogue import RULEBOOKS, catalogue
from .printed import printed_figures

#: How the name of a document's file begins.
DOCUMENTS = {
    "massachusetts": "000_",
    "california": "001_",
    "south_dakota": "002_",
    "shuffle_master": "003_",
    "designated_player": "004_",
}
#: So many words in a row that a document has too are a sentence of it, and not how one happens to say a thing.
RUN = 9
#: Names of hands are facts, and so is the order in which a document lists them: they do not count as words.
NAMES_OF_HANDS = {"high", "card", "pair", "flush", "straight", "three", "of", "a", "kind"}


class FolderRefused(Exception):
    """The folder does not hold what is asked for; the message says what."""


def words(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in NAMES_OF_HANDS]


def runs(text: str) -> Iterator[str]:
    found = words(text)
    return (" ".join(found[at : at + RUN]) for at in range(len(found) - RUN + 1))


def copied(document: str, says: Mapping[str, str]) -> Iterator[str]:
    """A fault for each sentence of `says`, by clause, that has so many words in a row from the document."""
    text = f" {' '.join(words(document))} "
    for clause, sentence in says.items():
        found = next((run for run in runs(sentence) if f" {run} " in text), None)
        if found is not None:
            yield f"{clause} copies the document: {found}"


def uncatalogued(listed: Mapping[str, str]) -> Iterator[str]:
    """A fault for each provision that the list or the catalogue alone has, or that differs in kind."""
    kept = {clause: provision.kind for clause, provision in catalogue().items()}
    for clause in sorted(listed.keys() | kept.keys()):
        if clause not in kept:
            yield f"{clause} is a provision that docs/clauses does not have"
        elif clause not in listed:
            yield f"{clause} is in docs/clauses and is no provision"
        elif kept[clause] != listed[clause]:
            yield f"{clause} is of the kind {listed[clause]}, docs/clauses says {kept[clause]}"


def differences(printed: Any, kept: Any, place: str = "") -> Iterator[str]:
    """A fault for each figure that differs between what is printed and what is kept."""
    if isinstance(printed, dict) and isinstance(kept, dict):
        for key in sorted(printed.keys() | kept.keys()):
            yield from differences(printed.get(key), kept.get(key), f"{place}.{key}" if place else key)
    elif printed != kept:
        yield f"{place}: the document prints {printed!r}, printed.toml has {kept!r}"


def check(folder: Path) -> Iterator[str]:
    """All faults; FolderRefused when the folder lacks a document or the list."""
    texts = {
        rulebook: _one(folder, f"{begin}*.txt").read_text("utf-8") for rulebook, begin in DOCUMENTS.items()
    }
    with _one(folder, "clauses.csv").open(encoding="utf-8", newline="") as file:
        yield from uncatalogued(
            {f"{row['rulebook']}:{row['clause']}": row["kind"] for row in csv.DictReader(file)}
        )
    for rulebook in RULEBOOKS:
        yield from copied(texts[rulebook], _said_of(rulebook))
        yield from copied(texts[rulebook], _posted_of(rulebook))
    try:
        figures = printed_figures(texts)
    except (IndexError, KeyError, ValueError) as error:
        yield f"the figures cannot be read out of the documents: {error!r}"
        return
    yield from differences(figures, kept_figures())


def kept_figures() -> dict[str, Any]:
    """The printed figures as the tests keep them."""
    return tomllib.loads((DATA / "printed.toml").read_text(encoding="utf-8"))


def _said_of(rulebook: str) -> dict[str, str]:
    return {
        provision.id: f"{provision.summary}. {provision.effect}"
        for provision in catalogue().values()
        if provision.rulebook == rulebook
    }


def _posted_of(rulebook: str) -> dict[str, str]:
    posted = game_placard_of(default_terms(load_rulebook(rulebook)))
    return {f"posted {at}, {each.clause}": each.text for at, each in enumerate(posted.notices(), 1)}


def _one(folder: Path, pattern: str) -> Path:
    found = sorted(path for path in folder.rglob(pattern) if path.is_file())
    if len(found) != 1:
        raise FolderRefused(f"{folder} holds {len(found)} files {pattern}; there must be one.")
    return found[0]


def main(arguments: Sequence[str]) -> int:
    """Check the folder that is named, and say what was found."""
    if len(arguments) != 1:
        print("usage: python -m tests.traceability.documents FOLDER", file=sys.stderr)
        return 2
    try:
        faults = list(check(Path(arguments[0])))
    except FolderRefused as refused:
        print(refused, file=sys.stderr)
        return 2
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults" if faults else f"{len(catalogue())} provisions, no fault")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
