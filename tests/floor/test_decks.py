"""Decks at a table: placed, looked over, dealt in turn, retired."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from cardroom.floor.commands.decks import dealing_set, deck_choose, deck_inspect, deck_place, deck_retire
from cardroom.floor.commands.rounds import bets_close, round_deal, round_record, round_settle
from cardroom.floor.commands.seats import player_leave, player_seat
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.commands.undo import undo
from cardroom.floor.models import Deck, JournalEntry, Procedure, Table
from tests.cast import BANK_HAND, HANDS, Cast
from tests.filing import table_settings

from .procedures import closed, looked_over, placed, prompted, reading_of, refused

clause = pytest.mark.clause


def dealt_from() -> list[str | None]:
    dealt = Procedure.objects.filter(kind="dealt").order_by("id")
    return list(dealt.values_list("deck__name", flat=True))


@clause("california:deck.3", "california:deck.3.a")
def test_a_table_is_reminded_of_its_two_decks_and_takes_no_third_and_none_of_one_colour(
    running: Cast,
) -> None:
    assert prompted(running)["decks"].text == "The table has 0 decks and needs 2: register another one."
    placed(running, "Red")
    assert prompted(running)["decks"].clause == "california:deck.3"
    assert refused(running, deck_place, "floor", colour="RED") == "deck_not_allowed"
    placed(running, "blue")
    assert "decks" not in prompted(running)
    assert refused(running, deck_place, "floor", colour="green") == "deck_not_allowed"
    assert refused(running, deck_place, "dealer", colour="green") == "forbidden"


@clause("california:deck.3.c")
def test_the_decks_take_turns_and_one_out_of_turn_needs_a_reason(running: Cast) -> None:
    red, blue = placed(running, "red", "blue")
    running.play({4: 1000})
    running.bet({4: 1000})
    assert prompted(running)["deck"].text == "Deck red was dealt last: deck blue is due."
    assert refused(running, deck_choose, deck_id=red.pk) == "deck_out_of_turn"
    again = {"deck_id": red.pk, "reason": "a card of the blue one is bent"}
    assert refused(running, deck_choose, **again) == "supervisor_required"
    running.send(deck_choose, **again, approver=running.people["floor"])
    assert "out of turn" in prompted(running)["deck"].text
    running.send(bets_close)
    running.send(round_deal)
    assert dealt_from() == ["red", "red"]
    assert refused(running, deck_choose, deck_id=blue.pk) == "cards_dealt"
    running.settle({4: 1000})
    assert reading_of(running).procedures.deck_due.deck == "blue"  # type: ignore[union-attr]


@clause("california:deck.3.c")
def test_one_deck_that_is_left_alone_is_dealt_again_by_a_supervisor_alone(running: Cast) -> None:
    """Ruling 45: two decks, no fewer."""
    [red] = placed(running, "red")
    running.play({4: 1000})
    assert refused(running, round_record, sheet={}) == "deck_repeats"
    closed(running)
    assert prompted(running)["deck"].blocks
    assert refused(running, round_deal) == "deck_repeats"
    assert refused(running, deck_choose, deck_id=red.pk) == "deck_out_of_turn"
    assert refused(running, deck_choose, deck_id=red.pk, reason="blue is torn") == "supervisor_required"
    running.send(deck_choose, deck_id=red.pk, reason="blue is torn", approver=running.people["floor"])
    running.send(round_deal)
    assert dealt_from() == ["red", "red"]
    chosen = Procedure.objects.get(kind="deck_chosen")
    assert (chosen.reason, chosen.ordered_by, chosen.clause) == (
        "blue is torn",
        running.people["floor"],
        "california:deck.3.c",
    )


@clause("massachusetts:2(a)")
def test_where_the_rules_take_one_deck_it_is_dealt_round_after_round(massachusetts: Cast) -> None:
    placed(massachusetts, "red")
    for _ in range(2):
        massachusetts.play({3: 1000, 4: 1000})
    assert dealt_from() == ["red", "red"]


def test_a_table_without_the_shuffler_that_its_rules_ask_for_takes_a_reason_and_a_second_person(
    running: Cast,
) -> None:
    none: dict[str, Any] = {"shuffler": "none"}
    assert refused(running, dealing_set, "floor", **none) == "reason_required"
    none["reason"] = "it jams"
    assert refused(running, dealing_set, "floor", **none) == "second_person_required"
    assert (
        refused(running, dealing_set, "floor", **none, approver=running.people["floor"])
        == "second_person_required"
    )
    assert (
        refused(running, dealing_set, "floor", **none, approver=running.people["dealer"])
        == "approver_may_not"
    )
    running.send(dealing_set, "floor", **none, approver=running.people["shift_manager"])
    [made] = Procedure.objects.filter(kind="no_shuffler")
    assert (made.reason, made.ordered_by, made.clause) == (
        "it jams",
        running.people["shift_manager"],
        "california:deck.1",
    )
    running.send(dealing_set, "floor", shuffler="shuffles")
    running.send(dealing_set, "floor", shuffler="counts")
    assert Procedure.objects.filter(kind="shuffler_back").count() == 1


def test_a_game_with_a_shuffler_comes_to_no_table_that_has_none(cast: Cast) -> None:
    california = table_settings(cast.room, rulebook="california")
    by_eye = Table.objects.filter(pk=cast.table.pk)
    by_eye.update(rulebook="baccarat", game=None, schedule=None, shuffler="none")
    cast.table.refresh_from_db()
    assert refused(cast, table_set, "floor", **california) == "shuffler_missing"
    cast.send(dealing_set, "floor", shuffler="shuffles")
    cast.send(table_set, "floor", **california)


def test_nothing_of_this_keeps_a_table_without_decks_from_playing(running: Cast) -> None:
    running.play({4: 1000})
    assert dealt_from() == [None]


def test_the_deal_confirms_that_the_fees_were_dropped(running: Cast) -> None:
    running.deal({4: 1000})
    [dropped] = Procedure.objects.filter(kind="fees_dropped")
    assert (dropped.round.dealt_at, dropped.recorded_by) == (dropped.made_at, running.people["dealer"])  # type: ignore[union-attr]
    entry = JournalEntry.objects.get(command="round_deal")
    assert entry.data["fees_dropped"] is True


def test_dealer_floor_and_first_player_look_each_deck_over_as_the_table_opens(running: Cast) -> None:
    red, blue = placed(running, "red", "blue")
    found = []
    for actor, by in (
        (running.people["dealer"], "dealer"),
        (running.people["floor"], "floor"),
        (running.people["dealer"], "first_player"),
    ):
        prompt = prompted(running)["inspection"]
        assert not prompt.blocks
        assert prompt.given == {"deck_id": red.pk, "by": by}
        found.append(prompt.text)
        running.send(deck_inspect, actor, **dict(prompt.given))
    assert found[0] == "Red deck: the dealer has not looked this deck over yet."
    assert prompted(running)["inspection"].given["deck_id"] == blue.pk
    looked_over(running, blue)
    assert "inspection" not in prompted(running)
    running.send(table_close, "floor")
    assert prompted(running) == {}
    running.send(table_open, "floor")
    assert "inspection" in prompted(running), "looks are good for one opening"


def test_the_floors_own_look_is_the_floors_or_signed_by_them(running: Cast) -> None:
    [red] = placed(running, "red")
    assert refused(running, deck_inspect, deck_id=red.pk, by="floor") == "supervisor_required"
    signed_by_dealer = {"deck_id": red.pk, "by": "floor", "approver": running.people["dealer"]}
    assert refused(running, deck_inspect, **signed_by_dealer) == "supervisor_required"
    running.send(deck_inspect, deck_id=red.pk, by="floor", approver=running.people["floor"])
    [look] = Procedure.objects.filter(kind="inspected")
    assert (look.recorded_by, look.ordered_by) == (running.people["dealer"], running.people["floor"])
    assert refused(running, deck_inspect, deck_id=red.pk, by="cook") == "bad_inspector"
    assert refused(running, deck_inspect, deck_id=red.pk, by="pre_shuffled") == "bad_inspector"
    assert refused(running, deck_inspect, deck_id=999, by="dealer") == "unknown_deck"


@clause("massachusetts:4(a)", "massachusetts:4(d)")
def test_a_deck_that_came_shuffled_needs_no_looks_where_the_rules_say_so(massachusetts: Cast) -> None:
    red, _ = placed(massachusetts, "red", "blue")
    massachusetts.send(deck_inspect, deck_id=red.pk, by="pre_shuffled")
    procedures = reading_of(massachusetts).procedures
    assert [procedures.inspection_objection(deck) is None for deck in procedures.decks] == [True, False]


@clause("massachusetts:4(a)", "massachusetts:4(b)", "massachusetts:4(d)")
def test_each_deck_of_a_house_banked_table_is_looked_over_by_dealer_floor_and_first_player(
    massachusetts: Cast,
) -> None:
    decks = placed(massachusetts, "red", "blue")
    asked = []
    while (prompt := prompted(massachusetts).get("inspection")) is not None:
        assert prompt.clause == "massachusetts:4(b)"
        asked.append((prompt.given["deck_id"], prompt.given["by"]))
        massachusetts.send(deck_inspect, "floor", **dict(prompt.given))
    assert asked == [(deck.pk, by) for deck in decks for by in ("dealer", "floor", "first_player")]


@clause("massachusetts:5(e).2")
def test_the_first_player_at_an_idle_table_looks_the_cards_over_again(massachusetts: Cast) -> None:
    massachusetts.send(dealing_set, "floor", shuffler="none", dealing="manual_shoe", removed=["shuffler"])
    [red] = placed(massachusetts, "red")
    looked_over(massachusetts, red)
    assert "inspection" not in prompted(massachusetts)
    for seat in range(1, 8):
        massachusetts.send(player_leave, seat=seat)
    massachusetts.send(player_seat, seat=5, player_id=massachusetts.players[5].pk)
    prompt = prompted(massachusetts)["inspection"]
    assert (prompt.clause, prompt.given["by"]) == ("massachusetts:5(e).2", "first_player")
    massachusetts.send(deck_inspect, deck_id=red.pk, by="first_player")
    assert "inspection" not in prompted(massachusetts)


@clause("massachusetts:2(b)", "massachusetts:8(a)", "massachusetts:8(b)(1)", "massachusetts:14(g)")
def test_a_shuffling_machine_leaves_the_table_before_it_is_dealt_without_and_with_it_the_second_deck(
    massachusetts: Cast,
) -> None:
    massachusetts.send(dealing_set, "floor", shuffler="shuffles", dealing="hand")
    decks = placed(massachusetts, "red", "blue")
    by_hand = {"shuffler": "none", "dealing": "manual_shoe"}
    assert (
        refused(massachusetts, dealing_set, "floor", **by_hand, removed=["shuffler"]) == "dealing_not_allowed"
    ), "a second deck takes a machine"
    massachusetts.send(deck_retire, "floor", deck_id=decks[1].pk, reason="no machine")
    assert refused(massachusetts, dealing_set, "floor", **by_hand) == "dealing_not_allowed", (
        "it is still there"
    )
    massachusetts.send(dealing_set, "floor", **by_hand, removed=["shuffler"])
    table = Table.objects.get(pk=massachusetts.table.pk)
    assert (table.shuffler, table.dealing) == ("none", "manual_shoe")
    entry = JournalEntry.objects.filter(command="dealing_set").latest("seq")
    assert entry.data["before"] == {"shuffler": "shuffles", "dealing": "hand"}
    assert refused(massachusetts, dealing_set, "floor", shuffler="none", dealing="hand") == (
        "dealing_not_allowed"
    ), "from the hand takes a machine"
    assert refused(massachusetts, deck_place, "floor", colour="blue") == "deck_not_allowed"


@clause("massachusetts:9(a)", "massachusetts:14(g)")
def test_an_automated_shoe_is_a_way_of_dealing_and_leaves_before_another_is_used(massachusetts: Cast) -> None:
    assert (
        refused(massachusetts, dealing_set, "floor", shuffler="shuffles", dealing="thrown") == "bad_dealing"
    )
    massachusetts.send(dealing_set, "floor", shuffler="shuffles", dealing="automated_shoe")
    by_hand = {"shuffler": "shuffles", "dealing": "hand"}
    assert refused(massachusetts, dealing_set, "floor", **by_hand) == "dealing_not_allowed"
    massachusetts.play({4: 1000})
    massachusetts.send(dealing_set, "floor", **by_hand, removed=["automated_shoe"])
    assert Table.objects.get(pk=massachusetts.table.pk).dealing == "hand"


@clause("massachusetts:2(a)", "massachusetts:2(b)", "massachusetts:2(b)(2)", "massachusetts:2(b)(4)")
def test_two_decks_of_a_house_banked_table_differ_in_colour_and_take_turns(massachusetts: Cast) -> None:
    assert prompted(massachusetts)["decks"].clause == "massachusetts:2(a)", "it has none"
    red, _ = placed(massachusetts, "red", "blue")
    assert refused(massachusetts, deck_place, "floor", colour="green") == "deck_not_allowed", (
        "two are the most"
    )
    for _ in range(2):
        massachusetts.play({3: 1000, 4: 1000})
    massachusetts.bet({4: 1000})
    massachusetts.send(bets_close)
    massachusetts.send(round_deal)
    massachusetts.settle({4: 1000})
    assert dealt_from() == ["red", "blue", "red"]
    massachusetts.bet({4: 1000})
    assert refused(massachusetts, deck_choose, deck_id=red.pk) == "deck_out_of_turn"
    again = {"deck_id": red.pk, "reason": "a card of the blue one is bent"}
    massachusetts.send(deck_choose, **again, approver=massachusetts.people["floor"])


@clause("massachusetts:2(a)")
def test_one_deck_serves_alone_and_holds_each_card_once(massachusetts: Cast) -> None:
    placed(massachusetts, "red")
    assert "decks" not in prompted(massachusetts)
    massachusetts.deal({4: 1000, 5: 1000})
    twice = [{"seat": seat, "hand": HANDS[4], "decision": "play"} for seat in (4, 5)]
    assert refused(massachusetts, round_settle, bank_hand=BANK_HAND, positions=twice) == "duplicate_card"
    massachusetts.settle({4: 1000, 5: 1000})


@clause("massachusetts:2(b)(2)")
def test_a_second_deck_of_the_same_colour_is_refused_at_a_house_banked_table(massachusetts: Cast) -> None:
    placed(massachusetts, "red")
    assert refused(massachusetts, deck_place, "floor", colour="Red") == "deck_not_allowed"


def test_a_retired_deck_serves_no_more_and_never_changes(running: Cast) -> None:
    red, _ = placed(running, "red", "blue")
    assert refused(running, deck_retire, "floor", deck_id=red.pk, reason=" ") == "reason_required"
    running.send(deck_retire, "floor", deck_id=red.pk, reason="worn")
    red.refresh_from_db()
    assert (red.retired_by, red.retired_why) == (running.people["floor"], "worn")
    assert prompted(running)["decks"].text == "The table has 1 deck and needs 2: register another one."
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        Deck.objects.filter(pk=red.pk).update(retired_why="fire")
    with pytest.raises(DatabaseError, match="floor_deck"), transaction.atomic():
        Deck.objects.all().delete()


def test_a_round_in_play_keeps_its_decks_and_its_way_of_dealing(running: Cast) -> None:
    [red] = placed(running, "red")
    closed(running)
    for command, arguments in (
        (deck_place, {"colour": "blue"}),
        (deck_retire, {"deck_id": red.pk, "reason": "worn"}),
        (dealing_set, {"shuffler": "counts"}),
    ):
        assert refused(running, command, "floor", **arguments) == "round_live"


def test_a_deal_that_was_undone_keeps_the_deck_it_was_recorded_with(running: Cast) -> None:
    _, blue = placed(running, "red", "blue")
    running.deal({4: 1000})
    running.send(undo, reason="pressed too early", approver=running.people["floor"])
    assert refused(running, deck_choose, deck_id=blue.pk, reason="why not") == "cards_dealt"
    running.send(round_deal)
    assert dealt_from() == ["red"]
