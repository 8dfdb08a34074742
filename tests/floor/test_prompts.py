"""The reminders of a round in its order, and what they cost."""

from __future__ import annotations

from typing import Any

from cardroom.core.acts import ACTS
from cardroom.floor.acts.decks import deck_inspect
from cardroom.floor.acts.incidents import irregularity_report
from cardroom.floor.acts.rounds import bets_close, round_deal
from cardroom.floor.checks import why_nots
from cardroom.floor.models import Table
from cardroom.floor.reads.prompts import prompts_of
from cardroom.floor.reads.views import table_view

from .conduct import looked_over, placed, view_of
from .house import House


def kinds(house: House) -> list[str]:
    return [prompt.kind for prompt in prompts_of(view_of(house))]


def test_a_round_is_reminded_of_step_by_step_and_nothing_of_it_blocks(open_house: House) -> None:
    for deck in placed(open_house, "red", "blue"):
        looked_over(open_house, deck)
    open_house.play({4: 1000})
    seen = [kinds(open_house)]
    open_house.bet({4: 1000})
    seen.append(kinds(open_house))
    assert not any(prompt.blocks for prompt in prompts_of(view_of(open_house)))
    open_house.send(bets_close)
    seen.append(kinds(open_house))
    open_house.send(round_deal)
    seen.append(kinds(open_house))
    assert seen == [[], ["no_more_bets", "deck"], ["fee_drop", "deck"], ["bank_card"]]
    open_house.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert kinds(open_house) == ["void"], "nothing else matters before that"


def test_every_reminder_names_its_source_and_an_act_that_there_is(open_house: House) -> None:
    placed(open_house, "red")
    open_house.bet({4: 1000})
    acts = set(why_nots(view_of(open_house)))
    for prompt in prompts_of(view_of(open_house)):
        assert prompt.clause.startswith(("california:", "ruling "))
        assert prompt.says.endswith(".")
        assert prompt.act in acts


def test_reminders_and_checks_take_four_queries_more_than_the_table(
    open_house: House, django_assert_num_queries: Any
) -> None:
    for deck in placed(open_house, "red", "blue"):
        open_house.send(deck_inspect, deck_id=deck.pk, by="dealer")
    for _ in range(2):
        open_house.play({4: 1000, 5: 1000})
    open_house.bank_to(4)
    open_house.deal({5: 1000})
    table = Table.objects.select_related("schedule", "room").get(pk=open_house.table.pk)
    view = table_view(table)
    with django_assert_num_queries(4):  # decks, rounds since the last count, what was done, the drop box
        prompts_of(view)
        assert [act.check(view) for act in ACTS.values() if act.tag == "Procedures" and act.check]
