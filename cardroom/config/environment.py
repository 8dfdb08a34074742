"""Reads the configuration from `CARDROOM_*` environment variables, strictly.

`read_environment` returns a `Configuration` or raises EnvironmentRefused for an unknown variable, an invalid value or a
missing secret key. It lists every fault at once, each with its variable. Nothing else in the project reads these
variables.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PREFIX = "CARDROOM_"
PROJECT_DIR = Path(__file__).resolve().parents[2]

#: Every variable and its meaning. Any other CARDROOM_* name is refused.
VARIABLES: Mapping[str, str] = {
    "CARDROOM_SECRET_KEY": "key that signs sessions, at least 50 characters; without it, the file secret_key "
    "in the state directory",
    "CARDROOM_STATE_DIR": "directory of everything the site writes; default: var/ in the project",
    "CARDROOM_DATABASE_URL": "sqlite:////path/to/file or postgresql://user:password@host:port/name; "
    "default: cardroom.sqlite3 in the state directory",
    "CARDROOM_REDIS_URL": "redis://host:port/0, rediss://… or unix:///path/to/socket; "
    "default: the private Valkey of the state directory",
    "CARDROOM_ALLOWED_HOSTS": "host names that the site answers to, parted by commas; "
    "default: localhost,127.0.0.1,[::1]",
    "CARDROOM_PORT": "port of the site on 127.0.0.1; default: 8000",
    "CARDROOM_HTTPS": "1 when browsers reach the site by https alone: cookies and redirects then insist on it",
    "CARDROOM_SECOND_FACTOR": "1 asks room and shift managers, compliance, inspectors and the count team for a second "
    "factor, 0 leaves it to each; default: 1 with CARDROOM_HTTPS",
    "CARDROOM_SMTP_URL": "smtp+starttls://user:password@host:587, smtps://… or smtp://host:25: the server that takes "
    "e-mails; without it they go to the worker's log",
    "CARDROOM_MAIL_FROM": "address that e-mails come from; needed with CARDROOM_SMTP_URL",
    "CARDROOM_PUBLIC_URL": "https://host, as browsers reach the site: e-mails lead there; without it they lead nowhere",
    "CARDROOM_METRICS_TOKEN": "what whoever reads /metrics has to bring, at least 20 characters; without it there is "
    "no such page",
    "CARDROOM_CHECKPOINT_KEY_FILE": "absolute path of the file with the key that signs checkpoints; default: checkpoint_key "
    "in the state directory",
    "CARDROOM_TSA_URL": "https address of a time stamp authority (RFC 3161), which stamps the last checkpoint of each gaming "
    "day; without it nothing is stamped",
    "CARDROOM_TSA_CERTIFICATE": "absolute path of the root certificate of that authority, as PEM; needed with "
    "CARDROOM_TSA_URL",
    "CARDROOM_LOG_JSON": "1 writes each line of the log as a JSON object, for programs that collect logs",
    "CARDROOM_DEBUG": "1 shows tracebacks in the browser; never where a real room plays",
}

#: Least length of a secret key, the same as in Django's deployment check.
SECRET_KEY_LENGTH = 50
#: Least length of a token.
TOKEN_LENGTH = 20
#: Sender of the e-mails that go to the log.
MAIL_FROM = "cardroom@localhost"


class EnvironmentRefused(Exception):
    """The environment is invalid; the message lists each fault and how to correct it."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("The environment is refused:\n" + "\n".join(f"  - {fault}" for fault in faults))


class BadValue(ValueError):
    """The value of one variable is invalid; the message says what is allowed."""


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


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """The configuration that was read.

    `redis_url` is None for the private Valkey of the state directory; `mail_server` None sends e-mails to the log;
    without `public_url` e-mails hold no links; without `metrics_token` there is no /metrics; without `tsa_url` checkpoints
    get no time stamps.
    """

    secret_key: str
    state_dir: Path
    database: Database
    redis_url: str | None
    allowed_hosts: tuple[str, ...]
    port: int
    https: bool
    second_factor: bool
    mail_server: MailServer | None
    mail_from: str
    public_url: str | None
    metrics_token: str | None
    checkpoint_key_file: Path
    tsa_url: str | None
    tsa_certificate: Path | None
    log_json: bool
    debug: bool


def read_environment(environ: Mapping[str, str] | None = None, *, needs_secret: bool = True) -> Configuration:
    """Read the `CARDROOM_*` variables of `environ` (default: this process's).

    `needs_secret=False` is for the supervisor, which makes the secret key. Raises EnvironmentRefused.
    """
    values = dict(os.environ if environ is None else environ)
    faults = [_unknown(name) for name in sorted(values) if name.startswith(PREFIX) and name not in VARIABLES]

    def read(name: str, reader: Callable[[str], Any], default: Any) -> Any:
        if name not in values:
            return default
        try:
            return reader(values[name])
        except BadValue as refusal:
            faults.append(f"{name} {refusal}")
            return default

    state_dir: Path = read("CARDROOM_STATE_DIR", directory, PROJECT_DIR / "var")
    secret_key = read("CARDROOM_SECRET_KEY", secret, "")
    if needs_secret and "CARDROOM_SECRET_KEY" not in values:
        try:
            secret_key = _secret_of_file(secret_key_file(state_dir))
        except BadValue as refusal:
            faults.append(str(refusal))
    configuration = Configuration(
        secret_key=secret_key,
        state_dir=state_dir,
        database=read(
            "CARDROOM_DATABASE_URL",
            database,
            Database(engine="sqlite3", name=str(state_dir / "cardroom.sqlite3")),
        ),
        redis_url=read("CARDROOM_REDIS_URL", redis_url, None),
        allowed_hosts=read("CARDROOM_ALLOWED_HOSTS", hosts, ("localhost", "127.0.0.1", "[::1]")),
        port=read("CARDROOM_PORT", port, 8000),
        https=(https := read("CARDROOM_HTTPS", flag, False)),
        second_factor=read("CARDROOM_SECOND_FACTOR", flag, https),
        mail_server=read("CARDROOM_SMTP_URL", mail_server, None),
        mail_from=read("CARDROOM_MAIL_FROM", mail_address, MAIL_FROM),
        public_url=read("CARDROOM_PUBLIC_URL", site_address, None),
        metrics_token=read("CARDROOM_METRICS_TOKEN", token, None),
        checkpoint_key_file=read("CARDROOM_CHECKPOINT_KEY_FILE", file_path, state_dir / "checkpoint_key"),
        tsa_url=read("CARDROOM_TSA_URL", witness_address, None),
        tsa_certificate=read("CARDROOM_TSA_CERTIFICATE", file_path, None),
        log_json=read("CARDROOM_LOG_JSON", flag, False),
        debug=read("CARDROOM_DEBUG", flag, False),
    )
    if configuration.mail_server is not None and "CARDROOM_MAIL_FROM" not in values:
        faults.append("CARDROOM_MAIL_FROM is not set: a mail server takes no e-mail without a sender")
    if configuration.tsa_url is not None and "CARDROOM_TSA_CERTIFICATE" not in values:
        faults.append("CARDROOM_TSA_CERTIFICATE is not set: without it no time stamp can be verified")
    if faults:
        raise EnvironmentRefused(faults)
    return configuration


def secret_key_file(state_dir: Path) -> Path:
    """Return the path of the secret key file, used when no variable holds the key."""
    return state_dir / "secret_key"


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


def mail_address(value: str) -> str:
    """Read an e-mail address without a display name."""
    if not re.fullmatch(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", value):
        raise BadValue(f"is {value!r}: write one address, such as reports@cardroom.example")
    return value


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


def _address(value: str) -> urllib.parse.SplitResult:
    """Split a URL. The error message never shows the value: URLs hold passwords."""
    try:
        address = urllib.parse.urlsplit(value)
        _ = address.port
    except ValueError as refusal:
        raise BadValue(f"is no address ({refusal})") from None
    if not address.scheme or address.fragment:
        raise BadValue("is no address: write scheme://…")
    return address


def _unknown(name: str) -> str:
    words = [variable.removeprefix(PREFIX) for variable in VARIABLES]
    near = difflib.get_close_matches(name.removeprefix(PREFIX), words, n=1)
    hint = f"did you mean {PREFIX}{near[0]}?" if near else f"known are {', '.join(VARIABLES)}"
    return f"{name} is no variable of the site: {hint}"


def _secret_of_file(path: Path) -> str:
    try:
        mode = path.stat().st_mode
        value = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        raise BadValue(
            "CARDROOM_SECRET_KEY is not set and there is no file "
            f"{path}: `make run` makes one at its first start, `python -m cardroom.config.secret_key` makes it alone"
        ) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise BadValue(f"{path} cannot be read as a secret key: {fault}") from None
    if stat.S_IMODE(mode) & 0o077:
        raise BadValue(f"{path} can be read by others: chmod 600 it, or delete it and let a new one be made")
    try:
        return secret(value)
    except BadValue as refusal:
        raise BadValue(f"{path} {refusal}") from None
