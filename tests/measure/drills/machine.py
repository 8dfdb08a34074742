"""A clean Debian in a directory: made by debootstrap, with process ids, mounts and a network of its own, and nothing on it.

It has no systemd and no other network than its own `lo`: what runs on it is seen by nobody else. Commands that download
something are run with this machine's network. Debian's mirror and Python's index are those of this machine.
"""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cardroom.config.environment import PROJECT_DIR

RELEASE = "bookworm"
NEEDS = ("debootstrap", "unshare", "nsenter", "chroot")
#: What every Debian server has beside its smallest system.
_BESIDE = "ca-certificates"
_ENVIRON = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/root",
}
_SECONDS = 900.0
#: Whom this machine trusts, which may be more than Debian does: for downloads alone.
_TRUSTED, _CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt"), "/etc/trusted-for-downloads.pem"


class MachineFailed(Exception):
    """A command on the machine ended with another status than 0; the message has what it printed."""


class Machine:
    """A Debian that was just installed. `root` is its file system."""

    def __init__(self, root: Path, holder: int) -> None:
        self.root, self._holder = root, holder

    def run(self, line: str, *, download: bool = False) -> str:
        """Run a line of a shell as root; return what it printed. Raises MachineFailed."""
        done = subprocess.run(
            [*self._inside(download), "/bin/sh", "-e", "-c", line],
            env=self._environ(download), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, text=True, errors="replace", timeout=_SECONDS, check=False,
            start_new_session=True,
        )  # fmt: skip
        if done.returncode != 0:
            raise MachineFailed(f"{line}\nended with status {done.returncode}:\n{done.stdout[-3000:]}")
        return done.stdout

    def type(self, line: str, answers: Sequence[tuple[str, str]]) -> str:
        """Run a line at a terminal, and type an answer at each prompt (a pattern of its end). Raises MachineFailed."""
        child, terminal = pty.fork()
        if child == 0:
            words = [*self._inside(), "/bin/sh", "-e", "-c", line]
            os.execvpe(words[0], words, self._environ())
        said, seen, left = "", 0, list(answers)
        deadline = time.monotonic() + 120
        with contextlib.suppress(OSError):  # the terminal is closed once the program has ended
            while time.monotonic() < deadline:
                if not select.select([terminal], [], [], 1)[0]:
                    continue
                said += os.read(terminal, 4096).decode(errors="replace")
                if left and re.search(left[0][0] + r"\s*$", said[seen:]):
                    seen = len(said)
                    os.write(terminal, f"{left.pop(0)[1]}\n".encode())
        _, status = os.waitpid(child, 0)
        os.close(terminal)
        if os.waitstatus_to_exitcode(status) != 0 or left:
            raise MachineFailed(
                f"{line}\nended with status {status}, {len(left)} prompts did not come:\n{said}"
            )
        return said

    def start(self, line: str, log: str) -> None:
        """Start a program that stays, as root; it writes to a log on the machine."""
        self.run(f"nohup setsid {line} >> {log} 2>&1 &")

    def beside(self, words: Sequence[str], environ: Mapping[str, str]) -> str:
        """Run a program of this machine that sees the network of the other; return what it printed. Raises MachineFailed."""
        done = subprocess.run(
            ["nsenter", "--target", str(self._holder), "--net", *words],
            env=dict(environ), cwd=PROJECT_DIR, capture_output=True, text=True, timeout=_SECONDS, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise MachineFailed(
                f"{' '.join(words)} ended with status {done.returncode}:\n{done.stderr[-4000:]}"
            )
        return done.stdout

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file as root."""
        there = self.root / path.lstrip("/")
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(text, encoding="utf-8")
        there.chmod(mode)

    def read(self, path: str) -> str:
        return (self.root / path.lstrip("/")).read_text(encoding="utf-8")

    def _inside(self, download: bool = False) -> list[str]:
        network = [] if download else ["--net"]
        return [
            "nsenter",
            "--target",
            str(self._holder),
            "--mount",
            "--pid",
            *network,
            "chroot",
            str(self.root),
        ]

    def _environ(self, download: bool = False) -> dict[str, str]:
        index = (
            {name: value for name, value in os.environ.items() if name.startswith("PIP_")} if download else {}
        )
        trusted = {"PIP_CERT": _CERTIFICATES} if download else {}
        return {**_ENVIRON, "DEBIAN_FRONTEND": "noninteractive", **index, **trusted}


@contextlib.contextmanager
def installed(root: Path) -> Iterator[Machine]:
    """Install a Debian into an empty directory; every process of it ends with the block. Raises MachineFailed."""
    if os.geteuid() != 0 or (missing := [name for name in NEEDS if shutil.which(name) is None]):
        raise MachineFailed(
            f"run it as root on a Debian with these: apt-get install {' '.join(missing) or 'debootstrap'}"
        )
    mirror = _mirror()
    made = subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={_BESIDE}", RELEASE, root, mirror],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=_SECONDS, check=False,
    )  # fmt: skip
    if made.returncode != 0:
        raise MachineFailed(f"debootstrap ended with status {made.returncode}:\n{made.stdout[-2000:]}")
    (root / "etc/apt/sources.list").write_text(f"deb {mirror} {RELEASE} main\n", encoding="utf-8")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    shutil.copy(_TRUSTED, root / _CERTIFICATES.lstrip("/"))
    # Systemd is not there, its directory is. Packages start their services by it: the drill starts them.
    (root / "etc/systemd/system").mkdir(parents=True, exist_ok=True)
    policy = root / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n", encoding="utf-8")
    policy.chmod(0o755)
    mounts = [f"mount --rbind /dev '{root}/dev'", f"mount -t sysfs -o ro sys '{root}/sys' || true"]
    mounts += [f"mkdir -p '{root}{path}' && mount --bind '{path}' '{root}{path}'" for path in _index(root)]
    held = f"{' && '.join(mounts)} && ip link set lo up && exec sleep infinity"
    holder = subprocess.Popen(
        ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", f"--mount-proc={root}/proc", "sh", "-c", held],
        start_new_session=True,
    )  # fmt: skip
    try:
        yield Machine(root, _first_of(holder))
    finally:
        holder.kill()  # unshare heeds no other signal while it waits; its child dies with it, and all others with that
        holder.wait(timeout=60)


def _first_of(holder: subprocess.Popen[bytes]) -> int:
    """The process that is the machine's first, once its network is up."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and holder.poll() is None:
        children = Path(f"/proc/{holder.pid}/task/{holder.pid}/children").read_text(encoding="utf-8").split()
        if children and Path(f"/proc/{children[0]}/comm").read_text(encoding="utf-8").strip() == "sleep":
            return int(children[0])
        time.sleep(0.05)
    raise MachineFailed("the machine's namespaces could not be made")


def _mirror() -> str:
    """The mirror of Debian that this machine's apt is set to."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE) $(CODENAME) $(COMPONENT)", "Created-By: Packages"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for line in listed.splitlines():
        site, codename, component = line.split(" ")
        if (codename, component) == (RELEASE, "main"):
            return site
    raise MachineFailed(f"this machine's apt has no mirror of Debian {RELEASE}")


def _index(root: Path) -> list[Path]:
    """Give the machine this one's settings of pip; return the directories that they name, to be mounted."""
    listed = subprocess.run(
        [Path(sys.executable).parent / "pip", "config", "list"], capture_output=True, text=True, check=False
    ).stdout
    settings = r"^global\.(index-url|extra-index-url|find-links|trusted-host)='(.*)'$"
    pairs = re.findall(settings, listed, re.MULTILINE)
    lines = [f"{name} = {' '.join(value.split(chr(92) + 'n')).strip()}" for name, value in pairs]
    (root / "etc/pip.conf").write_text("\n".join(["[global]", *lines, ""]), encoding="utf-8")
    named = re.findall(r"(?:file://)?(/[\w./+-]+)", "\n".join(value for _, value in pairs))
    # An index names files beside itself: what is mounted is the directory that holds both.
    places = (path.parent if path.name == "simple" else path for path in map(Path, named))
    return [place for place in dict.fromkeys(places) if place.is_dir()]
