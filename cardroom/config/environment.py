"""Declares the configuration and reads it from `CARDROOM_*` environment variables, strictly.

`read_environment` returns a `Configuration` or raises EnvironmentRefused for an unknown variable, an invalid value or a
missing secret key. It lists every fault at once, each with its variable. Nothing else in the project reads these
variables.
"""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from cardroom.config import values
from cardroom.config.values import BadValue, Database, MailServer

PREFIX = "CARDROOM_"
PROJECT_DIR = Path(__file__).resolve().parents[2]
#: Least length of a secret key, the same as in Django's deployment check.
SECRET_KEY_LENGTH = 50

Flag = Annotated[
    bool,
    BeforeValidator(lambda text: {"0": False, "1": True}.get(text, text)),
    Field(strict=True, description="1 for yes or 0 for no"),
]
File = Annotated[Path, AfterValidator(lambda path: _absolute(path, other=path.is_dir()))]
Host = Annotated[str, Field(pattern=r"^(\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$")]


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdecimal() else text


class EnvironmentRefused(Exception):
    """The environment is invalid; the message lists each fault and how to correct it."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("The environment is refused:\n" + "\n".join(f"  - {fault}" for fault in faults))


class Configuration(BaseModel):
    """The configuration: each attribute with its meaning, variable, kind and default.

    The variable is CARDROOM_ and the attribute's name where no alias names another. Faults are listed in this order, and
    a default stands after what it is made of. A description says what to write, in the message that refuses a value.
    `validate_default=True`: a validator below says what there is without one.
    """

    model_config = ConfigDict(
        alias_generator=lambda name: PREFIX + name.upper(),
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        loc_by_alias=False,
    )

    #: Directory of everything the site writes.
    state_dir: Annotated[
        Path, AfterValidator(lambda path: _absolute(path, other=path.exists() and not path.is_dir()))
    ] = Field(PROJECT_DIR / "var", description="the absolute path of a directory")
    #: Key that signs sessions, at least 50 characters; without it, the file secret_key in the state directory.
    secret_key: str = Field(None, validate_default=True)
    #: sqlite:////path/to/file or postgresql://user:password@host:port/name, with several host:port parted by commas.
    database: Annotated[Database, BeforeValidator(values.database)] = Field(
        alias="CARDROOM_DATABASE_URL",
        default_factory=lambda read: Database(
            engine="sqlite3", name=str(read["state_dir"] / "cardroom.sqlite3")
        ),
    )
    #: Most connections to PostgreSQL that a process keeps open; 0: each request opens one of its own.
    database_pool: Annotated[int, BeforeValidator(_number)] = Field(
        20, strict=True, ge=0, le=500, description="a number of connections from 0 to 500"
    )
    #: 1 where a pooler gives each transaction another connection to PostgreSQL (PgBouncer's pool_mode = transaction).
    transaction_pooling: Flag = False
    #: A standby of the database, from which reports are read; None: they are read from the database.
    replica: Annotated[Database, BeforeValidator(values.database)] | None = Field(
        None, alias="CARDROOM_REPLICA_URL"
    )
    #: redis://host:port/0, rediss://… or unix:///path/to/socket; None: the private Valkey of the state directory.
    redis_url: Annotated[str, AfterValidator(values.redis_url)] | None = None
    #: Host names that the site answers to, parted by commas.
    allowed_hosts: Annotated[
        tuple[Host, ...], BeforeValidator(lambda text: [name.strip().lower() for name in text.split(",")])
    ] = Field(
        ("localhost", "127.0.0.1", "[::1]"),
        description="host names parted by commas, without ports or a lone *",
    )
    #: Port of the site on 127.0.0.1.
    port: Annotated[int, BeforeValidator(_number)] = Field(
        8000, strict=True, ge=1, le=65535, description="a port from 1 to 65535"
    )
    #: 1 when browsers reach the site by https alone: cookies and redirects then insist on it.
    https: Flag = False
    #: 1 asks room and shift managers, compliance, inspectors and the count team for a second factor, 0 leaves it to each.
    second_factor: Flag = Field(default_factory=lambda read: read["https"])
    #: The server that takes e-mails: smtp+starttls://user:password@host:587, smtps://… or smtp://host:25; None: they go
    #: to the worker's log.
    mail_server: Annotated[MailServer, BeforeValidator(values.mail_server)] | None = Field(
        None, alias="CARDROOM_SMTP_URL"
    )
    #: Address that e-mails come from; needed with CARDROOM_SMTP_URL.
    mail_from: str | None = Field(
        None,
        validate_default=True,
        pattern=r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$",
        description="one address, such as reports@cardroom.example",
    )
    #: https://host, as browsers reach the site, for links in e-mails; None: they hold none.
    public_url: Annotated[str, AfterValidator(values.site_address)] | None = None
    #: What whoever reads /metrics has to bring, at least 20 characters; None: there is no such page.
    metrics_token: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9._~+/=-]{20,}$",
        repr=False,
        description="at least 20 characters of A-Z a-z 0-9 . _ ~ + / = -, such as "
        "python3 -c 'import secrets; print(secrets.token_urlsafe(30))' prints",
    )
    #: How many requests a minute one program may send to the API.
    program_requests: Annotated[int, BeforeValidator(_number)] = Field(
        600, strict=True, ge=1, le=100_000, description="a number of requests a minute from 1 to 100000"
    )
    #: Whether webhooks may go to addresses of private networks, and by http.
    webhooks_inside: Flag = False
    #: Absolute path of the file with the key that signs checkpoints.
    checkpoint_key_file: File = Field(
        default_factory=lambda read: read["state_dir"] / "checkpoint_key",
        description="the absolute path of a file",
    )
    #: https address of a time stamp authority (RFC 3161), which stamps the last checkpoint of each gaming day; None:
    #: nothing is stamped.
    tsa_url: Annotated[str, AfterValidator(values.witness_address)] | None = None
    #: Absolute path of the root certificate of that authority, as PEM; needed with CARDROOM_TSA_URL.
    tsa_certificate: File | None = Field(
        None, validate_default=True, description="the absolute path of a file"
    )
    #: Where closed gaming days are written as Parquet: /absolute/path or s3://bucket/prefix; None: they are not.
    export_url: Annotated[str, AfterValidator(values.store_address)] | None = None
    #: Absolute path of the file of a company's cells, at the company's own site; None: this site is no company's.
    company_file: File | None = Field(None, description="the absolute path of a file")
    #: 1 writes each line of the log as a JSON object, for programs that collect logs.
    log_json: Flag = False
    #: 1 shows tracebacks in the browser; never where a real room plays.
    debug: Flag = False

    @field_validator("secret_key", mode="plain")
    @classmethod
    def _key_or_file(cls, value: str | None, info: ValidationInfo) -> str:
        if value is not None:
            return _strong(value)
        if info.context == {"needs_secret": False} or "state_dir" not in info.data:
            return ""
        return _secret_of_file(secret_key_file(info.data["state_dir"]))

    @field_validator("replica", mode="after")
    @classmethod
    def _standby(cls, value: Database | None, info: ValidationInfo) -> Database | None:
        database = info.data.get("database")
        if value is not None and database is not None and {value.engine, database.engine} != {"postgresql"}:
            raise BadValue("needs PostgreSQL: it is the address of a standby of CARDROOM_DATABASE_URL")
        return value

    @field_validator("mail_from", "tsa_certificate", mode="before")
    @classmethod
    def _needed(cls, value: str | None, info: ValidationInfo) -> str | None:
        needed_by = {"mail_from": "mail_server", "tsa_certificate": "tsa_url"}[str(info.field_name)]
        if value is None and info.data.get(needed_by) is not None:
            raise BadValue(f"is not set: {cls.model_fields[needed_by].alias} needs it")
        return value


#: Every variable. Any other CARDROOM_* name is refused.
VARIABLES = tuple(str(field.alias) for field in Configuration.model_fields.values())


def read_environment(environ: Mapping[str, str] | None = None, *, needs_secret: bool = True) -> Configuration:
    """Read the `CARDROOM_*` variables of `environ` (default: this process's).

    `needs_secret=False` is for the supervisor, which makes the secret key. Raises EnvironmentRefused.
    """
    everything = sorted((os.environ if environ is None else environ).items())
    given = {name: value for name, value in everything if name.startswith(PREFIX)}
    try:
        return Configuration.model_validate(given, context={"needs_secret": needs_secret})
    except ValidationError as refusal:
        raise EnvironmentRefused(_faults(refusal, given)) from None


def secret_key_file(state_dir: Path) -> Path:
    """Return the path of the secret key file, used when no variable holds the key."""
    return state_dir / "secret_key"


def _faults(refusal: ValidationError, given: Mapping[str, str]) -> list[str]:
    """Word the faults, unknown variables first.

    Pydantic's own messages are left out: they could show a secret. Defaults that were not made because a value before
    them is bad are no faults.
    """
    unknown, bad = [], {}
    for error in refusal.errors(include_url=False, include_input=False):
        name = str(error["loc"][0])
        if error["type"] == "extra_forbidden":
            unknown.append(_unknown(name))
        elif error["type"] != "default_factory_not_called":
            field = Configuration.model_fields[name]
            alias = str(field.alias)
            reason = error.get("ctx", {}).get("error")
            what = f"is {given[alias]!r}" if field.repr and alias in given else "is invalid"
            bad[name] = (
                f"{alias} {reason if isinstance(reason, BadValue) else f'{what}: write {field.description}'}"
            )
    return [*unknown, *bad.values()]


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
            f"is not set and there is no file {path}: `make run` makes one at its first start, "
            "`python -m cardroom.config.secret_key` makes it alone"
        ) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise BadValue(f"is not set and {path} cannot be read as a secret key: {fault}") from None
    if stat.S_IMODE(mode) & 0o077:
        raise BadValue(
            f"is not set and {path} can be read by others: chmod 600 it, or delete it and let a new one be made"
        )
    try:
        return _strong(value)
    except BadValue as refusal:
        raise BadValue(f"is not set and {path} {refusal}") from None


def _strong(value: str) -> str:
    """Return a secret key if it is strong enough. The message never shows the value."""
    if len(value) < SECRET_KEY_LENGTH or len(set(value)) < 5:
        raise BadValue(
            f"is too weak: take at least {SECRET_KEY_LENGTH} random characters, such as "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(50))' prints"
        )
    return value


def _absolute(path: Path, *, other: bool) -> Path:
    if other or not path.is_absolute():
        raise ValueError
    return path
