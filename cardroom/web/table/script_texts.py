"""Texts of the table page's scripts, for the translators: `makemessages` reads Python, and the page brings them along.

The scripts look them up by their English template (`texts.js`). A test compares this list with them.
"""

from __future__ import annotations

import functools
import json

from django.utils import translation

from games.phrases import Phrase

from ..parts.languages import translated

TEXTS = (
    Phrase("no. {number} of the day"),
    Phrase("One moment…"),
    Phrase("Whether the meter was won is known once back online: no other round begins before."),
    Phrase("the bank, seat {seat}"),
    Phrase("seat {seat} · {name}"),
    Phrase("{rank} of {suit}"),
    Phrase("not exposed"),
    Phrase("The {card} is in the hand of {hand}."),
    Phrase("Touch the player-dealer’s exposed card"),  # noqa: RUF001
    Phrase("A further card of {hand}, or settle"),
    Phrase("Cards of {hand}"),
    Phrase("All hands are in: settle"),
    Phrase("Cards are missing: {hands}."),
    Phrase("the bank"),
    Phrase("seat {seat}"),
    Phrase("“{typed}” is no card. Write rank and suit: ah, 10d, 2c."),
    Phrase("No cards are entered here."),
    Phrase("No card of the bank is recorded here."),
    Phrase("{card} is in the hand of {hand}."),
    Phrase("The bank shows {card}"),
    Phrase("Seat {seat} has no wagers in this round."),
    Phrase("All hands are in. Name the seat to change one: 4 {cards}."),
    Phrase("Seat {seat} has no decision to make."),
    Phrase("Seat {seat}: {done}"),
    Phrase("A hand is {cards} cards; this is {typed}."),
    Phrase("{card} is typed twice."),
    Phrase("Seat {seat} has no place to wager."),
    Phrase("Begin with the seat: 4 20 0 5."),
    Phrase("These wagers are not yours to place."),
    Phrase("Seat {seat}: amounts in the order of the layout, 0 for none, or out."),
    Phrase("Seat {seat} has {spots} spots; these are {amounts} amounts."),
    Phrase("“{typed}” is no amount in dollars. Write 10 or 7.50."),
    Phrase("There is no tip beside that wager."),
    Phrase("Seat {seat} sits out"),
    Phrase("“{typed}” is no amount in dollars. Write 200."),
    Phrase("“{typed}” is no answer. Write y, n, absent or all n."),
    Phrase("“{typed}” is no answer. Write y."),
    Phrase("Touch the answer, or type y, n, absent or all n."),
    Phrase("Touch it, or type y."),
    Phrase("Touch “No more bets”, or type nmb."),
    Phrase("Given by {name} at {time}, while the tablet was offline."),
    Phrase(
        "{name} gave this and is not signed in here. Only they can send it: sign in as them, or set it aside with a reason."
    ),
    Phrase("Others are at the table than when this was given. Each entry is decided by itself."),
    Phrase("It cannot be sent as it is: nobody is at {place} now."),
    Phrase("Send this entry alone, on the present state"),
    Phrase("Send it again on the present state"),
    Phrase("{then} when it was given, {now} now"),
    Phrase("{then} when it was given, nobody now"),
    Phrase("Sent now, it records: {what}, for {people}."),
    Phrase("Sent now, it records: {what}."),
    Phrase("the dealer on duty"),
    Phrase("The server was not reached, or failed. Nothing was set aside; try again when it is back."),
    Phrase("Sign in first: what is set aside is reported under your name."),
    Phrase("One moment: the entry before it is still being recorded."),
    Phrase("Not available offline: the server has to answer first. It works again once back online."),
    Phrase("You are signed out. Nothing was changed."),
    Phrase("Sign in"),
    Phrase(
        "No answer came, and it may or may not have been recorded. Press again once back online: it is recorded once."
    ),
    Phrase(
        "The server failed (error {error}), and nobody knows whether it was done. What was typed is still here: press again when the server is back; it is done once."
    ),
    Phrase("Back online: {n} entry sent and recorded."),
    Phrase("Back online: {n} entries sent and recorded."),
    Phrase("The table has changed."),
    Phrase("Show it"),
    Phrase("sign in to send {n} entry"),
    Phrase("sign in to send {n} entries"),
    Phrase("signed out: sign in"),
    Phrase("conflict: decide on {n} entry"),
    Phrase("conflict: decide on {n} entries"),
    Phrase("live"),
    Phrase("server error"),
    Phrase("offline"),
    Phrase("{n} waiting"),
    Phrase(
        "The server failed to record “{entry}” (error {error}). It is kept on this tablet and sent again by itself."
    ),
    Phrase("Send now"),
    Phrase("Decide…"),
    Phrase(
        "The server has failed on this entry (error {error}), and it may or may not have been recorded. Sending it again is safe: it is recorded once."
    ),
    Phrase("200  (the player-dealer wager)"),
    Phrase("4 20 0 5  (seat, wagers)  nmb"),
    Phrase("round {round} of {limit} in this turn"),
    Phrase("round {round} in this turn"),
    Phrase("{rounds} of {limit} rounds banked"),
    Phrase("{n} round banked"),
    Phrase("{n} rounds banked"),
    Phrase("Settle by the felt: the pay and take lines are calculated once back online."),
    Phrase("Recorded on this tablet; sent once back online."),
    Phrase("last bet"),
    Phrase("Seat {seats} declined"),
    Phrase("Seats {seats} declined"),
    Phrase("The bank’s cards"),  # noqa: RUF001
    Phrase("The player-dealer’s exposed card records the deal"),  # noqa: RUF001
    Phrase("The first card records the deal"),
    Phrase("Accepted: seat {seat} banks"),
    Phrase("Seat {seat} banks again"),
    Phrase("seat {seat} banks again"),
    Phrase("Drop {drop} into the box, {jackpot} into the jackpot’s, then deal"),  # noqa: RUF001
    Phrase("Drop {drop} into the box, then deal"),
    Phrase("Deal"),
    Phrase("No more bets"),
    Phrase("drop {drop} + jackpot {jackpot}"),
    Phrase("drop {drop}"),
    Phrase("Computed on this tablet."),
    Phrase("players {players} + bank {bank} = {drop}"),
    Phrase("players {amount}"),
    Phrase("bank {amount}"),
    Phrase("the last bank wager"),
    Phrase("more than the bank’s {wager} can cover"),  # noqa: RUF001
    Phrase("the last bet there"),
    Phrase("{times} times {what}, {amount}"),
    Phrase("Seat {seat}, {label}"),
    Phrase("{field}: {amount} is {why}."),
    Phrase("{field}: {amount} is {why}. Is {amount} right?"),
    Phrase("The player-dealer wager of {wager} is below the largest main wager of {largest}. Go on?"),
    Phrase("Yes, go on"),
    Phrase("Choose the seat at which the action starts."),
    Phrase("Yes, {amount}"),
    Phrase("Change it"),
    Phrase("Ace"),
    Phrase("King"),
    Phrase("Queen"),
    Phrase("Jack"),
    Phrase("spades"),
    Phrase("hearts"),
    Phrase("diamonds"),
    Phrase("clubs"),
    Phrase("Every seat has answered. The server decides who banks next once back online."),
    Phrase("Seat {seat}: bonus wagers and tips need a wager on {main}."),
    Phrase("Seat {seat}: {amount} is {why}."),
    Phrase("{player} takes the bank over at seat {number}?"),
    Phrase("above the limit here, {most}"),
    Phrase("below the limit here, {least}"),
    Phrase("No wager has been placed. A round needs at least a wager on {main}."),
    Phrase("Seat {seat}: {amount} is outside the table limit {limit}."),
    Phrase("{amount} is below the first band of the schedule."),
    Phrase("No answer came. Try again once the tablet is back online."),
    Phrase("Every line is shown. “Step through” begins again at the first."),
    Phrase("The server refused it."),
    Phrase("next step: {step}"),
    Phrase("Put this note away"),
    Phrase("per round"),
    Phrase("per main wager"),
    Phrase("per position"),
    Phrase("per main wager, by band"),
    Phrase("Seat {seat}"),
    Phrase("{time} left"),
    Phrase("{time} over"),
    Phrase(
        "Seating waits: the server cannot be reached, and it says who may sit here. Try again once back online."
    ),
    Phrase("Seat {seat}: {amount} is outside {limit}, for which the schedule has a fee."),
)


def script_texts() -> str:
    """Return the texts in the active language as JSON, by their English; those that are the same are left out."""
    return _texts_in(translation.get_language())


@functools.cache
def _texts_in(language: str) -> str:
    """The same in a language of the site; it must be the active one."""
    return json.dumps({text: found for text in TEXTS if (found := translated(text)) != text})
