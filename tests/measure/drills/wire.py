"""A browser without a screen at a site that runs elsewhere, for whom tests write `django.test.Client`: pages, forms and the API.

It does what a proxy does besides: requests bear the site's name and say that they came by https.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from http.cookies import SimpleCookie
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils.datastructures import CaseInsensitiveMapping

#: Where the site listens, and by which name it is called.
ADDRESS, NAME = ("127.0.0.1", 8000), "floor.example.com"
MOST_REDIRECTS = 10


class Answer:
    """An answer, with the attributes of Django's test client that the tests read."""

    def __init__(self, path: str, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.status_code, self.content = status, content
        self.headers = CaseInsensitiveMapping(headers)
        self.request = {"PATH_INFO": path}
        self.redirect_chain: list[tuple[str, int]] = []
        self.context = {"user": SimpleNamespace(is_authenticated=not path.startswith("/accounts/login/"))}

    def json(self) -> Any:
        return json.loads(self.content)


class Wire:
    """A session at the site over HTTP."""

    def __init__(self) -> None:
        self._cookies: dict[str, str] = {}

    def get(self, address: str, *, follow: bool = False) -> Answer:
        """Fetch a page."""
        return self._followed(self._asked("GET", address), follow)

    def post(self, address: str, fields: Mapping[str, Any], *, follow: bool = False) -> Answer:
        """Send a form, with files where it has any."""
        body = encode_multipart(BOUNDARY, fields)
        return self._followed(self._asked("POST", address, body, {"Content-Type": MULTIPART_CONTENT}), follow)

    def generic(
        self, method: str, address: str, raw: bytes, *, content_type: str, headers: Mapping[str, str]
    ) -> Answer:
        """Send any request."""
        return self._asked(method, address, raw, {"Content-Type": content_type, **headers})

    def _followed(self, answer: Answer, follow: bool) -> Answer:
        chain: list[tuple[str, int]] = []
        while follow and answer.status_code in (301, 302, 303) and len(chain) < MOST_REDIRECTS:
            parts = urlsplit(answer.headers["Location"])
            there = parts.path + (f"?{parts.query}" if parts.query else "")
            chain.append((there, answer.status_code))
            answer = self._asked("GET", there)
        answer.redirect_chain = chain
        return answer

    def _asked(
        self, method: str, address: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        connection = http.client.HTTPConnection(*ADDRESS, timeout=60)
        sent = {
            "Host": NAME,
            "X-Forwarded-Proto": "https",
            "Referer": f"https://{NAME}{address}",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
            "X-CSRFToken": self._cookies.get("csrftoken", ""),
            **(headers or {}),
        }
        connection.request(method, address, body, sent)
        answer = connection.getresponse()
        content = answer.read()
        for line in answer.headers.get_all("Set-Cookie") or ():
            for name, morsel in SimpleCookie(line).items():
                self._cookies[name] = morsel.value
        connection.close()
        return Answer(urlsplit(address).path, answer.status, dict(answer.headers.items()), content)
