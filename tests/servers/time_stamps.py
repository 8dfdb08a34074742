"""A small time stamp authority on this machine: a root certificate, one for stamping, and `openssl ts` behind HTTP."""

from __future__ import annotations

import http.server
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Self

_CONFIG = """
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[stamping]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = tsa_1
[tsa_1]
serial = {place}/serial
signer_cert = {place}/stamping.pem
signer_key = {place}/stamping.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
ess_cert_id_chain = no
ess_cert_id_alg = sha256
"""


class TimeStampAuthority:
    """Answers RFC 3161 requests while the block runs; `certificate` is its root."""

    def __init__(self) -> None:
        self._made = tempfile.TemporaryDirectory(prefix="tsa-")
        self.place = Path(self._made.name)
        self.certificate = self.place / "root.pem"
        #: What it answers with, in place of a stamp of what was asked.
        self.answer: bytes | None = None
        self.asked = 0
        (self.place / "tsa.cnf").write_text(_CONFIG.format(place=self.place))
        (self.place / "serial").write_text("01\n")
        self._certify("root", "ca", "-x509", "-days", "30")
        self._certify("stamping", "stamping", "-x509", "-days", "30", "-CA", "root.pem", "-CAkey", "root.key")
        authority = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                authority.asked += 1
                answer = authority.stamped(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Type", "application/timestamp-reply")
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/tsr"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._made.cleanup()

    def stamped(self, query: bytes) -> bytes:
        """Return the response to a query."""
        if self.answer is not None:
            return self.answer
        (self.place / "query").write_bytes(query)
        self._openssl("ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query", "-out", "reply")
        return (self.place / "reply").read_bytes()

    def _certify(self, name: str, extensions: str, *options: str) -> None:
        self._openssl(
            "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.pem",
            "-subj", f"/CN=Test authority {name}", "-config", "tsa.cnf", "-extensions", extensions, *options,
        )  # fmt: skip

    def _openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.place, check=True, capture_output=True)
