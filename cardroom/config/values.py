"""Reads the text of settings: flags, ports, keys, tokens, paths, host names, and the addresses of what the site uses.

Each reader returns what was read, or raises BadValue.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

#: Least length of a secret key, the same as in Django's deployment check.
SECRET_KEY_LENGTH = 50
#: Least length of a token.
TOKEN_LENGTH = 20


class BadValue(ValueError):
    """A value is invalid. The message goes on after its name: it says what is wrong and what to write."""


@dataclass(frozen=True, kw_only=True)
class Database:
    """Where the database is: `engine` is "sqlite3" or "postgresql"; `name` is a file for SQLite."""

    engine: str
    name: str
    user: str = ""
    password: str = ""
    host: str = ""
    port: int | None = None
    options: Mapping[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class MailServer:
    """The server that takes e-mails. `security` is "" for none, "starttls", or "tls" from the first byte."""

    host: str
    port: int
    security: str = ""
    user: str = ""
    password: str = ""


def flag(value: str) -> bool:
    """Read 1 or 0."""
    if value not in ("0", "1"):
        raise BadValue(f"is {value!r}: write 1 for yes or 0 for no")
    return value == "1"


def port(value: str) -> int:
    """Read a TCP port, 1 to 65535."""
    if not re.fullmatch(r"[1-9][0-9]{0,4}", value) or int(value) > 65535:
        raise BadValue(f"is {value!r}: write a port from 1 to 65535")
    return int(value)


def secret(value: str) -> str:
    """Read a secret key. The message never shows the value."""
    if len(value) < SECRET_KEY_LENGTH or len(set(value)) < 5:
        raise BadValue(
            f"is too weak: take at least {SECRET_KEY_LENGTH} random characters, such as "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(50))' prints"
        )
    return value


def token(value: str) -> str:
    """Read a token that is sent in a header. The message never shows the value."""
    if not re.fullmatch(rf"[A-Za-z0-9._~+/=-]{{{TOKEN_LENGTH},}}", value):
        raise BadValue(
            f"is no token: take at least {TOKEN_LENGTH} characters of A-Z a-z 0-9 . _ ~ + / = -, such as "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(30))' prints"
        )
    return value


def directory(value: str) -> Path:
    """Read the absolute path of a directory, which need not exist yet."""
    path = Path(value)
    if not path.is_absolute():
        raise BadValue(f"is {value!r}: write an absolute path")
    if path.exists() and not path.is_dir():
        raise BadValue(f"is {value!r}, which is no directory")
    return path


def file_path(value: str) -> Path:
    """Read the absolute path of a file, which need not exist yet."""
    path = Path(value)
    if not path.is_absolute() or path.is_dir():
        raise BadValue(f"is {value!r}: write the absolute path of a file")
    return path


def hosts(value: str) -> tuple[str, ...]:
    """Read host names separated by commas. A lone * would allow any Host header and is refused."""
    names = tuple(name.strip().lower() for name in value.split(","))
    for name in names:
        if not re.fullmatch(r"\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]", name):
            raise BadValue(
                f"is {value!r}: {name!r} is no host name (write names parted by commas, without ports)"
            )
    return names


def mail_address(value: str) -> str:
    """Read an e-mail address without a display name."""
    if not re.fullmatch(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", value):
        raise BadValue(f"is {value!r}: write one address, such as reports@cardroom.example")
    return value


#: PostgreSQL connection options allowed in the URL's query string.
POSTGRESQL_OPTIONS = (
    "application_name",
    "connect_timeout",
    "host",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
)


def database(value: str) -> Database:
    """Read the address of a database: `sqlite:////absolute/file` or `postgresql://user:password@host:port/name`."""
    address = _address(value)
    if address.scheme == "sqlite":
        path = urllib.parse.unquote(address.path)
        if address.netloc or address.query or not path.startswith("//") or path.endswith("/"):
            raise BadValue("names no file: write sqlite:////absolute/path/to/file, with four slashes")
        return Database(engine="sqlite3", name=path[1:])
    if address.scheme not in ("postgresql", "postgres"):
        raise BadValue(f"begins with {address.scheme!r}: write sqlite:////… or postgresql://…")
    name = urllib.parse.unquote(address.path.removeprefix("/"))
    if not name or "/" in name:
        raise BadValue("names no database: write postgresql://user:password@host:port/name")
    try:
        options = dict(urllib.parse.parse_qsl(address.query, strict_parsing=bool(address.query)))
    except ValueError:
        raise BadValue("holds something after '?' that is no option=value") from None
    if unknown := sorted(set(options) - set(POSTGRESQL_OPTIONS)):
        raise BadValue(f"holds the unknown option {unknown[0]!r}: known are {', '.join(POSTGRESQL_OPTIONS)}")
    socket_dir = options.pop("host", "")
    return Database(
        engine="postgresql",
        name=name,
        user=urllib.parse.unquote(address.username or ""),
        password=urllib.parse.unquote(address.password or ""),
        host=address.hostname or socket_dir,
        port=address.port,
        options=options,
    )


def redis_url(value: str) -> str:
    """Read the address of a Redis-protocol server."""
    address = _address(value)
    if address.scheme in ("redis", "rediss"):
        if not address.hostname:
            raise BadValue("names no host: write redis://host:6379/0")
        if not re.fullmatch(r"(/[0-9]*)?", address.path) or address.query:
            raise BadValue(
                "may hold a database number after the host and nothing more: write redis://host:6379/0"
            )
    elif address.scheme == "unix":
        if address.netloc or not address.path.startswith("/"):
            raise BadValue("names no socket: write unix:///path/to/socket")
        if not re.fullmatch(r"(db=[0-9]+)?", address.query):
            raise BadValue("may hold ?db=NUMBER after the socket and nothing more")
    else:
        raise BadValue(f"begins with {address.scheme!r}: write redis://, rediss:// or unix://")
    return value


#: By URL scheme: the security of the SMTP connection and its default port.
MAIL_SCHEMES = {"smtp": ("", 25), "smtp+starttls": ("starttls", 587), "smtps": ("tls", 465)}
#: Hosts to which a password may be sent unencrypted.
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def mail_server(value: str) -> MailServer:
    """Read the URL of an SMTP server. A password needs an encrypted connection, or a server on this machine."""
    address = _address(value)
    if address.scheme not in MAIL_SCHEMES:
        raise BadValue(f"begins with {address.scheme!r}: write smtp+starttls://, smtps:// or smtp://")
    security, usual_port = MAIL_SCHEMES[address.scheme]
    if not address.hostname:
        raise BadValue(f"names no host: write {address.scheme}://host:{usual_port}")
    if address.path not in ("", "/") or address.query:
        raise BadValue(f"may hold nothing after the port: write {address.scheme}://host:{usual_port}")
    user = urllib.parse.unquote(address.username or "")
    password = urllib.parse.unquote(address.password or "")
    if bool(user) != bool(password):
        raise BadValue(
            "names a user without a password, or the other way round: write user:password@ or neither"
        )
    if password and not security and address.hostname not in _THIS_MACHINE:
        raise BadValue("would send its password unencrypted: write smtp+starttls:// or smtps://")
    return MailServer(
        host=address.hostname,
        port=address.port or usual_port,
        security=security,
        user=user,
        password=password,
    )


def site_address(value: str) -> str:
    """Read the address at which browsers reach the site: scheme, host and port alone. No slash ends it."""
    address = _address(value)
    if address.scheme not in ("http", "https") or not address.hostname or address.username is not None:
        raise BadValue("is no address of a site: write https://cardroom.example")
    if address.path not in ("", "/") or address.query:
        raise BadValue("may hold nothing after the host and port: write https://cardroom.example")
    return f"{address.scheme}://{address.netloc}"


def witness_address(value: str) -> str:
    """Read the address of a service that takes documents: https, or http where the service is on this machine."""
    address = _address(value)
    if not address.hostname or address.username is not None or set(value) & set(" \t\r\n"):
        raise BadValue("is no address of a service: write https://witness.example/path")
    if address.scheme != "https" and not (address.scheme == "http" and address.hostname in _THIS_MACHINE):
        raise BadValue(
            f"begins with {address.scheme!r}: write https:// (http:// for a service on this machine)"
        )
    return value


def _address(value: str) -> urllib.parse.SplitResult:
    """Split a URL. The error message never shows the value: URLs hold passwords.

    Nor does it show what `urlsplit` says: behind a / or ? in a password it looks for a port before it, and quotes that.
    """
    try:
        address = urllib.parse.urlsplit(value)
        _ = address.port
    except ValueError:
        raise BadValue(
            "is no address: write a port from 0 to 65535 or none, and in a password %2F for /, %3F for ? and %23 for #"
        ) from None
    if not address.scheme or address.fragment:
        raise BadValue("is no address: write scheme://…")
    return address
