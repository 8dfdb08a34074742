"""Places that provisions name: found in code and data, and missed when they are gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.traceability.catalogue import catalogue
from tests.traceability.places import file_of, why_not_there


@pytest.fixture
def root(tmp_path: Path) -> Path:
    package = tmp_path / "house" / "rules"
    package.mkdir(parents=True)
    (tmp_path / "house" / "__init__.py").write_text("", encoding="utf-8")
    (package / "__init__.py").write_text("LIMIT: int = 7\n", encoding="utf-8")
    (package / "bank.py").write_text(
        "from os import path\nA, B = range(2)\n\nclass Bank:\n    wager = 1\n\n    def cover(self): ...\n",
        encoding="utf-8",
    )
    (package / "book.toml").write_text('name = "x"\n[order]\nseats = "clockwise"\n', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "place",
    [
        "house.rules",
        "house.rules.LIMIT",
        "house.rules.bank",
        "house.rules.bank.B",
        "house.rules.bank.Bank",
        "house.rules.bank.Bank.cover",
        "house.rules.bank.Bank.wager",
        "house/rules/book.toml",
        "house/rules/book.toml:order.seats",
    ],
)
def test_what_is_there_is_found(root: Path, place: str) -> None:
    assert why_not_there(place, root) is None
    assert (root / file_of(place, root)).is_file()


@pytest.mark.parametrize(
    ("place", "missing"),
    [
        ("house.kitchen", "__init__.py has no kitchen"),
        ("shop.rules", "no module shop.rules"),
        ("house.rules.bank.cover", "bank.py has no cover"),
        ("house.rules.bank.Bank.pay", "bank.py has no Bank.pay"),
        ("house.rules.bank.path", "bank.py has no path"),
        ("house/rules/other.toml", "no file house/rules/other.toml"),
        ("house/rules/book.toml:order.bank", "book.toml has no key order.bank"),
        ("house/rules/book.toml:name.first", "book.toml has no key name.first"),
    ],
)
def test_what_is_gone_is_missed(root: Path, place: str, missing: str) -> None:
    why = why_not_there(place, root)
    assert why is not None and missing in why


def test_every_place_of_the_catalogue_is_there() -> None:
    gone = {
        f"{provision.id}: {why}"
        for provision in catalogue().values()
        for place in provision.enforced
        if (why := why_not_there(place))
    }
    assert not gone
