"""docs/deployment.md, "On one Debian or Ubuntu server", word by word on a clean machine: from nothing to a report by e-mail."""

from __future__ import annotations

import configparser
import contextlib
import json
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from cardroom.config.environment import PROJECT_DIR, VARIABLES
from games.money import dollars

from .drill import Drill, Run, say
from .first_day import OWNER
from .machine import Machine, MachineFailed, installed

PAGE = PROJECT_DIR / "docs" / "deployment.md"
SECTION = "On one Debian or Ubuntu server"
#: What the operator fills in: what they have the code from, and in place of a package that this Debian does not have yet, the
#: one that the page names.
FILLED_IN = {"WHERE-YOU-HAVE-IT": "/srv/cardroom.git", "valkey": "redis-server"}
#: Lines that download something, by their first words.
DOWNLOADS = ("apt-get install", ".venv/bin/pip install")
#: Of the administrator, typed at the terminal.
PASSWORD = "quads beat a full house"
#: How long the site may take until it is ready: a worker shows life within half a minute.
READY_SECONDS = 150
#: A database of the controls, with no tables.
NOT_MIGRATED = "not_migrated"
MAIL_PORT, MAILS = 2525, "/var/mail/sink"
#: An SMTP server that takes every e-mail and writes each into a file.
SINK = f'''
import email, itertools, pathlib, socketserver
class Sink(socketserver.StreamRequestHandler):
    numbers = itertools.count()
    def handle(self):
        def say(text): self.wfile.write(text.encode() + b"\\r\\n")
        say("220 sink")
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"DATA":
                say("354 go on"); lines = []
                while (line := self.rfile.readline()) not in (b".\\r\\n", b""): lines.append(line)
                part = pathlib.Path("{MAILS}").joinpath(f"{{next(self.numbers)}}.part")
                part.write_bytes(b"".join(lines)); part.rename(part.with_suffix(".eml"))
            say("221 bye" if word == b"QUIT" else "250 ok")
            if word == b"QUIT": return
class Server(socketserver.ThreadingTCPServer): allow_reuse_address = True
Server(("127.0.0.1", {MAIL_PORT}), Sink).serve_forever()
'''


def runs(place: Path) -> Iterator[Run]:
    """Follow the page, live a room's first day, wait for its report; for the controls, leave a step of the page out."""
    with installed(_root(place)) as machine:
        run = Run("as the page says")
        began = time.monotonic()
        environ = followed(machine, run)
        run.figures["seconds to a site that is ready"] = f"{time.monotonic() - began:.0f}"
        ready = json.loads(machine.run("curl --silent http://127.0.0.1:8000/ready/"))
        run.must(all(each["ok"] for each in ready["checks"]), f"/ready/ says {ready}")
        lived = json.loads(
            machine.beside([sys.executable, "-m", "tests.measure.drills.first_day", PASSWORD], environ)
        )
        run.figures["rounds played"], run.figures["cents dropped"] = lived["rounds"], lived["drop_cents"]
        mails = mails_to(machine, OWNER)
        run.figures["e-mails of the report"] = len(mails)
        run.must(len(mails) == 1, f"{len(mails)} e-mails came to {OWNER}")
        for mail in mails:
            _says(run, mail, lived["drop_cents"])
        verified = machine.run("cardroom-manage verify")
        run.must("all holds." in verified, f"verify: {verified[-300:]}")
        _backed_up(machine, run)
        yield run
        yield _refused(
            machine, "the site signs in as the owner", _address(machine, "owner"),
            "cardroom.W001", "the check says that the site owns the tables (cardroom.W001)",
        )  # fmt: skip
        machine.run(f"sudo -u postgres createdb --owner cardroom_owner --template template0 {NOT_MIGRATED}")
        yield _refused(
            machine, "`cardroom-migrate` left out", _address(machine, "cardroom", NOT_MIGRATED),
            "cardroom.E001", "the check says that tables are missing (cardroom.E001)",
        )  # fmt: skip


def followed(machine: Machine, run: Run) -> dict[str, str]:
    """Follow the section's blocks line by line, and what it says between them; return the environment for programs beside."""
    passwords = {name: secrets.token_hex(12) for name in ("cardroom_owner", "cardroom", "redis")}
    repository = machine.root / FILLED_IN["WHERE-YOU-HAVE-IT"].lstrip("/")
    subprocess.run(["git", "clone", "--quiet", "--bare", "--no-local", PROJECT_DIR, repository], check=True)
    lines = 0
    for block in blocks():
        for line in lines_of(block):
            done = line
            for word, in_place in FILLED_IN.items():
                done = re.sub(rf"(?<![\w.-]){word}(?![\w.-])", in_place, done)
            say(f"operators-page: {line}")
            _done(machine, done, passwords)
            lines += 1
            _between(machine, line, passwords)
    run.figures["lines of the page"] = lines
    run.must(lines > 0, "the section has no lines")
    settings = settings_of(machine, "cardroom")
    beside = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    state = machine.root.parent / "beside"
    state.mkdir(exist_ok=True)
    return beside | {
        "CARDROOM_DATABASE_URL": settings["CARDROOM_DATABASE_URL"],
        "CARDROOM_SECRET_KEY": settings["CARDROOM_SECRET_KEY"],
        "CARDROOM_STATE_DIR": str(state),
    }


def settings_of(machine: Machine, file: str) -> dict[str, str]:
    """The variables of a file of /etc/cardroom, by name."""
    lines = machine.read(f"/etc/cardroom/{file}.env").splitlines()
    return dict(line.split("=", 1) for line in lines if re.match("[A-Z]", line))


def _address(machine: Machine, file: str, database: str = "cardroom") -> str:
    """The address of a database, with the role that a file of /etc/cardroom names."""
    server, _, _ = settings_of(machine, file)["CARDROOM_DATABASE_URL"].rpartition("/")
    return f"{server}/{database}"


def _says(run: Run, mail: EmailMessage, cents: int) -> None:
    """The e-mail names the room, what was dropped, and has the report as a PDF."""
    body = mail.get_body(("plain",))
    lines = [] if body is None else str(body.get_content()).splitlines()
    run.must("Delta Oaks" in str(mail["Subject"]), f"the e-mail is about {mail['Subject']}")
    found = [line.split()[-1] for line in lines if line.startswith("Drop expected ")]
    run.must(found == [dollars(cents)], f"the e-mail says {found} of a drop of {dollars(cents)}")
    files = [part for part in mail.iter_attachments() if part.get_content_type() == "application/pdf"]
    pdfs = sum(part.get_content().startswith(b"%PDF-") for part in files)
    run.figures["of them with the report as a PDF"] = pdfs
    run.must(pdfs == 1, f"the e-mail has {pdfs} PDFs")


def _backed_up(machine: Machine, run: Run) -> None:
    """Follow the first block of the section on backups, doing what systemd would; count what there is afterwards."""
    [block, *_] = blocks("Backups")
    unit = unit_of(machine, "cardroom-base-backup.service")
    as_user = f"setpriv --reuid {unit['User']} --regid {unit['Group']} --init-groups"
    for line, done in {
        "systemctl restart postgresql": "pg_ctlcluster 15 main restart",
        "systemctl enable --now cardroom-base-backup.timer && systemctl start cardroom-base-backup": (
            f"cd / && {as_user} {unit['ExecStart']}"
        ),
    }.items():
        if block.count(f"{line}\n") != 1:
            raise MachineFailed(f"the section on backups does not say {line!r} once")
        block = block.replace(line, done)
    machine.run(f"cd /opt/cardroom\n{block}")
    _ready(machine)  # the database was away meanwhile
    for what, pattern in {
        "base backups by the nightly unit": "cardroom-postgresql/base-*",
        "files of WAL in the archive": "cardroom-wal/*.gz",
    }.items():
        found = len(list((machine.root / "var/backups").glob(pattern)))
        run.figures[what] = found
        run.must(found > 0, f"there are no {what}")


def blocks(section: str = SECTION) -> list[str]:
    """The blocks of commands of a section, before its first subsection."""
    text = PAGE.read_text(encoding="utf-8")
    said = text.split(f"\n## {section}\n", 1)[1]
    said = re.split(r"^##+ ", said, maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"^```\n(.*?)^```$", said, re.MULTILINE | re.DOTALL)


def lines_of(block: str) -> list[str]:
    """The commands of a block; one that is broken over lines is one."""
    return [line for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def _done(machine: Machine, line: str, passwords: dict[str, str]) -> None:
    """Carry out a line as the operator does: at a terminal where it asks, in /opt/cardroom from the clone on."""
    there = "cd /opt/cardroom && " if (machine.root / "opt/cardroom").exists() else ""
    if "createuser --pwprompt" in line:
        typed = passwords[line.rsplit(maxsplit=1)[-1]]
        machine.type(line, [(r"Enter password for new role:", typed), (r"Enter it again:", typed)])
    elif "createsuperuser" in line:
        answers = [
            (r"(?i)user ?name.*:", "root"),
            (r"(?i)e-?mail.*:", ""),
            (r"Password:", PASSWORD),
            (r"Password \(again\):", PASSWORD),
        ]
        machine.type(there + line, answers)
    elif line.startswith("systemctl enable --now "):
        _started(machine, line.split()[3:])
    else:
        # No systemd reads the units here; the drill does.
        line = re.sub(r" && systemctl daemon-reload$", "", line)
        if line.startswith("apt-get install"):
            line = f"apt-get update && {line.replace('install', 'install --yes', 1)}"
        machine.run(there + line, download=line.startswith(DOWNLOADS) or "apt-get" in line)


def _between(machine: Machine, line: str, passwords: dict[str, str]) -> None:
    """What the page says in words behind a line."""
    if line.startswith("apt-get install"):
        # Done by the packages' own units where there is systemd.
        machine.run("pg_ctlcluster 15 main start")
        config = machine.read("/etc/redis/redis.conf")
        config += f'\nrequirepass {passwords["redis"]}\nmaxmemory-policy noeviction\nsave ""\n'
        machine.write("/etc/redis/redis.conf", config, 0o640)
        machine.start("redis-server /etc/redis/redis.conf --daemonize no", "/var/log/redis-drill.log")
        machine.run("mkdir -p " + MAILS)
        machine.write("/srv/sink.py", SINK)
        machine.start("python3 /srv/sink.py", "/var/log/sink.log")
    if line.startswith("install --mode 0640") and "cardroom.env" in line:
        machine.write(
            "/etc/cardroom/cardroom.env",
            _filled_in(machine.read("/etc/cardroom/cardroom.env"), passwords),
            0o640,
        )
        owner = f"CARDROOM_DATABASE_URL=postgresql://cardroom_owner:{passwords['cardroom_owner']}@127.0.0.1:5432/cardroom\n"
        machine.write("/etc/cardroom/owner.env", owner, 0o600)


def _filled_in(example: str, passwords: dict[str, str]) -> str:
    """The example's environment with what the operator fills in."""
    said = {
        "CARDROOM_DATABASE_URL": f"postgresql://cardroom:{passwords['cardroom']}@127.0.0.1:5432/cardroom",
        "CARDROOM_REDIS_URL": f"redis://:{passwords['redis']}@127.0.0.1:6379/0",
        "CARDROOM_SECRET_KEY": secrets.token_urlsafe(64),
        "CARDROOM_SMTP_URL": f"smtp://127.0.0.1:{MAIL_PORT}",
        "CARDROOM_MAIL_FROM": "reports@example.com",
    }
    for name, value in said.items():
        example, changed = re.subn(rf"^(?:# )?{name}=.*$", f"{name}={value}", example, flags=re.MULTILINE)
        if changed != 1:
            raise MachineFailed(f"the example environment has {changed} lines for {name}")
    return example


def _started(machine: Machine, units: list[str]) -> None:
    """Start what `systemctl enable --now` would: the ExecStart of each service, as its user and with its environment."""
    for name in units:
        if not name.endswith((".target", ".timer")):
            machine.run(as_service(machine, name))
    _ready(machine)


def _ready(machine: Machine) -> None:
    """Wait until the site is ready."""
    deadline = time.monotonic() + READY_SECONDS
    while True:
        with contextlib.suppress(MachineFailed):
            machine.run("curl --silent --fail http://127.0.0.1:8000/ready/")
            return
        if time.monotonic() > deadline:
            said = machine.run(
                "curl --silent http://127.0.0.1:8000/ready/; tail -n 20 /var/log/cardroom-*.log || true"
            )
            raise MachineFailed(f"the site is not ready after {READY_SECONDS} s: {said}")
        time.sleep(2)


def unit_of(machine: Machine, file: str) -> configparser.SectionProxy:
    """The [Service] of a unit that the operator has copied."""
    read = configparser.ConfigParser(interpolation=None, strict=False)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read_string(machine.read(f"/etc/systemd/system/{file}"))
    return read["Service"]


def as_service(machine: Machine, name: str) -> str:
    """A line that starts the program of a service (`cardroom-web@8000`) as its user, in its directory, with its environment."""
    file, at, instance = name.partition("@")
    unit = unit_of(machine, f"{file}{at}.service")
    command = unit["ExecStart"].replace("%i", instance).replace("%%", "%").replace("$$", "$")
    as_user = f"setpriv --reuid {unit['User']} --regid {unit['Group']} --init-groups {command}"
    settings = f"set -a && . {unit['EnvironmentFile']} && set +a && umask {unit['UMask']} && cd {unit['WorkingDirectory']}"
    home = f"HOME=$(getent passwd {unit['User']} | cut --delimiter=: --fields=6)"
    log = f"/var/log/{'-'.join(filter(None, (file, instance)))}.log"
    return f"( {settings} && export {home} && exec nohup setsid {as_user} ) >> {log} 2>&1 &"


def mails_to(machine: Machine, address: str) -> list[EmailMessage]:
    """The e-mails that came to an address, waited for."""
    deadline, found = time.monotonic() + 120, list[EmailMessage]()
    while not found and time.monotonic() < deadline:
        time.sleep(1)
        for path in sorted((machine.root / MAILS.lstrip("/")).glob("*.eml")):
            mail = message_from_bytes(path.read_bytes(), policy=policy.default)
            if address in str(mail["To"]):
                found.append(mail)
    return found


def _refused(machine: Machine, kind: str, address: str, code: str, fault: str) -> Run:
    """The page without one of its steps: the check that it names, on a database at `address`, has to say so by `code`."""
    control = Run(kind, control=True)
    try:
        machine.run(
            f"CARDROOM_DATABASE_URL={address} "
            "cardroom-manage check --deploy --database default --fail-level WARNING"
        )
    except MachineFailed as refused:
        control.must(code not in str(refused), fault)
    return control


def _root(place: Path) -> Path:
    root = place / "debian"
    root.mkdir()
    return root


DRILL = Drill(
    "operators-page",
    "The operator's page on a clean machine",
    """A Debian 12 is installed into a directory, with namespaces of its own for processes, mounts and network, and the section *On one
Debian or Ubuntu server* of [the operator's page](../deployment.md) is followed: the lines come out of its blocks, so that page and drill cannot
differ. What it says in words is done behind them: the broker's settings, the environment, the owner's address. There is no
systemd: the drill starts each unit's `ExecStart`, as its user, with its environment file and umask; what the units shut off is not tried. No proxy
either: requests say what one would. Then the room of `tests/week` is made in the
admin and on its pages over HTTP, by people who set up a second factor first; a shift is opened, played, counted and closed. Its report has to say
what was played, and to reach a subscriber through an SMTP server, with the PDF; `verify` has to hold. Last the first block of *Backups* is followed,
with the site running: a base backup and WAL have to be there, and the site ready again. Each control leaves a step of the page
out, which the page's own `check` has to refuse.""",
    runs,
)
