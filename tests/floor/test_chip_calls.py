"""A chip runner is called to a table, and answers: the worked example of docs/recipes/add-a-command.md."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from cardroom.core.commands import COMMANDS
from cardroom.floor.commands.chip_calls import runner_answer, runner_call
from cardroom.floor.errors import BadInput, NotNow
from cardroom.floor.models import ChipCall, JournalEntry, Table
from cardroom.floor.reads import waiting
from cardroom.floor.reads.waiting import waiting_at
from tests.cast import Cast


def test_a_call_waits_until_it_is_answered_and_moves_no_tablet(running: Cast) -> None:
    table = running.table
    version = Table.objects.get(pk=table.pk).version
    call = running.send(runner_call, cents=50000, note=" reds ")["call"]
    [call_] = waiting_at([table.pk])[table.pk]
    assert (call_.text, call_.given) == ("$500 reds", {"call_id": call})
    assert COMMANDS[call_.kind.command].page == "answer-call"
    running.send(runner_answer, call_id=call)
    assert not waiting_at([table.pk])[table.pk]
    assert Table.objects.get(pk=table.pk).version == version
    commands = list(JournalEntry.objects.order_by("-seq").values_list("command", flat=True)[:2])
    assert commands == ["runner_answer", "runner_call"]


@pytest.mark.parametrize("kinds", [1, 2, 5])
def test_what_waits_takes_one_query_however_many_kinds_there_are(
    kinds: int, running: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind is an entry of `KINDS`; the board asks once for all of them."""
    monkeypatch.setattr(waiting, "KINDS", waiting.KINDS * kinds)
    running.send(runner_call, cents=100, note="whites")
    running.send(runner_call, cents=50000)
    with CaptureQueriesContext(connection) as asked:
        found = waiting_at([running.table.pk])[running.table.pk]
    assert [each.text for each in found] == ["$1 whites"] * kinds + ["$500"] * kinds
    assert len(asked) == 1


def test_a_call_is_for_something_and_is_answered_once(running: Cast) -> None:
    with pytest.raises(BadInput):
        running.send(runner_call, cents=0)
    call = running.send(runner_call, cents=100)["call"]
    running.send(runner_answer, call_id=call)
    with pytest.raises(NotNow):
        running.send(runner_answer, call_id=call)
    for change in ({"note": "other"}, {"answered_at": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ChipCall.objects.filter(pk=call).update(**change)
