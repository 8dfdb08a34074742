"""Parses URLs from environment variables: database, Redis-protocol server, mail server, witnesses, and the site's own address.

Each reader returns what was read, or raises BadValue. No message shows the value: addresses hold passwords.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass


class BadValue(ValueError):
    """A value is invalid. The message goes on after its name: it says what is wrong and what to write."""


@dataclass(frozen=True, kw_only=True)
class Database:
    """Where the database is: `engine` is "sqlite3" or "postgresql"; `name` is a file for SQLite.

    `host` and `port` may name several servers parted by commas, as libpq takes them: the first that will do is used.
    """

    engine: str
    name: str
    user: str = ""
    password: str = ""
    host: str = ""
    port: str = ""
    options: Mapping[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class MailServer:
    """The server that takes e-mails. `security` is "" for none, "starttls", or "tls" from the first byte."""

    host: str
    port: int
    security: str = ""
    user: str = ""
    password: str = ""


#: PostgreSQL connection options allowed in the URL's query string.
POSTGRESQL_OPTIONS = (
    "application_name",
    "connect_timeout",
    "host",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "target_session_attrs",
)
#: By URL scheme: the security of the SMTP connection and its default port.
MAIL_SCHEMES = {"smtp": ("", 25), "smtp+starttls": ("starttls", 587), "smtps": ("tls", 465)}
#: Hosts to which a password may be sent unencrypted.
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def database(value: str) -> Database:
    """Read the address of a database: `sqlite:////absolute/file` or `postgresql://user:password@host:port/name`.

    PostgreSQL's may name several servers, `host:port,host:port`.
    """
    address, *further = (_address(each, "sqlite", "postgresql", "postgres") for each in _addresses(value))
    if address.scheme == "sqlite":
        path = urllib.parse.unquote(address.path)
        if address.netloc or address.query or not path.startswith("//") or path.endswith("/"):
            raise BadValue("names no file: write sqlite:////absolute/path/to/file, with four slashes")
        return Database(engine="sqlite3", name=path[1:])
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
    user, password = _credentials(address)
    servers = [
        (address.hostname or socket_dir, address.port),
        *((each.hostname, each.port) for each in further),
    ]
    if further and not all(host for host, _ in servers):
        raise BadValue("has a comma where a server is missing: write postgresql://host:port,host:port/name")
    return Database(
        engine="postgresql",
        name=name,
        user=user,
        password=password,
        host=",".join(host or "" for host, _ in servers),
        port=",".join(str(port or "") for _, port in servers) if any(port for _, port in servers) else "",
        options=options,
    )


def redis_url(value: str) -> str:
    """Read the address of a Redis-protocol server."""
    address = _address(value, "redis", "rediss", "unix")
    if address.scheme == "unix":
        if not re.fullmatch(r"unix:///[^?]+(\?db=[0-9]+)?", value):
            raise BadValue("names no socket: write unix:///path/to/socket, or unix:///path/to/socket?db=0")
    elif not address.hostname or not re.fullmatch(r"(/[0-9]*)?", address.path) or address.query:
        raise BadValue(f"is no host and number of a database: write {address.scheme}://host:6379/0")
    return value


def mail_server(value: str) -> MailServer:
    """Read the URL of an SMTP server. A password needs an encrypted connection, or a server on this machine."""
    address = _address(value, *MAIL_SCHEMES)
    security, usual_port = MAIL_SCHEMES[address.scheme]
    host = _bare_host(address, f"{address.scheme}://host:{usual_port}")
    user, password = _credentials(address)
    if bool(user) != bool(password):
        raise BadValue(
            "names a user without a password, or the other way round: write user:password@ or neither"
        )
    if password and not security and host not in _THIS_MACHINE:
        raise BadValue("would send its password unencrypted: write smtp+starttls:// or smtps://")
    return MailServer(
        host=host, port=address.port or usual_port, security=security, user=user, password=password
    )


def site_address(value: str) -> str:
    """Read the address at which browsers reach the site: scheme, host and port alone. No slash ends it."""
    address = _address(value, "http", "https")
    _bare_host(address, "https://cardroom.example")
    if address.username is not None:
        raise BadValue("may hold no user: write https://cardroom.example")
    return f"{address.scheme}://{address.netloc}"


def witness_address(value: str) -> str:
    """Read the address of a service that takes documents: https, or http where the service is on this machine."""
    address = _address(value, "https", "http")
    if not address.hostname or address.username is not None or set(value) & set(" \t\r\n"):
        raise BadValue("is no address of a service: write https://witness.example/path")
    if address.scheme == "http" and address.hostname not in _THIS_MACHINE:
        raise BadValue("begins with 'http': write https:// (http:// for a service on this machine)")
    return value


#: An S3 store: bucket and, below it, names parted by slashes.
_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9!_.*'()-]+)*/?")


def store_address(value: str) -> str:
    """Read the address of a place for files, `/absolute/path`, `file:///absolute/path` or `s3://bucket/prefix`.

    Returns a directory's as its path. Keys and endpoint of an S3 store are never in the address.
    """
    path = value.removeprefix("file://")
    if path.startswith("/") and "://" not in path and len(path) > 1:
        if {".", ".."} & set(path.split("/")) or any(ord(letter) < 32 for letter in path):
            raise BadValue("names no directory: write /absolute/path or file:///absolute/path")
        return path.rstrip("/")
    if _BUCKET.fullmatch(value):
        return value.rstrip("/")
    raise BadValue(
        "is no place for files: write /absolute/path, file:///absolute/path or s3://bucket/prefix; keys and endpoint of an S3 "
        "store are AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_ENDPOINT_URL"
    )


def webhook_address(value: str, *, inside: bool) -> str:
    """Read the address of a webhook: https, or http too where it may be `inside` the installation's own network."""
    address = _address(value, "https", "http")
    if not address.hostname or address.username is not None or set(value) & set(" \t\r\n#"):
        raise BadValue("is no address of a webhook: write https://books.example/path")
    if address.scheme == "http" and not inside:
        raise BadValue("begins with 'http': write https://")
    return value


def _addresses(value: str) -> list[str]:
    """Return an address that names several PostgreSQL servers as one address a server; any other as it is."""
    parts = re.fullmatch(r"(postgres(?:ql)?://(?:[^@/?#]*@)?)([^@/?#]*)(.*)", value, re.DOTALL)
    return [parts[1] + server + parts[3] for server in parts[2].split(",")] if parts else [value]


def _address(value: str, *schemes: str) -> urllib.parse.SplitResult:
    """Split a URL of one of these schemes.

    The message of `urlsplit` is not shown: behind a / or ? in a password it looks for a port before it, and quotes that.
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
    if address.scheme not in schemes:
        raise BadValue(f"begins with {address.scheme!r}: write {' or '.join(f'{s}://' for s in schemes)}")
    return address


def _bare_host(address: urllib.parse.SplitResult, example: str) -> str:
    """Return the host of an address with nothing after its port."""
    if not address.hostname or address.path not in ("", "/") or address.query:
        raise BadValue(f"is no host and port alone: write {example}")
    return address.hostname


def _credentials(address: urllib.parse.SplitResult) -> tuple[str, str]:
    """Return user and password; "" for what an address does not name."""
    return urllib.parse.unquote(address.username or ""), urllib.parse.unquote(address.password or "")
