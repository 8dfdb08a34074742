"""`python -m tests.wheels`: name each locked package that would have to be compiled on a platform that the README promises.

uv looks the files of every locked package up at the package index that it is set to; nothing is downloaded. Exit status
1 when a package has no wheel for one of the platforms, each on a line of its own; 2 when the index could not be asked.
"""

from __future__ import annotations

import functools
import itertools
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.txt", "requirements-parquet.txt", "requirements-dev.txt")
PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))
#: The oldest C library that wheels are looked for is that of Debian 10 and Red Hat 8.
_GLIBC = 28


def _linux(machine: str) -> tuple[str, ...]:
    newer = (f"manylinux_2_{minor}_{machine}" for minor in range(_GLIBC, 4, -1))
    return (*newer, *(f"manylinux{year}_{machine}" for year in ("2014", "2010", "1")))


#: By the name that the README gives it: what a wheel may be made for, and what markers see there.
PLATFORMS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "x86-64 Linux": (_linux("x86_64"), {"sys_platform": "linux", "platform_machine": "x86_64"}),
    "arm64 Linux": (_linux("aarch64"), {"sys_platform": "linux", "platform_machine": "aarch64"}),
    "arm64 macOS": (
        tuple(mac_platforms((14, 0), "arm64")),
        {"sys_platform": "darwin", "platform_machine": "arm64"},
    ),
}


def main() -> int:
    """Print what is missing; return 1 if anything is, else 0."""
    try:
        missing = list(without_wheel(locked()))
    except subprocess.CalledProcessError:
        print("uv could not look the locked packages up at the package index: see above", file=sys.stderr)
        return 2
    for name, where in missing:
        print(f"{name} has no wheel for {where}", file=sys.stderr)
    if not missing:
        print(
            f"every locked package has a wheel for {', '.join(PLATFORMS)} and Python "
            f"{', '.join(f'{major}.{minor}' for major, minor in PYTHONS)}"
        )
    return 1 if missing else 0


def locked() -> list[dict[str, Any]]:
    """Return the locked packages with the files that the index has of them, as PEP 751 words it."""
    with tempfile.TemporaryDirectory(prefix="wheels-") as folder:
        path = Path(folder) / "pylock.toml"
        command = ["uv", "pip", "compile", "--quiet", "--universal", "--no-deps", "--python-version", "3.11",
                   "--format", "pylock.toml", "--output-file", str(path), *LOCKS]  # fmt: skip
        subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        packages: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["packages"]
        return packages


def without_wheel(packages: Iterable[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield each package, with its version, and the platform and Python for which no file of it is built."""
    for package in packages:
        made_for = [parse_wheel_filename(wheel_name(wheel))[3] for wheel in package.get("wheels", ())]
        marker = Marker(package["marker"]) if "marker" in package else None
        for (platform, (tags, seen)), python in itertools.product(PLATFORMS.items(), PYTHONS):
            if marker is not None and not marker.evaluate(environment_of(python, seen)):
                continue
            if not any(tags_of(python, tags) & built for built in made_for):
                yield (
                    f"{package['name']} {package['version']}",
                    f"{platform}, Python {python[0]}.{python[1]}",
                )


def wheel_name(wheel: dict[str, Any]) -> str:
    """Return the name of a file, which is given itself or by the end of its address or path."""
    return str(wheel.get("name") or (wheel.get("url") or wheel["path"]).rpartition("/")[2])


@functools.cache
def tags_of(python: tuple[int, int], platforms: tuple[str, ...]) -> frozenset[Tag]:
    """Return what CPython of this version on these platforms installs."""
    return frozenset(
        [
            *cpython_tags(python, platforms=platforms),
            *compatible_tags(python, f"cp{python[0]}{python[1]}", platforms),
        ]
    )


def environment_of(python: tuple[int, int], seen: dict[str, str]) -> dict[str, str]:
    """Return what markers see on CPython of this version."""
    version = f"{python[0]}.{python[1]}"
    return {
        **seen,
        "os_name": "posix",
        "platform_system": "Darwin" if seen["sys_platform"] == "darwin" else "Linux",
        "python_version": version,
        # The last of a line: a marker such as `python_full_version < '3.11.3'` asks for what its first ones lack.
        "python_full_version": f"{version}.99",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }


if __name__ == "__main__":
    sys.exit(main())
