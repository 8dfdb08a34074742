"""Requests that the site sends to addresses which people of a room enter: pinned, bounded, and not into the network behind it.

A name is resolved once, and the connection goes to the address that was looked at: a name that means another address a moment later
leads nowhere else. Redirects are not followed, an answer is read to a bound, and the whole takes a bounded time.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import urllib.parse
from collections.abc import Mapping
from typing import Final, NamedTuple

#: How many bytes of an answer are read, unless the caller wants more.
MOST_BYTES: Final = 4096
#: Seconds that a request may take from its name's resolution to the last byte of the answer.
SECONDS: Final = 20.0
#: IPv6 addresses that a gateway turns into the IPv4 address of their last 32 bits (RFC 6052).
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


class NotSent(Exception):
    """A place that did not take a request; the message says why."""


class Answer(NamedTuple):
    """What a place answered: its status, and the first bytes of its body."""

    status: int
    reason: str
    body: bytes


def post(
    url: str,
    content: bytes,
    headers: Mapping[str, str],
    *,
    inside: bool,
    seconds: float = SECONDS,
    most_bytes: int = MOST_BYTES,
) -> Answer:
    """POST content to an http or https address. `inside`: addresses of private networks are allowed. Raises NotSent."""
    address = urllib.parse.urlsplit(url)
    host = address.hostname or ""
    secure = address.scheme == "https"
    port = address.port or (443 if secure else 80)
    pinned = resolved(host, port, inside=inside)
    kind: type[_PinnedHTTPS | _Pinned] = _PinnedHTTPS if secure else _Pinned
    connection = kind(host, port, timeout=seconds)
    connection.pinned = pinned
    over = threading.Event()

    def cut() -> None:
        over.set()
        if connection.opened is not None:
            with contextlib.suppress(OSError):
                connection.opened.shutdown(socket.SHUT_RDWR)

    # A timeout of the socket begins anew with each byte; this one does not.
    limit = threading.Timer(seconds, cut)
    limit.start()
    try:
        path = urllib.parse.urlunsplit(("", "", address.path or "/", address.query, ""))
        connection.request("POST", path, content, dict(headers))
        response = connection.getresponse()
        body = response.read(most_bytes)
    except (OSError, http.client.HTTPException, ValueError) as fault:
        why = f"took longer than {seconds:g} seconds" if over.is_set() else f"does not answer: {_said(fault)}"
        raise NotSent(f"{host} {why}") from fault
    finally:
        limit.cancel()
        connection.close()
    if over.is_set():
        raise NotSent(f"{host} took longer than {seconds:g} seconds")
    return Answer(response.status, response.reason, body)


def resolved(host: str, port: int, *, inside: bool) -> str:
    """Return the address that a name means, as text. Raises NotSent for a name without one, or with any of a private network."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as fault:
        raise NotSent(f"{host} cannot be resolved: {_said(fault)}") from fault
    addresses = [str(each[4][0]) for each in found]
    if not inside and any(not is_public(each) for each in addresses):
        raise NotSent(
            f"{host} is an address of this machine or of a private network, where nothing is sent to unless the installation allows it "
            "(CARDROOM_WEBHOOKS_INSIDE)"
        )
    return addresses[0]


def is_inside(host: str) -> bool:
    """Tell whether a host that was written down is this machine or a private network, without asking what names mean."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return not is_public(name)
    except ValueError:  # a name, which is asked for as something is sent
        return False


def is_public(address: str) -> bool:
    """Tell whether an address is one of the public internet, whatever it is wrapped in."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is None and found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast


def _said(fault: Exception) -> str:
    """Return what an error says, without its number."""
    return getattr(fault, "strerror", None) or str(fault) or type(fault).__name__


class _Pinned(http.client.HTTPConnection):
    """A connection to the address that was resolved, whatever the name means by now."""

    pinned: str
    #: The socket, which the connection forgets as soon as an answer of no known length has begun.
    opened: socket.socket | None = None

    def connect(self) -> None:
        self.sock = self.opened = socket.create_connection((self.pinned, self.port), self.timeout)


class _PinnedHTTPS(http.client.HTTPSConnection):
    """The same by TLS: the certificate must be that of the name."""

    pinned: str
    opened: socket.socket | None = None

    def connect(self) -> None:
        plain = socket.create_connection((self.pinned, self.port), self.timeout)
        self.opened = plain
        self.sock = self.opened = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
