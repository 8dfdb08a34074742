"""Hosts that are network namespaces, joined by a router in one of its own, which can lose what two of them send each other.

A cut is silent, as behind a switch without power: nobody is refused, packets are gone. Needs root and iproute2.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from cardroom.ops.supervisor.processes import start_child, stop_children

#: The first two numbers of every address: of a range that is kept for measurements between networks (RFC 2544).
_NET = "198.18"
_CLONE_NEWNET = 0x40000000
_END_SECONDS = 20.0


class CannotSeparate(Exception):
    """This machine makes no network namespaces for us; the message says why."""


class Host:
    """A host: its network, its address, and the programs that run on it."""

    def __init__(self, network: Network, name: str, number: int) -> None:
        self.name = name
        self.space = f"{network.name}-{name}"
        self.address = f"{_NET}.{number}.2"
        self.router = f"{_NET}.{number}.1"
        self.link = f"{network.name}{number}"
        self._programs: list[subprocess.Popen[bytes]] = []

    def start(
        self,
        command: Sequence[str | Path],
        *,
        output: int,
        environ: Mapping[str, str] | None = None,
        directory: Path | None = None,
        ending: signal.Signals = signal.SIGTERM,
        user: str | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start a program on this host, as `start_child` does."""
        # Entering a namespace takes root's rights, so the account is changed after it; the change forgets the signal.
        enter: list[str | Path] = ["nsenter", f"--net=/run/netns/{self.space}"]
        if user:
            account = pwd.getpwnam(user)
            signal_name = ending.name.removeprefix("SIG")
            enter += ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]
            enter += [f"--pdeathsig={signal_name}"]
        child = start_child(
            [*enter, *command], environ=environ, directory=directory, output=output, ending=ending
        )
        self._programs.append(child)
        return child

    def kill(self) -> int:
        """Send -9 to every process of the host, wait until none is left, and return how many there were."""
        killed: set[int] = set()
        deadline = time.monotonic() + _END_SECONDS
        while processes := self.processes():
            if time.monotonic() > deadline:
                raise RuntimeError(f"processes of {self.name} do not end: {processes}")
            for process in processes:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            killed.update(processes)
            for program in self._programs:
                program.poll()  # reaps it
            time.sleep(0.02)
        self._programs.clear()
        return len(killed)

    def stop(self, *programs: subprocess.Popen[bytes], ending: signal.Signals = signal.SIGTERM) -> None:
        """End some programs of the host, or all, as an operator does."""
        ended = list(programs or self._programs)
        stop_children(ended, ending=ending)
        self._programs = [each for each in self._programs if each not in ended]

    def processes(self) -> list[int]:
        """Return the ids of the host's processes."""
        return [int(line) for line in _ip("netns", "pids", self.space).split()]

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Have the sockets that this thread makes inside the block be this host's."""
        with Path("/proc/thread-self/ns/net").open() as before:
            _set_namespace(Path("/run/netns") / self.space)
            try:
                yield
            finally:
                _set_namespace(Path(f"/proc/self/fd/{before.fileno()}"))


class Network:
    """Hosts by their names, each one hop from a router; as a context manager they are there inside the block."""

    def __init__(self, name: str, hosts: Sequence[str]) -> None:
        self.name = name
        self.hosts = {each: Host(self, each, number) for number, each in enumerate(hosts, start=1)}
        self._router = f"{name}-router"
        self._cuts: set[frozenset[str]] = set()

    def __getitem__(self, name: str) -> Host:
        return self.hosts[name]

    def cut(self, one: str, *others: str) -> None:
        """Lose everything that a host and each of the others send one another, from now on."""
        for other in others:
            self._cuts.add(frozenset((one, other)))
            for source, target in self._ways(one, other):
                self._rule("add", source, target)

    def mend(self) -> None:
        """Lose nothing any more."""
        for one, other in map(tuple, self._cuts):
            for source, target in self._ways(one, other):
                self._rule("del", source, target)
        self._cuts.clear()

    def _ways(self, one: str, other: str) -> tuple[tuple[str, str], tuple[str, str]]:
        here, there = self[one].address, self[other].address
        return (here, there), (there, here)

    def _rule(self, what: str, source: str, target: str) -> None:
        _ip("-n", self._router, "rule", what, "from", source, "to", target, "blackhole")

    def __enter__(self) -> Self:
        if os.geteuid() != 0 or not (shutil.which("ip") and shutil.which("nsenter")):
            raise CannotSeparate("hosts are network namespaces: run it as root, with iproute2 and util-linux")
        try:
            self._make()
        except subprocess.CalledProcessError as fault:
            self._remove()
            raise CannotSeparate(f"no network namespaces here: {fault.stderr}") from None
        return self

    def _make(self) -> None:
        _ip("netns", "add", self._router)
        for host in self.hosts.values():
            _ip("netns", "add", host.space)
            _ip(
                *("link", "add", host.link, "netns", self._router, "type", "veth"),
                *("peer", "name", "eth0", "netns", host.space),
            )
            _ip("-n", self._router, "address", "add", f"{host.router}/24", "dev", host.link)
            _ip("-n", self._router, "link", "set", host.link, "up")
            _ip("-n", host.space, "address", "add", f"{host.address}/24", "dev", "eth0")
            _ip("-n", host.space, "link", "set", "lo", "up")
            _ip("-n", host.space, "link", "set", "eth0", "up")
            _ip("-n", host.space, "route", "add", "default", "via", host.router)
        _ip("netns", "exec", self._router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")

    def _remove(self) -> None:
        for host in self.hosts.values():
            with suppress(subprocess.CalledProcessError):
                host.kill()
            with suppress(subprocess.CalledProcessError):
                _ip("netns", "delete", host.space)
        with suppress(subprocess.CalledProcessError):
            _ip("netns", "delete", self._router)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()


def _ip(*words: str) -> str:
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout


def _set_namespace(path: Path) -> None:
    """Move this thread into a network namespace (setns(2); Python has `os.setns` from 3.12 on)."""
    libc = ctypes.CDLL(None, use_errno=True)
    with path.open() as space:
        if libc.setns(space.fileno(), _CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(path))
