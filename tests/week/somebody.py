"""Somebody of the room at a browser, signed in by name and password: pages by their forms, and the API in the same session."""

from __future__ import annotations

import html
import re
from typing import Any

from django.http import HttpResponse
from django.test import Client

from tests.api.client import Caller, Reply
from tests.people.totp import code_of
from tests.web.conftest import Form, Person

#: Where a site that asks a role for a second factor leads whoever has none yet, and where an app is set up.
_FACTORS, _APP = "/accounts/2fa/", "/accounts/2fa/totp/activate/"
#: What everybody's first password is changed to, and the PIN that they choose.
PASSWORD, PIN = "quads beat a full house", "840372"


class Somebody(Person):
    """A member of staff."""

    def __init__(self, username: str, password: str = PASSWORD, pin: str = PIN) -> None:
        self.username, self.password, self.pin = username, password, pin
        self.client = Client()
        self.page: Any = None
        #: Whether they work here still, and have come in today.
        self.works, self.is_in = True, False

    @property
    def words(self) -> str:
        """The words of the page that is open, without its tags."""
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", self.text)).split())

    @property
    def signature(self) -> dict[str, str]:
        """The fields with which they sign a page as the second person."""
        return {"approver": self.username, "approver_pin": self.pin}

    @property
    def approver(self) -> dict[str, str]:
        """The same for the API."""
        return {"username": self.username, "pin": self.pin}

    def open(self, address: str) -> HttpResponse:
        """Open a page; whoever has not come in today signs in first, and whoever is led on to a second factor sets one up."""
        self.comes_in()
        page = super().open(address)
        led = [there for there, _status in self.page.redirect_chain]
        if led[-1:] == [_FACTORS]:
            self._sets_up_an_app()
            page = super().open(address)
        return page

    def comes_in(self) -> None:
        """Sign in, unless they are in or work here no more."""
        if self.works and not self.is_in:
            self.sign_in()

    def sign_in(self) -> None:
        """Sign in with user name and password."""
        given = {"login": self.username, "password": self.password}
        self.client.get("/accounts/login/")
        self.page = self.client.post("/accounts/login/", given, follow=True)
        assert self.page.context["user"].is_authenticated, self.words
        self.is_in = True

    def _sets_up_an_app(self) -> None:
        """Type the key that the page shows into an authenticator app, and the app's code into the page."""
        super().open(_APP)
        key = re.search(r"<code>([A-Z2-7]+)</code>", self.text)
        assert key is not None, self.words
        self.done(_APP, "", code=code_of(key[1]))

    def signs_in_afresh(self) -> None:
        """Give the password once more, as pages ask for what outlasts a session."""
        self.open("/accounts/reauthenticate/")
        self.done("/accounts/reauthenticate/", "", password=self.password)

    def begins(self, first: str) -> None:
        """Sign in with the password that somebody else has set, set another one and a PIN."""
        self.password = first
        self.sign_in()
        assert self.page.redirect_chain[-1][0].startswith("/accounts/password/change/"), (
            self.page.redirect_chain
        )
        given = {"oldpassword": first, "password1": PASSWORD, "password2": PASSWORD}
        self.done("/accounts/password/change/", "", **given)
        self.password = PASSWORD
        self._types(self.pin)

    def sets_pin(self, pin: str) -> None:
        """Set another PIN on their own page, after a fresh sign-in."""
        self.sign_in()
        self._types(pin)

    def _types(self, pin: str) -> None:
        self.open("/account/pin/")
        self.done("/account/pin/", "Your PIN is set.", pin=pin, again=pin)
        self.pin = pin

    def see(self, address: str, *says: str) -> None:
        """Open a page that is there, and read some words on it."""
        assert self.open(address).status_code == 200, (address, self.words[:600])
        for each in says:
            assert each in self.words, (address, each, self.words)

    def done(self, address: str, says: str = "", form: str | None = None, /, **typed: Any) -> None:
        """Fill in the form of the open page and post it; what comes back says that it was done."""
        self.post(address, form, **typed)
        assert self.page.status_code == 200, (address, self.page.status_code, self.words[:1500])
        assert "reauthenticate" not in self.page.request["PATH_INFO"], address
        assert says in self.words, (address, says, self.words[:1500])

    def done_at(self, page: str, address: str, says: str = "", /, **typed: Any) -> None:
        """Open a page, and post a form of it."""
        self.see(page)
        self.done(address, says, None, **typed)

    def refused(self, address: str, says: str, form: str | None = None, /, **typed: Any) -> None:
        """Post the form of the open page, and read why nothing was done."""
        self.post(address, form, **typed)
        assert self.page.status_code in (403, 409, 412, 422, 429), (address, self.page.status_code)
        assert says in self.words, (address, says, self.words[:1500])

    def refused_at(self, page: str, address: str, says: str, /, **typed: Any) -> None:
        """Open a page, post a form of it, and read why nothing was done."""
        self.see(page)
        self.refused(address, says, None, **typed)

    def ask(self, path: str) -> Any:
        """Read from the API."""
        self.comes_in()
        reply = self._caller.get(path)
        assert reply.status == 200, reply.said
        return reply.said

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Give a command by the API; it is carried out."""
        reply = self.tries(method, path, body)
        assert reply.status == 200, (method, path, body, reply.said)
        return reply.said

    def tries(self, method: str, path: str, body: Any = None) -> Reply:
        """Give a command by the API, and return what it answers."""
        self.comes_in()
        return self._caller.send(method, path, {} if body is None else body)

    @property
    def _caller(self) -> Caller:
        return Caller.of(self.client)


def form_of(page: Any, action: str) -> dict[str, str]:
    """The fields of a form of a page."""
    return Form(page.content.decode(), action).fields
