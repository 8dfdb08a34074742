"""The reminders of a round in its order, and what they cost."""

from __future__ import annotations

from typing import Any

from cardroom.core.commands import COMMANDS
from cardroom.floor.checks import why_nots
from cardroom.floor.commands.decks import deck_inspect
from cardroom.floor.commands.incidents import irregularity_report
from cardroom.floor.commands.rounds import bets_close, round_deal
from cardroom.floor.models import Table
from cardroom.floor.reads.prompts import prompts_of
from cardroom.floor.reads.table_state import read_table
from tests.cast import Cast

from .procedures import looked_over, placed, reading_of


def kinds(cast: Cast) -> list[str]:
    return [prompt.kind for prompt in prompts_of(reading_of(cast))]


def test_a_round_is_reminded_of_step_by_step_and_nothing_of_it_blocks(running: Cast) -> None:
    for deck in placed(running, "red", "blue"):
        looked_over(running, deck)
    running.play({4: 1000})
    seen = [kinds(running)]
    running.bet({4: 1000})
    seen.append(kinds(running))
    assert not any(prompt.blocks for prompt in prompts_of(reading_of(running)))
    running.send(bets_close)
    seen.append(kinds(running))
    running.send(round_deal)
    seen.append(kinds(running))
    assert seen == [[], ["deck"], ["fee_drop", "deck"], ["bank_card"]]
    running.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert kinds(running) == ["void"], "nothing else matters before that"


def test_every_reminder_names_its_source_and_a_command_that_there_is(running: Cast) -> None:
    placed(running, "red")
    running.bet({4: 1000})
    commands = set(why_nots(reading_of(running)))
    for prompt in prompts_of(reading_of(running)):
        assert prompt.clause.startswith(("california:", "ruling "))
        assert prompt.text.endswith(".")
        assert prompt.command in commands


def test_reminders_and_checks_take_four_queries_more_than_the_table(
    running: Cast, django_assert_num_queries: Any
) -> None:
    for deck in placed(running, "red", "blue"):
        running.send(deck_inspect, deck_id=deck.pk, by="dealer")
    for _ in range(2):
        running.play({4: 1000, 5: 1000})
    running.bank_to(4)
    running.deal({5: 1000})
    table = Table.objects.select_related("schedule", "room").get(pk=running.table.pk)
    state = read_table(table)
    with django_assert_num_queries(4):  # decks, rounds since the last count, what was done, the drop box
        prompts_of(state)
        assert [
            command.check(state)
            for command in COMMANDS.values()
            if command.tag == "Procedures" and command.check
        ]
