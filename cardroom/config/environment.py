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
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from cardroom.config import values
from cardroom.config.values import BadValue, Database, MailServer

PREFIX = "CARDROOM_"
PROJECT_DIR = Path(__file__).resolve().parents[2]

#: Sender of the e-mails that go to the log.
MAIL_FROM = "cardroom@localhost"

Flag = Annotated[bool, PlainValidator(values.flag)]


class EnvironmentRefused(Exception):
    """The environment is invalid; the message lists each fault and how to correct it."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("The environment is refused:\n" + "\n".join(f"  - {fault}" for fault in faults))


class Configuration(BaseModel):
    """The configuration: each attribute with its meaning, variable, kind and default.

    The variable is CARDROOM_ and the attribute's name where no alias names another. Faults are listed in this order, and
    a default stands after what it is made of. `Field(None, validate_default=True)`: a validator below reads the value, and
    says what there is without one.
    """

    model_config = ConfigDict(
        alias_generator=lambda name: PREFIX + name.upper(),
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        loc_by_alias=False,
    )

    #: Directory of everything the site writes.
    state_dir: Annotated[Path, PlainValidator(values.directory)] = PROJECT_DIR / "var"
    #: Key that signs sessions, at least 50 characters; without it, the file secret_key in the state directory.
    secret_key: str = Field(None, validate_default=True)
    #: sqlite:////path/to/file or postgresql://user:password@host:port/name.
    database: Annotated[Database, PlainValidator(values.database)] = Field(
        alias="CARDROOM_DATABASE_URL",
        default_factory=lambda read: Database(
            engine="sqlite3", name=str(read["state_dir"] / "cardroom.sqlite3")
        ),
    )
    #: redis://host:port/0, rediss://… or unix:///path/to/socket; None: the private Valkey of the state directory.
    redis_url: Annotated[str, PlainValidator(values.redis_url)] | None = None
    #: Host names that the site answers to, parted by commas.
    allowed_hosts: Annotated[tuple[str, ...], PlainValidator(values.hosts)] = (
        "localhost",
        "127.0.0.1",
        "[::1]",
    )
    #: Port of the site on 127.0.0.1.
    port: Annotated[int, PlainValidator(values.port)] = 8000
    #: 1 when browsers reach the site by https alone: cookies and redirects then insist on it.
    https: Flag = False
    #: 1 asks room and shift managers, compliance, inspectors and the count team for a second factor, 0 leaves it to each.
    second_factor: Flag = Field(default_factory=lambda read: read["https"])
    #: The server that takes e-mails: smtp+starttls://user:password@host:587, smtps://… or smtp://host:25; None: they go
    #: to the worker's log.
    mail_server: Annotated[MailServer, PlainValidator(values.mail_server)] | None = Field(
        None, alias="CARDROOM_SMTP_URL"
    )
    #: Address that e-mails come from; needed with CARDROOM_SMTP_URL.
    mail_from: str = Field(None, validate_default=True)
    #: https://host, as browsers reach the site, for links in e-mails; None: they hold none.
    public_url: Annotated[str, PlainValidator(values.site_address)] | None = None
    #: What whoever reads /metrics has to bring, at least 20 characters; None: there is no such page.
    metrics_token: Annotated[str, PlainValidator(values.token)] | None = None
    #: Absolute path of the file with the key that signs checkpoints.
    checkpoint_key_file: Annotated[Path, PlainValidator(values.file_path)] = Field(
        default_factory=lambda read: read["state_dir"] / "checkpoint_key"
    )
    #: https address of a time stamp authority (RFC 3161), which stamps the last checkpoint of each gaming day; None:
    #: nothing is stamped.
    tsa_url: Annotated[str, PlainValidator(values.witness_address)] | None = None
    #: Absolute path of the root certificate of that authority, as PEM; needed with CARDROOM_TSA_URL.
    tsa_certificate: Path | None = Field(None, validate_default=True)
    #: 1 writes each line of the log as a JSON object, for programs that collect logs.
    log_json: Flag = False
    #: 1 shows tracebacks in the browser; never where a real room plays.
    debug: Flag = False

    @field_validator("secret_key", mode="plain")
    @classmethod
    def _key_or_file(cls, value: str | None, info: ValidationInfo) -> str:
        if value is not None:
            return values.secret(value)
        if info.context == {"needs_secret": False} or "state_dir" not in info.data:
            return ""
        return _secret_of_file(secret_key_file(info.data["state_dir"]))

    @field_validator("mail_from", mode="plain")
    @classmethod
    def _sender(cls, value: str | None, info: ValidationInfo) -> str:
        if value is not None:
            return values.mail_address(value)
        if info.data.get("mail_server") is not None:
            raise BadValue("is not set: a mail server takes no e-mail without a sender")
        return MAIL_FROM

    @field_validator("tsa_certificate", mode="plain")
    @classmethod
    def _certificate(cls, value: str | None, info: ValidationInfo) -> Path | None:
        if value is not None:
            return values.file_path(value)
        if info.data.get("tsa_url") is not None:
            raise BadValue("is not set: without it no time stamp can be verified")
        return None


#: Every variable. Any other CARDROOM_* name is refused.
VARIABLES = tuple(str(field.alias) for field in Configuration.model_fields.values())


def read_environment(environ: Mapping[str, str] | None = None, *, needs_secret: bool = True) -> Configuration:
    """Read the `CARDROOM_*` variables of `environ` (default: this process's).

    `needs_secret=False` is for the supervisor, which makes the secret key. Raises EnvironmentRefused.
    """
    variables = sorted((os.environ if environ is None else environ).items())
    try:
        return Configuration.model_validate(
            {name: value for name, value in variables if name.startswith(PREFIX)},
            context={"needs_secret": needs_secret},
        )
    except ValidationError as refusal:
        raise EnvironmentRefused(_faults(refusal)) from None


def secret_key_file(state_dir: Path) -> Path:
    """Return the path of the secret key file, used when no variable holds the key."""
    return state_dir / "secret_key"


def _faults(refusal: ValidationError) -> list[str]:
    """Word the faults, unknown variables first.

    Of a value only its reader's words are taken: pydantic's own could show a secret. Defaults that were not made because
    a value before them is bad are no faults.
    """
    unknown, bad = [], []
    for error in refusal.errors(include_url=False, include_input=False):
        name = str(error["loc"][0])
        if error["type"] == "extra_forbidden":
            unknown.append(_unknown(name))
        elif error["type"] != "default_factory_not_called":
            bad.append(f"{Configuration.model_fields[name].alias} {error['ctx']['error']}")
    return unknown + bad


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
        return values.secret(value)
    except BadValue as refusal:
        raise BadValue(f"is not set and {path} {refusal}") from None
