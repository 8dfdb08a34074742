"""docs/parquet.md describes the schema that is written, column by column."""

from __future__ import annotations

from typing import Final

import pytest

from cardroom.config.environment import PROJECT_DIR
from cardroom.reports.exports.schema import DATASETS, SCHEMA, Dataset

#: Types as the page calls them.
TYPES: Final = {
    "id": "int64", "int": "int32", "cents": "int64", "microseconds": "int64", "text": "string", "day": "date",
    "flag": "boolean", "instant": "timestamp",
}  # fmt: skip
PAGE = (PROJECT_DIR / "docs" / "parquet.md").read_text()


@pytest.mark.parametrize("dataset", DATASETS, ids=lambda dataset: dataset.name)
def test_each_file_is_described_as_it_is(dataset: Dataset) -> None:
    section = PAGE.partition(f"### {dataset.file}\n")[2].partition("\n### ")[0]
    assert section.startswith(f"One row: {dataset.row}.")
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows == [
        f"| `{column.name}` | {TYPES[column.type]}{' or null' if column.nullable else ''} | {column.text} |"
        for column in dataset.columns
    ]


def test_the_version_of_the_schema_is_named() -> None:
    assert f"Schema {SCHEMA}, in each manifest" in PAGE
