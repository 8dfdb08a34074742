"""The environment is read strictly: each fault is named with its variable, and none is guessed around."""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path

import pytest

from cardroom.config.environment import (
    PROJECT_DIR,
    VARIABLES,
    EnvironmentRefused,
    read_environment,
    secret_key_file,
)
from cardroom.config.secret_key import secret_key_make
from cardroom.config.values import Database, MailServer

KEY = secrets.token_urlsafe(64)


def read(**variables: str) -> object:
    return read_environment({"CARDROOM_SECRET_KEY": KEY, **variables})


def faults(**variables: str) -> tuple[str, ...]:
    with pytest.raises(EnvironmentRefused) as refusal:
        read(**variables)
    return refusal.value.faults


def test_without_variables_the_site_is_closed_to_all_but_this_machine() -> None:
    configuration = read_environment({"CARDROOM_SECRET_KEY": KEY})
    assert configuration.debug is False
    assert configuration.metrics_token is None
    assert configuration.allowed_hosts == ("localhost", "127.0.0.1", "[::1]")
    assert configuration.redis_url is None
    assert configuration.state_dir == PROJECT_DIR / "var"
    assert configuration.database == Database(
        engine="sqlite3", name=str(PROJECT_DIR / "var" / "cardroom.sqlite3")
    )
    assert configuration.port == 8000


def test_an_unknown_variable_is_refused_with_the_one_that_was_meant() -> None:
    assert faults(CARDROOM_PROT="8001") == (
        "CARDROOM_PROT is no variable of the site: did you mean CARDROOM_PORT?",
    )


def test_an_unknown_variable_that_resembles_none_is_refused_with_all_there_are() -> None:
    (fault,) = faults(CARDROOM_QQ="1")
    assert fault.startswith("CARDROOM_QQ is no variable of the site")
    assert all(name in fault for name in VARIABLES)


def test_variables_of_others_are_not_looked_at() -> None:
    read(DJANGO_DEBUG="1", PORT="nonsense", CARDROOMS="1")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CARDROOM_DEBUG", "true"),
        ("CARDROOM_DEBUG", ""),
        ("CARDROOM_HTTPS", "yes"),
        ("CARDROOM_PORT", "0"),
        ("CARDROOM_PORT", "65536"),
        ("CARDROOM_PORT", "8000 "),
        ("CARDROOM_PORT", "٨٠٠٠"),
        ("CARDROOM_STATE_DIR", "var"),
        ("CARDROOM_STATE_DIR", ""),
        ("CARDROOM_STATE_DIR", "/dev/null"),
        ("CARDROOM_ALLOWED_HOSTS", "*"),
        ("CARDROOM_ALLOWED_HOSTS", ""),
        ("CARDROOM_ALLOWED_HOSTS", "room.example,"),
        ("CARDROOM_ALLOWED_HOSTS", "room.example:8000"),
        ("CARDROOM_REDIS_URL", ""),
        ("CARDROOM_REDIS_URL", "localhost:6379"),
        ("CARDROOM_REDIS_URL", "http://localhost"),
        ("CARDROOM_REDIS_URL", "redis://"),
        ("CARDROOM_REDIS_URL", "redis://localhost:99999"),
        ("CARDROOM_REDIS_URL", "redis://localhost/first"),
        ("CARDROOM_REDIS_URL", "redis://localhost/0?db=1"),
        ("CARDROOM_REDIS_URL", "unix://var/valkey.sock"),
        ("CARDROOM_REDIS_URL", "unix:///var/valkey.sock?db=first"),
        ("CARDROOM_DATABASE_URL", ""),
        ("CARDROOM_DATABASE_URL", "/var/lib/cardroom.sqlite3"),
        ("CARDROOM_DATABASE_URL", "mysql://localhost/cardroom"),
        ("CARDROOM_DATABASE_URL", "sqlite://"),
        ("CARDROOM_DATABASE_URL", "sqlite:///relative.sqlite3"),
        ("CARDROOM_DATABASE_URL", "sqlite:////var/lib/"),
        ("CARDROOM_DATABASE_URL", "sqlite:////var/lib/file?mode=ro"),
        ("CARDROOM_DATABASE_URL", "postgresql://localhost"),
        ("CARDROOM_DATABASE_URL", "postgresql://localhost/one/two"),
        ("CARDROOM_DATABASE_URL", "postgresql://localhost:port/cardroom"),
        ("CARDROOM_DATABASE_URL", "postgresql://localhost/cardroom?sslmod=require"),
        ("CARDROOM_DATABASE_URL", "postgresql://localhost/cardroom?sslmode"),
        ("CARDROOM_DATABASE_URL", "postgresql://localhost/cardroom#fragment"),
        ("CARDROOM_SMTP_URL", ""),
        ("CARDROOM_SMTP_URL", "mail.example:25"),
        ("CARDROOM_SMTP_URL", "http://mail.example"),
        ("CARDROOM_SMTP_URL", "smtps://"),
        ("CARDROOM_SMTP_URL", "smtps://mail.example/inbox"),
        ("CARDROOM_SMTP_URL", "smtps://who@mail.example"),
        ("CARDROOM_SMTP_URL", "smtp://who:secret@mail.example"),
        ("CARDROOM_MAIL_FROM", ""),
        ("CARDROOM_MAIL_FROM", "reports"),
        ("CARDROOM_MAIL_FROM", "The room <reports@room.example>"),
        ("CARDROOM_MAIL_FROM", "a@room.example, b@room.example"),
        ("CARDROOM_PUBLIC_URL", ""),
        ("CARDROOM_PUBLIC_URL", "room.example"),
        ("CARDROOM_PUBLIC_URL", "https://room.example/floor"),
        ("CARDROOM_PUBLIC_URL", "https://who:secret@room.example"),
        ("CARDROOM_METRICS_TOKEN", ""),
        ("CARDROOM_METRICS_TOKEN", "short"),
        ("CARDROOM_METRICS_TOKEN", "twenty characters and blanks"),
        ("CARDROOM_CHECKPOINT_KEY_FILE", "key"),
        ("CARDROOM_CHECKPOINT_KEY_FILE", "/"),
        ("CARDROOM_TSA_CERTIFICATE", "tsa.pem"),
        ("CARDROOM_SECRET_KEY", ""),
        ("CARDROOM_SECRET_KEY", "short"),
        ("CARDROOM_SECRET_KEY", "ab" * 40),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_its_name(name: str, value: str) -> None:
    (fault,) = faults(**{name: value})
    assert fault.startswith(f"{name} ")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("CARDROOM_PORT", "http", "is 'http': write a port from 1 to 65535"),
        ("CARDROOM_HTTPS", "yes", "is 'yes': write 1 for yes or 0 for no"),
        ("CARDROOM_STATE_DIR", "var", "is 'var': write the absolute path of a directory"),
        ("CARDROOM_REDIS_URL", "http://h", "begins with 'http': write redis:// or rediss:// or unix://"),
        ("CARDROOM_METRICS_TOKEN", "hunter2", "is invalid: write at least 20 characters"),
    ],
)
def test_a_message_says_what_to_write(name: str, value: str, said: str) -> None:
    (fault,) = faults(**{name: value})
    assert fault.startswith(f"{name} {said}")


def test_an_authority_needs_https_and_a_certificate() -> None:
    certificate = "/etc/cardroom/tsa.pem"
    (fault,) = faults(CARDROOM_TSA_URL="https://tsa.example/")
    assert fault.startswith("CARDROOM_TSA_CERTIFICATE is not set")
    (fault,) = faults(CARDROOM_TSA_URL="http://tsa.example/", CARDROOM_TSA_CERTIFICATE=certificate)
    assert fault.startswith("CARDROOM_TSA_URL begins with 'http'")
    read(CARDROOM_TSA_URL="http://127.0.0.1:8318/", CARDROOM_TSA_CERTIFICATE=certificate)


def test_all_faults_are_named_at_once() -> None:
    named = faults(CARDROOM_DEBUG="on", CARDROOM_PORT="http", CARDROOM_DATABASE="x")
    assert [fault.split()[0] for fault in named] == ["CARDROOM_DATABASE", "CARDROOM_PORT", "CARDROOM_DEBUG"]


@pytest.mark.parametrize(
    "name",
    [
        "CARDROOM_DATABASE_URL",
        "CARDROOM_REDIS_URL",
        "CARDROOM_SECRET_KEY",
        "CARDROOM_SMTP_URL",
        "CARDROOM_PUBLIC_URL",
        "CARDROOM_METRICS_TOKEN",
    ],
)
def test_no_message_shows_a_value_that_may_hold_a_password(name: str) -> None:
    (fault,) = faults(**{name: "ftp://who:hunter2@[::1]:99999/x"})
    assert "hunter2" not in fault


@pytest.mark.parametrize("scheme", ["postgresql", "redis", "smtps", "https"])
@pytest.mark.parametrize("sign", ["/", "?", "#"])
def test_no_message_shows_part_of_a_password_that_was_not_escaped(scheme: str, sign: str) -> None:
    for name in ("CARDROOM_DATABASE_URL", "CARDROOM_REDIS_URL", "CARDROOM_SMTP_URL", "CARDROOM_TSA_URL"):
        (fault,) = faults(**{name: f"{scheme}://who:hunter2{sign}more@host.example/x"})
        assert "hunter2" not in fault
        assert "more" not in fault


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("sqlite:////var/lib/a%20b.sqlite3", Database(engine="sqlite3", name="/var/lib/a b.sqlite3")),
        (
            "postgresql://who:p%40ss@db.example:5433/cardroom?sslmode=require",
            Database(
                engine="postgresql",
                name="cardroom",
                user="who",
                password="p@ss",
                host="db.example",
                port="5433",
                options={"sslmode": "require"},
            ),
        ),
        (
            "postgresql://who@/cardroom?host=/run/postgresql",
            Database(engine="postgresql", name="cardroom", user="who", host="/run/postgresql", options={}),
        ),
        (
            "postgresql://who:p,ss@one:5433,two/cardroom?target_session_attrs=read-write",
            Database(
                engine="postgresql",
                name="cardroom",
                user="who",
                password="p,ss",
                host="one,two",
                port="5433,",
                options={"target_session_attrs": "read-write"},
            ),
        ),
    ],
)
def test_addresses_of_databases_are_taken_apart(url: str, expected: Database) -> None:
    assert read_environment({"CARDROOM_SECRET_KEY": KEY, "CARDROOM_DATABASE_URL": url}).database == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://localhost", MailServer(host="localhost", port=25)),
        ("smtp+starttls://mail.example", MailServer(host="mail.example", port=587, security="starttls")),
        (
            "smtps://who%40room:p%2Fss@mail.example:2465",
            MailServer(host="mail.example", port=2465, security="tls", user="who@room", password="p/ss"),
        ),
    ],
)
def test_addresses_of_mail_servers_are_taken_apart(url: str, expected: MailServer) -> None:
    environment = {
        "CARDROOM_SECRET_KEY": KEY,
        "CARDROOM_SMTP_URL": url,
        "CARDROOM_MAIL_FROM": "reports@room.example",
    }
    assert read_environment(environment).mail_server == expected


def test_a_mail_server_without_an_address_to_come_from_is_refused() -> None:
    (fault,) = faults(CARDROOM_SMTP_URL="smtps://mail.example")
    assert fault.startswith("CARDROOM_MAIL_FROM is not set")


def test_the_address_of_the_site_ends_without_a_slash() -> None:
    environment = {"CARDROOM_SECRET_KEY": KEY, "CARDROOM_PUBLIC_URL": "https://room.example:8443/"}
    assert read_environment(environment).public_url == "https://room.example:8443"


def test_without_a_secret_key_the_message_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentRefused, match=r"CARDROOM_SECRET_KEY is not set.*make run"):
        read_environment({"CARDROOM_STATE_DIR": str(tmp_path)})


def test_a_secret_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    state_dir = tmp_path / "var"
    assert secret_key_make(state_dir)
    assert stat.S_IMODE(secret_key_file(state_dir).stat().st_mode) == 0o600
    first = read_environment({"CARDROOM_STATE_DIR": str(state_dir)}).secret_key
    assert not secret_key_make(state_dir)
    assert read_environment({"CARDROOM_STATE_DIR": str(state_dir)}).secret_key == first
    assert len(first) >= 64


def test_a_secret_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    secret_key_make(tmp_path)
    secret_key_file(tmp_path).chmod(0o640)
    with pytest.raises(EnvironmentRefused, match="can be read by others: chmod 600"):
        read_environment({"CARDROOM_STATE_DIR": str(tmp_path)})


def test_a_secret_key_cut_short_is_refused(tmp_path: Path) -> None:
    secret_key_make(tmp_path)
    os.truncate(secret_key_file(tmp_path), 10)
    with pytest.raises(EnvironmentRefused, match="is too weak"):
        read_environment({"CARDROOM_STATE_DIR": str(tmp_path)})


@pytest.mark.parametrize("name", VARIABLES)
def test_every_variable_that_is_declared_is_read(name: str) -> None:
    """One declared and not read would do nothing. None can be empty, so that each that is read is refused."""
    (fault,) = faults(**{name: ""})
    assert fault.startswith(f"{name} ")
    assert "write None" not in fault, "no description says what to write"


def test_every_variable_that_the_site_reads_is_declared() -> None:
    """A name that is read and not declared could never be set."""
    sources = [path.read_text() for path in (PROJECT_DIR / "cardroom").rglob("*.py")]
    named = {name for source in sources for name in re.findall(r"""["'](CARDROOM_[A-Z_]+)["']""", source)}
    assert named <= set(VARIABLES)
