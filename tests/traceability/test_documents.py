"""The check against the rule documents finds what it is for, on documents made up here."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.traceability.catalogue import catalogue
from tests.traceability.documents import (
    DOCUMENTS,
    FolderRefused,
    check,
    copied,
    differences,
    kept_figures,
    main,
    uncatalogued,
)

UNREADABLE = "the figures cannot be read out of the documents"


def folder(tmp_path: Path, texts: dict[str, str] | None = None, *, leave_out: str = "") -> Path:
    """Five documents without figures, and the list of all provisions but one."""
    (tmp_path / "texts").mkdir()
    for rulebook, begin in DOCUMENTS.items():
        (tmp_path / "texts" / f"{begin}made_up.txt").write_text((texts or {}).get(rulebook, "Nothing."))
    with (tmp_path / "clauses.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["rulebook", "clause", "kind"])
        rows.writerows(
            [each.rulebook, each.clause, each.kind] for each in catalogue().values() if each.id != leave_out
        )
    return tmp_path


def test_nine_words_in_a_row_are_a_copy_and_eight_are_none() -> None:
    text = {"x:1": "The dealer, then: the BANK and after both every other player"}
    assert list(copied("so the dealer then the bank and after both play", text)) == []
    (fault,) = copied("so the dealer then the bank and after both every player", text)
    assert fault == "x:1 copies the document: the dealer then the bank and after both every"


def test_names_of_hands_are_no_copy() -> None:
    hands = "straight flush, three of a kind, straight, flush, pair, high card, a pair of a kind"
    assert list(copied(hands, {"x:1": hands})) == []


def test_provisions_that_one_side_alone_has_are_found() -> None:
    listed = {clause: provision.kind for clause, provision in catalogue().items()}
    assert list(uncatalogued(listed)) == []
    del listed["california:type.1"]
    listed |= {"california:type.99": "bank", "california:type.2": "display"}
    assert list(uncatalogued(listed)) == [
        "california:type.1 is in docs/clauses and is no provision",
        "california:type.2 is of the kind display, docs/clauses says settlement",
        "california:type.99 is a provision that docs/clauses does not have",
    ]


def test_a_figure_that_differs_is_named_with_its_place() -> None:
    kept = kept_figures()
    assert list(differences(kept, kept_figures())) == []
    kept["california"]["pair_plus"]["flush"] = "4:1"
    kept["california"]["schedules"][0]["player_fee_cents"] = 200
    first, second = differences(kept, kept_figures())
    assert first == "california.pair_plus.flush: the document prints '4:1', printed.toml has '3:1'"
    assert second.startswith("california.schedules: ")


def test_a_folder_is_checked_whole(tmp_path: Path) -> None:
    summary = max((each.summary for each in catalogue().values() if each.rulebook == "california"), key=len)
    found = list(check(folder(tmp_path, {"california": summary}, leave_out="california:type.1")))
    assert found[0] == "california:type.1 is in docs/clauses and is no provision"
    assert "copies the document" in found[1]
    assert found[-1].startswith(UNREADABLE)


def test_the_command_prints_each_fault_and_ends_with_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(folder(tmp_path))]) == 1
    *faults, last = capsys.readouterr().out.splitlines()
    assert len(faults) == 1 and faults[0].startswith(UNREADABLE)
    assert last == "1 faults"


def test_a_folder_without_a_document_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(FolderRefused, match=r"holds 0 files 000_\*\.txt"):
        list(check(tmp_path))
    assert main([str(tmp_path)]) == 2 and "000_*.txt" in capsys.readouterr().err
    assert main([]) == 2 and "usage" in capsys.readouterr().err
