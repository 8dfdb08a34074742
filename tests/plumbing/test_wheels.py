"""What the check of the locks names: a package without a wheel for a platform that the README promises, and no other."""

from __future__ import annotations

from typing import Any

import pytest

from tests.wheels import PLATFORMS, PYTHONS, without_wheel

MANYLINUX = "manylinux_2_17_x86_64.manylinux2014_x86_64"


def package(*wheels: str, **more: str) -> dict[str, Any]:
    files = [{"url": f"https://index.example/{wheel}"} for wheel in wheels]
    return {"name": "ranks", "version": "1.0", "wheels": files, **more}


def test_a_package_that_is_built_for_one_machine_is_named_for_the_others() -> None:
    wheels = [f"ranks-1.0-cp3{minor}-cp3{minor}-{MANYLINUX}.whl" for minor in (11, 12, 13)]
    missing = list(without_wheel([package(*wheels)]))
    assert {name for name, _ in missing} == {"ranks 1.0"}
    assert [where for _, where in missing if where.startswith("x86-64")] == ["x86-64 Linux, Python 3.14"]
    assert len(missing) == 1 + (len(PLATFORMS) - 1) * len(PYTHONS)


def test_a_package_of_sources_alone_is_named_everywhere() -> None:
    assert len(list(without_wheel([package()]))) == len(PLATFORMS) * len(PYTHONS)


@pytest.mark.parametrize(
    "wheels",
    [
        ["ranks-1.0-py3-none-any.whl"],
        [f"ranks-1.0-cp39-abi3-{MANYLINUX}.whl", "ranks-1.0-cp39-abi3-manylinux_2_28_aarch64.whl",
         "ranks-1.0-cp39-abi3-macosx_11_0_arm64.whl"],
    ],
    ids=["for any machine", "for each, and any Python"],
)  # fmt: skip
def test_a_package_that_is_built_for_all_is_not_named(wheels: list[str]) -> None:
    assert list(without_wheel([package(*wheels)])) == []


def test_what_a_platform_does_not_install_is_not_asked_for() -> None:
    assert list(without_wheel([package(marker="sys_platform == 'win32'")])) == []
    assert {where for _, where in without_wheel([package(marker="python_full_version < '3.12'")])} == {
        f"{platform}, Python 3.11" for platform in PLATFORMS
    }
