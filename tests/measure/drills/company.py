"""A company's figures over three licensees: three databases, three stores, one company's site, against each room's own reports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet

from cardroom.config.environment import PREFIX
from tests.servers.sites import python, site_environ

from .drill import Drill, Run, say

CELLS = ("alder-creek", "gold-bar", "tule-slough")
#: More days than a month has, so that they lie in two of them.
DAYS, TABLES, ROUNDS_PER_HOUR = 32, 2, 3
_PLAIN = ("rounds", "drop_cents", "jackpot_cents")


def _environ(place: Path, **more: str) -> dict[str, str]:
    """A site of its own on SQLite, with its own key and state."""
    state = place / "state"
    state.mkdir(parents=True)
    return {**site_environ(state, None), **more}


def _played(place: Path, name: str, seed: int) -> list[dict[str, Any]]:
    """Make a licensee's site, play some days there and export them; return what its reports say of each month."""
    say(f"company: {DAYS} days at {TABLES} tables of {name}")
    store = place / "stores" / name
    store.mkdir(parents=True)
    environ = _environ(place / name, **{f"{PREFIX}EXPORT_URL": str(store)})
    python(environ, "manage.py", "migrate", "--verbosity=0")
    python(
        environ, "manage.py", "simulate", f"--days={DAYS}", f"--tables={TABLES}", f"--seed={seed}", f"--room={name}",
        f"--rounds-per-hour={ROUNDS_PER_HOUR}", "--reports",
    )  # fmt: skip
    # `--reports` makes those of the shifts; those of days are what is exported.
    python(
        environ,
        "manage.py",
        "shell",
        "-c",
        "from cardroom.reports.tasks import make_due_reports as due; due(); due()",
    )
    python(environ, "manage.py", "export_days", name)
    python(environ, "manage.py", "audit_exports", name)
    return list(json.loads(python(environ, "-m", "tests.measure.drills.company_reports", name)))


def _company(place: Path) -> dict[str, str]:
    """The company's site: a database without a room, and the file of its cells."""
    text = ['company = "Delta Cardrooms"']
    for name in CELLS:
        text += [
            "[[cell]]",
            f'name = "{name}"',
            'url = "http://127.0.0.1:9"',
            f'store = "{place / "stores" / name}"',
        ]
    (place / "company.toml").write_text("\n".join(text))
    environ = _environ(place / "company", **{f"{PREFIX}COMPANY_FILE": str(place / "company.toml")})
    python(environ, "manage.py", "migrate", "--verbosity=0")
    return environ


def _compared(run: Run, environ: Mapping[str, str], said: Mapping[str, list[dict[str, Any]]]) -> None:
    """Compare every figure of every room and month with the reports of that room."""
    months = sorted(month["month"] for reports in said.values() for month in reports)
    found = json.loads(python(environ, "manage.py", "company_figures", months[0], months[-1], "--json"))
    ours = {(each["cell"], each["month"]): each for each in found["months"]}
    run.must(
        set(ours) == {(cell, month["month"]) for cell, reports in said.items() for month in reports},
        f"the rooms and months are {sorted(ours)}",
    )
    compared = 0
    for cell, reports in said.items():
        for month in reports:
            mine = ours.get((cell, month["month"]), {})
            for name, value in month.items():
                compared += 1
                run.must(
                    mine.get(name) == value,
                    f"{cell} {month['month']}: {name} is {mine.get(name)}, and {value} there",
                )
    total = found["total"]
    for name in _PLAIN:
        whole = sum(month[name] for reports in said.values() for month in reports)
        run.must(total[name] == whole, f"all together, {name} is {total[name]}, and {whole} there")
    run.figures |= {
        "licensees": len(said),
        "gaming days": total["days"],
        "rounds": total["rounds"],
        "drop": f"${total['drop_cents'] / 100:,.2f}",
        "figures compared": compared,
        "that differ": len(run.faults),
    }


def _runs(place: Path) -> Iterator[Run]:
    said = {name: _played(place, name, seed) for seed, name in enumerate(CELLS, 1)}
    environ = _company(place)
    whole = Run("as exported")
    _compared(whole, environ, said)
    yield whole
    control = Run("a transfer left out, with a manifest to fit", control=True)
    _leave_out(next((place / "stores" / CELLS[0]).glob("*/*/v1/manifest.json")))
    _compared(control, environ, said)
    yield control


def _leave_out(manifest: Path) -> None:
    """Take a fee out of a day's transfers, and write the manifest anew, as an owner of the store could."""
    path = manifest.with_name("transfers.parquet")
    table = pyarrow.parquet.read_table(path)
    at = table["target"].to_pylist().index("drop")
    pyarrow.parquet.write_table(pyarrow.concat_tables([table.slice(0, at), table.slice(at + 1)]), path)
    facts = json.loads(manifest.read_text())
    for each in facts["files"]:
        if each["name"] == "transfers":
            content = path.read_bytes()
            each |= {
                "bytes": len(content),
                "sha256": hashlib.sha256(content).hexdigest(),
                "rows": table.num_rows - 1,
            }
    manifest.write_text(json.dumps(facts))


DRILL = Drill(
    "company",
    "A company's figures over three licensees",
    "Three licensees' sites, each with a database (SQLite), a key and a store of its own, play "
    f"{DAYS} gaming days at {TABLES} tables, which lie in two months, and export them; each store is audited against its rows. A "
    "company's site adds them up by `company_figures`. Each figure of each room and month is compared with that room's own day "
    "reports: rounds, drop, jackpot, fees by game, table time, rounds an hour, time at the bank. The control leaves one transfer out "
    "of a file and writes a manifest to fit, as the owner of a store could: the cent is missed. (`audit_exports` at the cell finds "
    "it by the journal.)",
    _runs,
)
