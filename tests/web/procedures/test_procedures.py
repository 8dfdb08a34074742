"""Procedures on the table page, by plain posts: reminders, the irregularity menu, signatures."""

from __future__ import annotations

from collections.abc import Callable

from cardroom.floor.commands.decks import deck_place
from cardroom.floor.commands.exclusions import exclusion_enter
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_settle
from cardroom.floor.commands.wins import win_key
from cardroom.floor.models import Deck, Procedure, ProgressiveWin, Round
from tests.cast import PIN, Cast, house_cast
from tests.web.conftest import Person
from tests.web.play import play_by_commands


def page_of(browser: Person) -> str:
    return browser.at_table().content.decode()


def open_page(browser: Person, until: str = "no-more-bets") -> None:
    """Open the page of a table with a round that has come so far."""
    play_by_commands(browser.cast, {4: "10"}, until=until)
    browser.at_table()


def test_a_deck_is_placed_by_the_floor_and_looked_over_by_one_touch(
    running: Cast, person: Callable[[str], Person]
) -> None:
    floor, dealer = person("floor"), person("dealer")
    floor.at_table()
    floor.command("deck-place", colour="Red")
    page = page_of(dealer)
    assert "Red deck: the dealer has not looked this deck over yet." in page
    dealer.command("inspect")
    look = Procedure.objects.get(kind="inspected")
    assert (look.deck, look.subject) == (Deck.objects.get(), "dealer")
    page = page_of(dealer)
    assert "the floor has not looked this deck over yet" in page
    assert "the floor has looked" not in page, "the floor's own look is no touch of the dealer's"
    assert "the floor has looked" in page_of(floor)


def test_the_menu_says_what_follows_before_it_is_touched_and_the_page_after(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    open_page(dealer)
    page = dealer.text
    assert "play on, the card is set aside" in page
    assert "round void, reshuffle" in page
    dealer.command("deal")
    dealer.command("irregularity", irregularity="wrong_number_of_cards", note="four at seat 5")
    page = page_of(dealer)
    # It is shown once: by the next step, with its clause behind "why".
    assert 'data-prompt="void"' not in page
    assert page.count("Void the round, then reshuffle") == 1
    assert (
        page.split('<details class="menu up more procedures"')[0].count("Wrong number of cards") == 2
    )  # and its reason
    assert '<option value="Wrong number of cards dealt" selected>' in page, (
        "the rules' reason is chosen already"
    )
    # The one next step is the void; settling has no button any more.
    assert 'data-phase="void"' in page
    assert "/commands/settle/" not in page.split("<template")[0]
    assert page.count("/commands/void/") == 1


def test_what_the_rules_void_is_voided_with_a_second_persons_signature(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    open_page(dealer, until="deal")
    dealer.command("irregularity", irregularity="shuffler_failed")
    dealer.at_table()
    dealer.command("void", approver="shift_manager", approver_pin=PIN)
    round_ = Round.objects.get()
    assert (round_.state, round_.void_reason) == ("void", "Shuffler failed")


def test_a_recut_at_the_dealers_tablet_is_signed_by_the_floor(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    open_page(dealer)
    dealer.command("recut", reason="a card showed", approver="floor", approver_pin=PIN)
    made = Procedure.objects.get(kind="recut")
    assert (made.recorded_by, made.ordered_by) == (running.people["dealer"], running.people["floor"])
    page = page_of(dealer)
    assert "The deck is cut again, by order of Floor." in page


def test_the_floor_signs_nothing_that_it_orders_itself(
    running: Cast, person: Callable[[str], Person]
) -> None:
    floor = person("floor")
    open_page(floor)
    floor.command("recut", reason="a card showed")
    assert Procedure.objects.get(kind="recut").ordered_by == running.people["floor"]


def test_a_wrong_stub_count_greys_the_settlement_and_says_why(
    running: Cast, person: Callable[[str], Person]
) -> None:
    running.send(deck_place, "floor", colour="red")
    dealer = person("dealer")
    open_page(dealer, until="deal")
    dealer.command("stub", stub="45")
    page = page_of(dealer)
    assert "1 card missing: the round is void, the deck is retired" in page
    assert 'data-phase="void"' in page
    assert Deck.objects.get().retired_at is not None


def test_the_banks_card_is_typed_as_cards_are(running: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    open_page(dealer, until="deal")
    dealer.command("card-up", card="10♥")
    assert Procedure.objects.get(kind="bank_card").subject == "Th"


def test_everything_that_was_done_stands_on_a_page_of_its_own(
    running: Cast, person: Callable[[str], Person]
) -> None:
    running.send(deck_place, "floor", colour="red")
    dealer, inspector = person("dealer"), person("inspector")
    open_page(dealer, until="deal")
    dealer.command("card-up", card="kh")
    dealer.command("irregularity", irregularity="card_face_up", note="at seat 4")
    dealer.command("stub", stub="46")
    page = inspector.open(f"/tables/{running.table.pk}/procedures/").content.decode()
    for words in (
        "Dealer card exposed: King of hearts",
        "Boxed card: one card face up in the deck or shoe, red deck: play on, the card is set aside",
        "Stub counted, red deck: 46 cards left, the deck is whole: play goes on",
        "Fees dropped",
        "“at seat 4”",
    ):
        assert words in page
    counts = inspector.open(f"/tables/{running.table.pk}/procedures/?kind=stub_count").content.decode()
    assert "Stub counted, red deck" in counts
    assert "at seat 4" not in counts


def _won(cast: Cast, keyed_by: str) -> str:
    """A win at seat 4 that waits for a supervisor; return its id, as a form posts it."""
    cast.send(round_open)
    cast.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 1000, "progressive": 100}}])
    cast.send(bets_close)
    cast.send(round_deal)
    hand = {"seat": 4, "hand": "9h 9d 9c", "decision": "play"}
    cast.send(round_settle, bank_hand="2c 4d 7h", positions=[hand])
    return str(cast.send(win_key, keyed_by, seat=4)["win"])


def test_whoever_keyed_a_win_in_has_another_supervisor_sign_it_there(db: None) -> None:
    cast = house_cast("massachusetts")
    win = _won(cast, "floor")
    floor = Person(cast, "floor")
    floor.at_table()
    floor.command("win-confirm", win_id=win, approver="floor_2", approver_pin=PIN)
    assert ProgressiveWin.objects.get().answered_by == cast.people["floor_2"]


def test_a_win_of_somebody_who_may_not_play_is_signed_by_a_shift_manager_there(db: None) -> None:
    cast = house_cast("massachusetts")
    win = _won(cast, "dealer")
    floor = Person(cast, "floor")
    floor.at_table()
    address = "/commands/win-confirm/"
    assert 'name="approver"' not in floor.text.partition(address)[2].partition("</form>")[0]
    four = cast.players[4].pk
    cast.send_room(
        exclusion_enter, "shift_manager", player_id=four, kind="self_excluded", reason="form of today"
    )
    floor.at_table()
    form = floor.text.partition(address)[2].partition("</form>")[0]
    asked = f'data-right="CONFIRM_WINS" data-also="SEE_EXCLUSIONS" data-wrote="{cast.people["dealer"].pk}"'
    assert asked in form and "(Shift manager)" in form
    faces = f"/tables/{cast.table.pk}/signers/?right=CONFIRM_WINS"
    offered, fewer = (
        floor.client.get(f"{faces}{also}").content.decode() for also in ("", "&also=SEE_EXCLUSIONS")
    )
    two = [f'data-name="{name}"' for name in ("floor_2", "shift_manager")]
    assert [name in offered for name in two] == [True, True]
    assert [name in fewer for name in two] == [False, True]
    floor.command("win-confirm", win_id=win, approver="floor_2", approver_pin=PIN)
    assert ProgressiveWin.objects.get().state == "pending"
    assert "ask a shift manager" in floor.text
    floor.at_table()
    floor.command("win-confirm", win_id=win, approver="shift_manager", approver_pin=PIN)
    assert ProgressiveWin.objects.get().answered_by == cast.people["shift_manager"]
