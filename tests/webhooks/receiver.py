"""An address that webhooks are sent to: it answers as it is told, and keeps what came."""

from __future__ import annotations

import contextlib
import dataclasses
import http.server
import threading
from collections.abc import Iterator
from typing import Any


@dataclasses.dataclass
class Receiver:
    """What came, and what is answered: one status after the other, the last for good."""

    url: str = ""
    statuses: list[int] = dataclasses.field(default_factory=lambda: [204])
    headers: dict[str, str] = dataclasses.field(default_factory=dict)
    came: list[tuple[dict[str, str], bytes]] = dataclasses.field(default_factory=list)


@contextlib.contextmanager
def receiving() -> Iterator[Receiver]:
    """Serve on an address of this machine while the block runs."""
    receiver = Receiver()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that http.server asks for
            content = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.came.append(({key.lower(): value for key, value in self.headers.items()}, content))
            status = receiver.statuses[0] if len(receiver.statuses) == 1 else receiver.statuses.pop(0)
            self.send_response(status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the parent's name
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hook?room=1"
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()
