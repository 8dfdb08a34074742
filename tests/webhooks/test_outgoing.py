"""Requests to addresses that people enter: pinned, bounded, and not into the network behind the site."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest

from cardroom.core import outgoing
from cardroom.core.outgoing import NotSent, is_public, post, resolved

from .receiver import receiving


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.8", "172.16.4.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1"),
        *("::ffff:10.0.0.8", "64:ff9b::7f00:1", "2002:7f00:1::", "192.0.2.1"),
    ],
)
def test_addresses_of_machines_and_private_networks_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:93.184.215.14"]
)
def test_addresses_of_the_internet_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f.1", "[::1]"[1:-1]])
def test_a_name_of_this_machine_is_refused_however_it_is_written(host: str) -> None:
    with pytest.raises(NotSent, match="private network"):
        resolved(host, 443, inside=False)


def test_a_name_with_one_private_address_among_public_ones_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", ("10.0.0.8", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(NotSent):
        resolved("books.example", 443, inside=False)


def test_the_connection_goes_to_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that means another address a moment later leads nowhere else: it is resolved once."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: str, port: Any, *args: Any, **kwargs: Any) -> Any:
        if host == "books.example":
            asked.append(host)
            return real("127.0.0.1", port, *args, **kwargs)
        return real(host, port, *args, **kwargs)

    with receiving() as receiver:
        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        url = receiver.url.replace("127.0.0.1", "books.example")
        assert post(url, b"{}", {}, inside=True).status == 204
        [(headers, _)] = receiver.came
    assert asked == ["books.example"]
    assert headers["host"].startswith("books.example:")


def test_an_answer_that_never_ends_is_cut_off() -> None:
    """Each byte begins the socket's own timeout anew; the time for the whole does not."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                for _ in range(100):
                    try:
                        connection.sendall(b"x")
                    except OSError:
                        return
                    time.sleep(0.05)

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        begun = time.monotonic()
        with pytest.raises(NotSent, match="longer than"):
            post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {}, inside=True, seconds=0.5)
        assert time.monotonic() - begun < 3
        thread.join()


def test_of_a_long_answer_no_more_is_read_than_asked() -> None:
    assert outgoing.MOST_BYTES <= 4096
    with receiving() as receiver:
        assert len(post(receiver.url, b"{}", {}, inside=True, most_bytes=10).body) <= 10
