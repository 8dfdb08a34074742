"""A client that is generated from the API's own document: it signs in by token at a live site, reads the feed, and plays a round."""

from __future__ import annotations

import importlib
import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cardroom.floor.models import JournalEntry, Round
from tests.cast import BANK_HAND, HANDS, Cast, running_cast

from .conformance import served_document
from .programs import make_program
from .test_feed import checked

pytestmark = pytest.mark.outside

_keys = itertools.count(1)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The package that openapi-python-client makes of the document, importable under the name that is returned."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(served_document()))
    (folder / "config.yml").write_text("post_hooks: []\n")  # by itself it would have the code formatted
    command = [
        sys.executable,
        "-m",
        "openapi_python_client",
        "generate",
        "--meta",
        "none",
        "--fail-on-warning",
    ]
    command += ["--path", "openapi.json", "--config", "config.yml", "--output-path", "cardroom_client"]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield "cardroom_client"
    sys.path.remove(str(folder))


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Table 7 with seven players, seat 3 at the bank, committed: the site reads it by a connection of its own."""
    return running_cast()


class Generated:
    """The generated package, with one program signed in."""

    def __init__(self, package: str, base: str, token: str) -> None:
        self._package = package
        self._client = self.module("client").AuthenticatedClient(base_url=base, token=token)

    def module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self._package}.{name}")

    def model(self, name: str, said: dict[str, Any]) -> Any:
        """Return a body as the generated class writes it."""
        module = "".join(f"_{each.lower()}" if each.isupper() else each for each in name).lstrip("_")
        return getattr(self.module(f"models.{module}"), name).from_dict(said)

    def ask(self, operation: str, *address: int, **given: Any) -> Any:
        """Call one operation, `rounds.tables_rounds_create`; return the answer, with its headers."""
        return self.module(f"api.{operation}").sync_detailed(*address, client=self._client, **given)

    def give(self, operation: str, table: int, version: int, **given: Any) -> int:
        """Give a command on a version of a table; return the version that it answers."""
        answer = self.ask(
            operation, table, idempotency_key=f"generated-{next(_keys)}", if_match=f'"{version}"', **given
        )
        assert answer.status_code == 200, answer.content
        assert answer.headers["ETag"] == f'"{answer.parsed.version}"'
        return int(answer.parsed.version)


def test_every_module_of_the_generated_client_is_one(generated: str) -> None:
    """What a generator makes of a name or a default that it does not take well shows as it is imported."""
    package = importlib.import_module(generated)
    assert package.__file__ is not None
    folder = Path(package.__file__).parent
    modules = [path.relative_to(folder.parent).with_suffix("") for path in folder.rglob("*.py")]
    for path in modules:
        importlib.import_module(".".join(path.parts))
    operations = sum(1 for _ in (folder / "api").glob("*/*.py"))
    assert operations > sum(
        len(methods) for methods in served_document()["paths"].values()
    )  # and an __init__ a tag


def test_a_program_signs_in_by_token_plays_a_round_and_reads_it_in_the_feed(
    generated: str, cast: Cast, live_server: Any
) -> None:
    made = make_program(cast, "see_floor", "see_reports", "run_rounds", name="Shoe reader")
    program = Generated(generated, live_server.url, made["token"])
    [room] = program.ask("rooms.rooms_list").parsed
    assert (room.room, room.roles) == (cast.room.pk, ["program"])
    before = program.ask("programs.rooms_feed_retrieve", room.room, after="latest").parsed
    assert (before.results, before.more) == ([], False)

    table = cast.table.pk
    version = program.ask("tables.tables_retrieve", table).parsed.version
    opened = program.model("RoundOpenRequest", {"bank_wager_cents": 20000})
    version = program.give("rounds.tables_rounds_create", table, version, body=opened)
    bets = program.model("BetsPlaceRequest", {"positions": [{"seat": 4, "wagers": {"ante": 1000}}]})
    version = program.give("rounds.tables_rounds_current_bets_update", table, version, body=bets)
    closed = program.model("BetsCloseRequest", {})
    version = program.give("rounds.tables_rounds_current_close_bets_create", table, version, body=closed)
    version = program.give("rounds.tables_rounds_current_deal_create", table, version)
    cards = {"bank_hand": BANK_HAND, "positions": [{"seat": 4, "hand": HANDS[4], "decision": "play"}]}
    settled = program.model("RoundSettleRequest", cards)
    program.give("rounds.tables_rounds_current_settle_create", table, version, body=settled)
    assert Round.objects.get().state == Round.State.SETTLED

    found: list[Any] = []
    position, more = before.position, True
    while more:
        page = program.ask("programs.rooms_feed_retrieve", room.room, after=position, limit=2).parsed
        found, position, more = found + page.results, page.position, page.more
    kinds = [each.command for each in found if each.chain == f"table:{table}"]
    assert kinds == ["round_open", "bets_place", "bets_close", "round_deal", "round_settle"]
    assert {each.actor_name for each in found} == {"Shoe reader (program)"}
    assert len(found) == JournalEntry.objects.filter(actor=made["program"]).count()
    whole: list[Any] = []
    position, more = None, True
    while more:
        after: dict[str, Any] = {} if position is None else {"after": position}
        page = program.ask("programs.rooms_feed_retrieve", room.room, limit=200, **after).parsed
        whole, position, more = whole + page.results, page.position, page.more
    ends = checked([each.to_dict() for each in whole])
    assert {each.chain: each.hash_ for each in page.heads if each.seq} == ends


def test_what_is_out_of_scope_comes_as_the_refusal_that_the_document_describes(
    generated: str, cast: Cast, live_server: Any
) -> None:
    program = Generated(generated, live_server.url, make_program(cast, "see_floor")["token"])
    answer = program.ask("programs.rooms_feed_retrieve", cast.room.pk)
    assert (answer.status_code, answer.parsed.error.code, answer.parsed.scope) == (
        403,
        "out_of_scope",
        "see_reports",
    )
    stranger = Generated(generated, live_server.url, "crp_nonsense").ask("rooms.rooms_list")
    assert (stranger.status_code, stranger.parsed.error.code) == (401, "bad_token")
