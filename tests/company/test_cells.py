"""The file of a company's cells: read strictly, each fault named at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.company.cells import CellsRefused, company_read

GOOD = """
company = "Delta Cardrooms"

[[cell]]
name = "alder-creek"
url = "https://alder-creek.example/"
store = "s3://alder-creek-exports/days"
profile = "alder-creek"
migrate = ["ssh", "alder-creek.example", "cardroom-migrate"]

[[cell]]
name = "gold-bar"
url = "http://127.0.0.1:8001"
store = "/srv/gold-bar"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "company.toml"
    path.write_text(text)
    return path


def test_cells_are_read_in_the_order_of_the_file(tmp_path: Path) -> None:
    company = company_read(written(tmp_path, GOOD))
    assert company.name == "Delta Cardrooms"
    first, second = company.cells
    assert (first.name, first.url, first.store) == (
        "alder-creek",
        "https://alder-creek.example",
        "s3://alder-creek-exports/days",
    )
    assert first.migrate[0] == "ssh" and second.migrate == ()


@pytest.mark.parametrize(
    ("was", "becomes", "fault"),
    [
        ('name = "gold-bar"', 'name = "alder-creek"', "name: 2 cells have the name 'alder-creek'; each has its own"),
        ('"/srv/gold-bar"', '"s3://alder-creek-exports/days"', "store: 2 cells have the store"),
        ('name = "gold-bar"', 'name = "Gold Bar"', "name: write small letters, digits and dashes"),
        ('"http://127.0.0.1:8001"', '"http://gold-bar.example"', "cell 2 (gold-bar), url: begins with 'http'"),
        ('"/srv/gold-bar"', '"exports"', "cell 2 (gold-bar), store: is no place for files"),
        ('store = "/srv/gold-bar"', 'place = "/srv/gold-bar"', "cell 2 (gold-bar), place: is not known here"),
        ('["ssh", "alder-creek.example", "cardroom-migrate"]', '"cardroom-migrate"', "migrate: write a list of arguments"),
        ('company = "Delta Cardrooms"', "", "company: write its name"),
        ("[[cell]]", "[cell]", "is no TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, was: str, becomes: str, fault: str) -> None:
    assert was in GOOD
    with pytest.raises(CellsRefused) as refused:
        company_read(written(tmp_path, GOOD.replace(was, becomes)))
    assert fault in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CellsRefused, match=r"company\.toml cannot be read"):
        company_read(tmp_path / "company.toml")
