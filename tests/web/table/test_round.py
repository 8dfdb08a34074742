"""A round at the table page, from the offer to the next hand, by forms alone."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest

from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.rounds import bets_place
from cardroom.floor.commands.seats import down_start, player_leave, player_seat
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Offer, Round, StoredAnswer, Table, Transfer
from cardroom.rooms.models import Room
from tests.cast import PIN, Cast
from tests.filing import filed_game
from tests.web.conftest import Form, Person
from tests.web.play import play_by_commands


def test_a_round_from_the_first_offer_to_the_next_hand(cast: Cast, person: Callable[[str], Person]) -> None:
    cast.open()
    dealer = person("dealer")
    dealer.at_table()
    assert "Offer the bank to seat 1 · Ana" in dealer.text
    dealer.command("answer", answer="declined")
    dealer.command("answer", answer="absent")
    assert "Offer the bank to seat 3 · Cy" in dealer.text
    dealer.command("answer", answer="accepted")
    assert [offer.answer for offer in Offer.objects.all()] == ["declined", "absent", "accepted"]
    assert "round 1 of 2 in this turn" in dealer.text

    dealer.command("bank", bank_wager_cents="$1,200.50")
    assert "$1,200.50" in dealer.text
    dealer.command(
        "bets",
        **{"wagers-1-ante": "10", "wagers-1-pair_plus": "7.50", "wagers-2-ante": "95", "tips-2-ante": "1"},
    )
    assert "No more bets · drop $4" in dealer.text  # two players and the bank's $2: $105 is above $101
    dealer.command("no-more-bets")
    assert "Drop $4 into the box, then deal" in dealer.text
    dealer.command("deal")
    dealer.command(
        "settle", **{"hand-1": "ahqd2c", "hand-2": "9s 9c 3d", "bank_hand": "kh 7d 4c", "tip-2": ""}
    )

    round_ = Round.objects.get()
    assert dealer.page.redirect_chain[-1][0] == f"/tables/{cast.table.pk}/"
    assert round_.state == Round.State.SETTLED
    assert round_.bets[0]["wagers"] == {"ante": 1000, "pair_plus": 750}
    assert "pair of nines beats king high" in dealer.text
    assert "pay <b>$95</b>" in dealer.text  # what the dealer's hands do, line by line
    assert "take <b>$7.50</b>" in dealer.text
    assert "Tip box" in dealer.text
    assert "Round 1 is settled" in dealer.text
    assert "Open betting" in dealer.text  # the next step stands beside the settlement
    dealer.at_table()
    assert "next: round 2 of 2 in this turn" in dealer.text
    assert 'value="1200.50"' in dealer.text  # the last amount is offered again


def test_a_bank_alone_after_its_two_rounds_waits_for_somebody_to_be_asked(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running)
    play_by_commands(running)
    for seat in (1, 2, 4, 5, 6, 7):
        running.send(player_leave, "dealer", seat=seat)
    dealer.at_table()
    assert "Nobody to offer the bank to" in dealer.text
    assert "the bank is offered when one sits down" in dealer.text
    running.send(player_seat, "dealer", seat=1, player_id=running.players[1].pk)
    dealer.at_table()
    assert "Offer the bank to seat 1 · Ana" in dealer.text


def test_two_rounds_make_an_offer_due_and_the_page_says_why(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running)
    play_by_commands(running)
    dealer.at_table()
    assert "Offer the bank to seat 4 · Dee" in dealer.text
    assert "Cy has banked 2 rounds in a row" in dealer.text
    for seat in (4, 5, 6, 7, 1):
        running.send(offer_answer, "dealer", seat=seat, answer="declined")
    dealer.at_table()
    dealer.command("answer", answer="declined")
    assert "Seat 3 banks again" in dealer.text
    dealer.command("renew")
    assert "next: round 1 of 2" in dealer.text


def test_an_exhausted_bank_is_shown_with_who_gets_what_back(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, {4: "100", 5: "100", 7: "20"}, wager=25000)
    round_ = Round.objects.get()
    assert round_.exhausted
    dealer.open(f"/tables/{running.table.pk}/rounds/{round_.pk}/")
    assert "The bank is exhausted here." in dealer.text
    assert "seat 7 Gus <b>$40</b>" in dealer.text
    assert 'value="0"' in dealer.text  # the bar has run down
    record = person("inspector")
    record.open(f"/rounds/{round_.pk}/")
    assert "Ace of spades" in record.text
    assert "▲ bank exhausted" in record.text
    assert record.text.count("collection fee") == 4
    assert record.text.count('class="movement"') == Transfer.objects.count()


def test_wagers_typed_and_closed_in_one_press_are_placed_when_the_button_named_their_fees(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, until="bank")
    dealer.at_table()
    dealer.command("no-more-bets", **{"wagers-1-ante": "10", "quoted_cents": "200"})
    round_ = Round.objects.get()
    assert round_.state == Round.State.BETS_CLOSED
    assert round_.bets[0]["wagers"] == {"ante": 1000}


def test_nobody_drops_an_amount_that_the_button_did_not_show(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, {1: "10"}, until="bets")
    dealer.at_table()
    dealer.command("no-more-bets", **{"wagers-2-ante": "100"})  # the button still says $2
    round_ = Round.objects.get()
    assert round_.state == Round.State.BETTING
    assert "the drop has changed" in dealer.text
    assert "No more bets · drop $4" in dealer.text
    dealer.command("no-more-bets")
    round_.refresh_from_db()
    assert (round_.state, round_.player_fees_cents, round_.bank_fee_cents) == (
        Round.State.BETS_CLOSED,
        200,
        200,
    )


def test_the_preview_quotes_what_is_typed_and_places_nothing(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, until="bank")
    dealer.at_table()
    typed = {**Form(dealer.text, "/commands/bets/").fields, "wagers-1-ante": "60", "wagers-2-ante": "40.50"}
    preview = dealer.client.post(f"/tables/{running.table.pk}/preview/", typed).content.decode()
    assert "drop $3" in preview  # $100.50 is still in the band "$5 - $100"
    assert "$100.50" in preview
    assert Round.objects.get().bets == []
    wrong = dealer.client.post(
        f"/tables/{running.table.pk}/preview/", {**typed, "wagers-1-ante": "x"}
    ).content.decode()
    assert "is no amount in dollars" in wrong
    assert "disabled" in wrong
    above = dealer.client.post(
        f"/tables/{running.table.pk}/preview/", {**typed, "wagers-1-ante": "600"}
    ).content.decode()
    assert "outside the table limit" in above


def test_the_preview_of_closed_bets_shows_nothing(running: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    play_by_commands(running, until="bank")
    dealer.at_table()
    typed = {**Form(dealer.text, "/commands/bets/").fields, "wagers-1-ante": "60"}
    dealer.command("no-more-bets", **{"wagers-1-ante": "60", "quoted_cents": "200"})
    assert dealer.client.post(f"/tables/{running.table.pk}/preview/", typed).status_code == 409


def test_last_bets_repeat_by_a_button(running: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    play_by_commands(running)
    dealer.at_table()
    dealer.command("bank", bank_wager_cents="200", repeat_bets="")
    assert Round.objects.latest("id").bets == []
    assert "Nobody who sits here now had wagers" not in html.unescape(dealer.text)
    dealer.command("repeat-bets")
    bets = {bet["seat"]: bet["wagers"] for bet in Round.objects.latest("id").bets}
    assert bets == {1: {"ante": 1000}, 2: {"ante": 3000}, 5: {"ante": 2000}}


def test_a_form_posted_twice_does_one_thing(running: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    dealer.at_table()
    fields = {**Form(dealer.text, "/commands/bank/").fields, "bank_wager_cents": "200"}
    address = f"/tables/{running.table.pk}/commands/bank/"
    for _ in range(2):
        answer = dealer.client.post(address, fields)
        assert (answer.status_code, answer["Location"]) == (302, f"/tables/{running.table.pk}/")
    assert Round.objects.count() == 1


def test_no_more_bets_posted_twice_closes_once(running: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    play_by_commands(running, until="bank")
    dealer.at_table()
    fields = {**Form(dealer.text, "/commands/bets/").fields, "wagers-1-ante": "10", "quoted_cents": "200"}
    answers = [
        dealer.client.post(f"/tables/{running.table.pk}/commands/no-more-bets/", fields) for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert Transfer.objects.filter(kind="fee").count() == 2


def test_a_table_that_has_moved_on_says_so_and_keeps_what_was_typed(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, until="bank")
    dealer.at_table()
    running.send(bets_place, "floor", positions=[{"seat": 5, "wagers": {"ante": 2000}}])
    answer = dealer.command("bets", **{"wagers-1-ante": "12.50"})
    assert answer.status_code == 412
    assert "Someone else updated this table." in dealer.text
    assert 'value="12.50"' in dealer.text
    assert Round.objects.get().bets == [
        {"seat": 5, "player": running.players[5].ref, "wagers": {"ante": 2000}, "tips": {}}
    ]


def test_what_was_typed_is_told_when_its_form_is_gone(running: Cast, person: Callable[[str], Person]) -> None:
    dealer, other = person("dealer"), person("floor")
    play_by_commands(running, {1: "10"}, until="bets")
    dealer.at_table()
    other.at_table()
    other.command("no-more-bets")
    answer = dealer.command("bets", **{"wagers-1-ante": "99", "wagers-2-ante": "15"})
    assert answer.status_code == 412
    assert "You had typed:" in dealer.text
    assert "Seat 2: ante <b>15</b>" in dealer.text
    assert "Drop $2 into the box" in dealer.text


@pytest.mark.parametrize(
    ("typed", "message", "status"),
    [
        ({"wagers-1-ante": "abc"}, "is no amount in dollars", 422),
        ({"wagers-1-ante": "500"}, "outside the table limit", 422),
        ({"wagers-1-pair_plus": "5"}, "ante", 422),
        ({"wagers-1-ante": "10", "tips-1-pair_plus": "1"}, "tip", 422),
    ],
)
def test_a_refused_wager_is_named_at_its_field_and_all_typing_kept(
    typed: dict[str, str], message: str, status: int, running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, until="bank")
    dealer.at_table()
    answer = dealer.command("bets", **{**typed, "wagers-5-ante": "20"})
    assert answer.status_code == status
    assert message in dealer.text
    assert dealer.text.count('class="field-error" id=') == 1
    assert 'aria-invalid="true"' in dealer.text
    for name, value in {**typed, "wagers-5-ante": "20"}.items():
        assert Form(dealer.text, "/commands/bets/").fields[name] == value
    assert Round.objects.get().bets == []


@pytest.mark.parametrize(
    ("typed", "message", "field"),
    [
        ({"hand-2": "9s 9c zz"}, "zz", "hand-2"),
        ({"hand-2": "9s 9c"}, "three", "hand-2"),
        ({"hand-2": "Kh 9c 3d"}, "Kh", "hand-2"),
        ({"bank_hand": "kh 7d"}, "three", "bank_hand"),
        ({"hand-1": ""}, "required", "hand-1"),
    ],
)
def test_a_refused_hand_is_named_at_its_seat(
    typed: dict[str, str], message: str, field: str, running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, {1: "10", 2: "10"}, until="deal")
    dealer.at_table()
    hands = {"hand-1": "ah qd 2c", "hand-2": "9s 9c 3d", "bank_hand": "kh 7d 4c", **typed}
    answer = dealer.command("settle", **hands, **{"decision-2": "fold"})
    assert answer.status_code in (400, 422)
    assert message in dealer.text
    assert f'id="handsform-{field}_error"' in dealer.text
    kept = Form(dealer.text, "/commands/settle/").fields
    assert kept["decision-2"] == "fold"
    assert kept["hand-1"] == hands["hand-1"]
    assert Round.objects.get().state == Round.State.BETS_CLOSED


@pytest.mark.clause("california:dealing.8.2")
def test_the_banks_bottom_card_is_reminded_of_and_may_be_entered_before_the_decisions(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, {1: "10"}, until="bets")
    dealer.at_table()
    picker = 'data-order="1,3" data-bank="3"'
    assert picker not in dealer.text
    dealer.command("no-more-bets")
    dealer.command("deal")
    assert "california:dealing.8.2" in dealer.text
    assert picker in dealer.text
    assert 'data-cards="3"' in dealer.text  # the bank's seat has a place for what is shown of its hand
    assert "data-shown-due" in dealer.text
    assert "exposed card" in dealer.text
    dealer.command("card-up", card="9c")
    assert "data-shown-due" not in dealer.text
    assert 'aria-label="shows the 9 of clubs"' in dealer.text
    hands = {"hand-1": "ah qd 2c", "bank_hand": "kh 7d 4c"}
    assert dealer.command("settle", **hands).status_code == 422
    assert "The bank showed the 9c, which is not among its cards Kh 7d 4c." in dealer.text
    dealer.at_table()
    dealer.command("card-up", card="kh")
    assert 'value="Kh"' in dealer.text  # the bank's hand begins with it
    dealer.command("settle", **hands)
    round_ = Round.objects.get()
    assert round_.shown_card == "Kh"
    record = person("inspector").open(f"/rounds/{round_.pk}/").content.decode()
    assert "<dt>Shown card</dt>" in record


def test_a_room_that_does_not_record_the_shown_card_is_reminded_of_it_alone(
    running: Cast, person: Callable[[str], Person]
) -> None:
    Room.objects.update(records_shown_card=False)
    dealer = person("dealer")
    play_by_commands(running, {1: "10"}, until="deal")
    dealer.at_table()
    assert "bottom card before the players decide." in dealer.text
    assert "data-shown-due" not in dealer.text.split("<template")[0]
    assert "Record the shown card" not in dealer.text


def test_decisions_are_listed_from_the_banks_left_and_cards_from_the_action_seat(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, {1: "10", 5: "10", 7: "10"}, until="bets")
    dealer.at_table()
    dealer.command("no-more-bets", action_seat="7")
    dealer.command("deal")
    assert "s left: seats 5 · 7 · 1" in dealer.text
    assert 'data-order="7,1,5,3"' in dealer.text


def test_a_void_takes_a_reason_and_a_second_person_on_the_same_form(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, {1: "10"}, until="no-more-bets")
    dealer.at_table()
    silent = dealer.command("void", approver="floor", approver_pin=PIN)
    assert silent.status_code == 422
    assert "A void needs a reason" in dealer.text
    signed = {"named_reason": "other", "other_reason": "cards on the floor", "approver": "floor"}
    wrong = dealer.command("void", **signed, approver_pin="999999")
    assert wrong.status_code == 403
    assert "999999" not in dealer.text
    assert "cards on the floor" in dealer.text
    own = dealer.command("void", **{**signed, "approver": "dealer"}, approver_pin=PIN)
    assert own.status_code == 403
    assert "ask a second person" in dealer.text
    done = dealer.command("void", **signed, approver_pin=PIN)
    assert done.status_code == 200
    round_ = Round.objects.get()
    assert (round_.state, round_.void_reason) == (Round.State.VOID, "cards on the floor")
    assert round_.refunded_cents == 200
    assert not [text for text in StoredAnswer.objects.values_list("answer", flat=True) if PIN in str(text)]
    record = person("floor")
    record.open(f"/rounds/{round_.pk}/")
    assert "cards on the floor" in record.text


def test_players_sit_move_and_leave_from_the_felt(running: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    dealer.at_table()
    dealer.client.post(
        f"/tables/{running.table.pk}/commands/leave/",
        {**Form(dealer.text, "/commands/leave/").fields, "seat": "7"},
    )
    assert 7 not in running.state().seatings
    dealer.at_table()
    dealer.command("seat", seat="7", player="hal")
    assert running.state().seatings[7].player.name == "Hal"
    unknown = dealer.client.post(
        f"/tables/{running.table.pk}/commands/seat/",
        {
            "version": str(running.state().table.version),
            "idempotency_key": "k",
            "seat": "7",
            "player": "Nobody",
        },
    )
    assert unknown.status_code == 422
    assert "knows no player called" in unknown.content.decode()


def test_the_floor_sets_closes_and_opens_a_table(running: Cast, person: Callable[[str], Person]) -> None:
    floor = person("floor")
    net = filed_game(running.room, options={"coverage": "net"})
    floor.at_table()
    second = running.schedule(2)
    floor.command(
        "settings",
        game_id=str(net.pk),
        schedule_id=str(second.pk),
        **{"least-pair_plus": "1", "most-pair_plus": "25"},
    )
    table = Table.objects.get(pk=running.table.pk)
    assert (table.schedule, table.options["coverage"]) == (second, "net")
    assert table.wager_limits["pair_plus"] == [100, 2500]
    one = floor.command("settings", **{"most-pair_plus": ""})
    assert one.status_code == 422
    assert "Give both limits, or neither." in floor.text
    floor.command("close")
    assert Table.objects.get(pk=table.pk).state == Table.State.CLOSED
    floor.command("open")
    assert Table.objects.get(pk=table.pk).state == Table.State.OPEN
    floor.command("dealer", dealer_id=str(running.people["dealer_2"].pk))
    assert running.state().down.dealer == running.people["dealer_2"]  # type: ignore[union-attr]
    other, dealer = running.second_table, running.people["dealer"]
    running.send(down_start, "floor", other, dealer_id=dealer.pk)
    choice = f"{dealer.pk}:{other.pk}"
    floor.at_table()
    assert f'<option value="{choice}">Dealer, leaves table 8</option>' in floor.text
    assert floor.command("dealer", dealer_id=str(dealer.pk)).status_code == 409
    floor.command("dealer", dealer_id=choice)
    assert running.state().down.dealer == dealer and running.state(other).down is None  # type: ignore[union-attr]


@pytest.mark.parametrize("version", ["", "x", "-1", "1" * 40, "1.0"])
def test_a_form_without_a_proper_version_is_refused(
    version: str, running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    sent = {"version": version, "idempotency_key": "k", "bank_wager_cents": "100"}
    answer = dealer.client.post(f"/tables/{running.table.pk}/commands/bank/", sent)
    assert answer.status_code == 400
    assert "lost its version" in answer.content.decode()
    assert not Round.objects.exists()


@pytest.mark.clause("california:dealing.7.3")
def test_a_table_that_takes_no_tips_has_no_spot_for_them_and_refuses_one_all_the_same(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, until="bank")
    dealer.at_table()
    assert 'name="tips-1-ante"' in dealer.text and "tip · Ante" in dealer.text
    live = Round.objects.get()
    Round.objects.filter(pk=live.pk).update(options={**live.options, "tips": "none"})
    dealer.at_table()
    assert 'name="wagers-1-ante"' in dealer.text
    assert 'name="tips-' not in dealer.text and "tip · Ante" not in dealer.text
    assert '"lateTip": null' in html.unescape(dealer.text)  # what the tablet goes by offline
    bets = [{"seat": 1, "wagers": {"ante": 1000}, "tips": {"ante": 100}}]
    with pytest.raises(FloorError) as refused:
        running.send(bets_place, "dealer", positions=bets)
    assert (refused.value.code, refused.value.path) == ("tip_not_allowed", "positions[0].tips.ante")


def test_a_refused_wager_shows_the_total_of_what_is_typed_and_says_the_error_once(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running, {1: "10"}, until="bets")
    dealer.at_table()
    dealer.command(
        "no-more-bets", **{"wagers-1-ante": "30", "wagers-2-ante": "20", "wagers-4-pair_plus": "5"}
    )
    assert "<dt>Total table action</dt><dd>$50</dd>" in dealer.text
    assert "drop $3" in dealer.text.split('id="close-bets"')[1].split("</button>")[0]
    dealer.command("no-more-bets", **{"wagers-1-ante": "500"})
    visible = re.sub(r'data-text="[^"]*"', "", dealer.text)
    assert visible.count("outside the table limit") == 1
    assert "Seat 1: Ante: see what is marked there." in dealer.text


def test_who_may_not_run_rounds_gets_no_field_for_the_bank_and_no_command_that_others_do_not_see(
    running: Cast, person: Callable[[str], Person]
) -> None:
    inspector, dealer = person("inspector"), person("dealer")
    inspector.at_table()
    dealer.at_table()
    field = re.search(r'<input[^>]*name="bank_wager_cents"[^>]*id="openroundform[^>]*>', inspector.text)
    assert field is not None
    assert "disabled" in field[0]
    commands = {
        who: set(re.findall(r'id="command-([\w-]+)"', page.text))
        for who, page in (("inspector", inspector), ("dealer", dealer))
    }
    assert commands["inspector"] == commands["dealer"]
    assert "waive" not in commands["inspector"], "the schedule publishes no waiver"
