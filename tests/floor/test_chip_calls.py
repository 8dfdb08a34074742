"""A chip runner is called to a table, and answers: the worked example of docs/recipes/add-a-command.md."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from cardroom.core.commands import COMMANDS
from cardroom.floor.commands.chip_calls import runner_answer, runner_call
from cardroom.floor.errors import BadInput, NotNow
from cardroom.floor.models import ChipCall, JournalEntry, Table
from cardroom.floor.reads.waiting import waiting_at

from .site import Site


def test_a_call_waits_until_it_is_answered_and_moves_no_tablet(open_site: Site) -> None:
    table = open_site.table
    version = Table.objects.get(pk=table.pk).version
    call = open_site.send(runner_call, cents=50000, note=" reds ")["call"]
    [waiting] = waiting_at([table.pk])[table.pk]
    assert (waiting.text, waiting.given) == ("$500 reds", {"call_id": call})
    assert COMMANDS[waiting.command].page == "answer-call"
    open_site.send(runner_answer, call_id=call)
    assert not waiting_at([table.pk])[table.pk]
    assert Table.objects.get(pk=table.pk).version == version
    commands = list(JournalEntry.objects.order_by("-seq").values_list("command", flat=True)[:2])
    assert commands == ["runner_answer", "runner_call"]


def test_a_call_is_for_something_and_is_answered_once(open_site: Site) -> None:
    with pytest.raises(BadInput):
        open_site.send(runner_call, cents=0)
    call = open_site.send(runner_call, cents=100)["call"]
    open_site.send(runner_answer, call_id=call)
    with pytest.raises(NotNow):
        open_site.send(runner_answer, call_id=call)
    for change in ({"note": "other"}, {"answered_at": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ChipCall.objects.filter(pk=call).update(**change)
