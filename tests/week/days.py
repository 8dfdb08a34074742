"""What happens on each day of the week, by whom, and on which page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tests.cast import BANK_HAND, HANDS

from .floor import Floor
from .opening import ROOM
from .somebody import Somebody

#: Who sits where on an ordinary day.
SEATED: Final = {
    1: {1: "Ana Soto", 2: "Bo Hart", 4: "Cy Vance", 5: "Vinh Le"},
    2: {1: "Dina Wu", 2: "Eli Ford", 5: "Max Tremblay"},
}


def monday(floor: Floor) -> None:
    """A shift is opened, tables are set, the line-up is planned, a round is played and the night counted, all on pages."""
    sam, flo, dan = (floor.people[each] for each in ("sam", "flo", "dan"))
    sam.done_at(f"{ROOM}/", f"{ROOM}/shifts/open/", "3 drop boxes put on", name="Swing")
    floor.notes_shift()
    flo.see(f"{ROOM}/tables/", "no game set yet")
    [game] = flo.ask(f"{floor.at_room}/games")
    [fees] = flo.ask(f"{floor.at_room}/schedules")
    table = f"/tables/{floor.tables[1]}"
    chosen = {"game_id": game["id"], "schedule_id": fees["id"], "recording": "cards"}
    flo.done_at(f"{table}/", f"{table}/commands/settings/", "Three Card Poker", **chosen)
    flo.done(f"{table}/commands/open/", "Dealer none")
    floor.sets(2, fees["id"])
    floor.at(2, "flo", "POST", "open")
    plan = {f"dealer-{floor.staff[each]}": "0" for each in ("dan", "dot", "dee", "del", "kim")}
    page = f"{ROOM}/line-up/plan/"
    flo.done_at(page, page, "The line-up is set.", **plan, **{"tables-0": "1 2"})
    flo.see(f"{table}/")
    flo.done(f"{table}/commands/dealer/", "Dan Reyes", dealer_id=floor.staff["dan"])
    flo.done(f"{table}/commands/seat/", "Ana Soto", seat="1", player="Ana Soto")
    for seat, name in list(SEATED[1].items())[1:]:
        floor.seats_player(1, seat, name)
    floor.at(2, "flo", "PUT", "down", {"dealer_id": floor.staff["dot"]})
    for seat, name in SEATED[2].items():
        floor.seats_player(2, seat, name)
    _round_by_page(floor, dan)
    _plays(floor)
    flo.see(f"{ROOM}/line-up/", "comes in")
    _night_by_page(floor)


def _round_by_page(floor: Floor, dealer: Somebody) -> None:
    """Play a round at table 1 by its forms: the bank to seat 2, $10 and $30 of antes."""
    table = f"/tables/{floor.tables[1]}"
    floor.begins_turn(1, 2)
    dealer.see(f"{table}/")
    dealer.done(f"{table}/commands/bank/", bank_wager_cents="1000")
    dealer.done(f"{table}/commands/bets/", **{"wagers-1-ante": "10", "wagers-4-ante": "30"})
    dealer.done(f"{table}/commands/no-more-bets/", "", "/commands/bets/")
    dealer.done(f"{table}/commands/deal/")
    hands = {f"hand-{seat}": HANDS[seat].lower().replace(" ", "") for seat in (1, 4)}
    dealer.done(f"{table}/commands/settle/", bank_hand=BANK_HAND.lower(), **hands)
    floor.counts(1, {1: 1_000, 4: 3_000})


def _night_by_page(floor: Floor) -> None:
    """Boxes are pulled and counted, tips handed in and shared out, and the shift is closed, on the pages for it."""
    cal, cat, fay, sam = (floor.people[each] for each in ("cal", "cat", "fay", "sam"))
    for number in floor.opened:
        floor.clears(number)
    hanging = floor.hanging()
    cal.see(f"{ROOM}/count/")
    chosen = [str(row["id"]) for row in hanging]
    cal.done(f"{ROOM}/count/drop/", "3 pulled.", boxes=chosen, **cat.signature)
    for row in hanging:
        dollars = str(floor.sums.drop[floor.day, row["table_number"]] // 100)
        for counter, says in ((cal, "Another person makes the second count."), (cat, "is verified")):
            counter.see(f"/boxes/{row['id']}/")
            counter.done(f"/boxes/{row['id']}/count/", says, **{"chip-100": dollars})
    tips = f"/shifts/{floor.shift}/tips/"
    fay.see(f"{tips}entries/")
    choices = fay.page.context["hand_in_form"].fields["dealer"].choices
    down = next(value for value, _words in choices if str(value).startswith(f"{floor.staff['dan']}-"))
    fay.done(f"{tips}hand-ins/", "$12.50 received.", dealer=down, cents="12.50")
    worked = {"staff_id": floor.staff["ray"], "work": "chip runner", "hours": "6", "minutes": "0"}
    fay.done(f"{tips}hours/", "The hours are entered.", **worked)
    sam.see(f"{ROOM}/")
    sam.done(f"{ROOM}/shifts/{floor.shift}/close/", "", confirmed="yes")
    floor.shares_tips()
    floor.site.works()
    sam.see(f"/shifts/{floor.shift}/report/", "Drop")


def tuesday(floor: Floor) -> None:
    """A walk-in whom nobody knows, somebody who waits, a void that a supervisor signs, and a push of two tables."""
    flo, dee = floor.people["flo"], floor.people["dee"]
    _opens(floor, "dan", "dot")
    floor.at(1, "flo", "POST", "seats/6/guest", {"name": ""})
    _plays(floor)
    page = f"{ROOM}/waiting/"
    flo.done_at(page, page, "On the list.", game="1", who="Gus Pope")
    entry = flo.ask(f"{floor.at_room}/waiting")[0]["entry"]
    flo.done(f"{page}{entry}/call/", "Called.")
    floor.at(2, "flo", "POST", "seats/6/waiting", {"entry_id": entry})
    floor.passes(40)
    floor.pushes(t1="dee", t2="dan")
    floor.plays(1)
    table = f"/tables/{floor.tables[1]}"
    floor.deals(1)
    dee.see(f"{table}/")
    void = {"named_reason": "other", "other_reason": "cards on the floor"}
    dee.refused(f"{table}/commands/void/", "second person", **void, **dee.signature)
    dee.done(f"{table}/commands/void/", "void", **void, **floor.people["sam"].signature)
    floor.sums.voids += 1
    _refused_in_words(floor)
    _night(floor)


def _refused_in_words(floor: Floor) -> None:
    """One person at two tables, a merge of two who both sit, a push with somebody who is not there: refused, and nothing is half done."""
    flo, fay = floor.people["flo"], floor.people["fay"]
    before = [(floor.table(n)["dealer"], floor.seats(n)) for n in floor.opened]
    ana, bo = floor.player("Ana Soto"), floor.player("Bo Hart")
    twice = flo.tries("PUT", f"tables/{floor.tables[2]}/seats/7", {"player_id": ana})
    assert (twice.status, "Table 1" in twice.said["error"]["message"]) == (409, True), twice.said
    own = f"{ROOM}/players/{ana}/"
    flo.see(own)
    merge = {"into": "Bo Hart", "reason": "one person", **fay.signature}
    flo.refused(f"{own}merge/", "let one of them leave first", **merge)
    rows = [
        {"table": floor.tables[1], "dealer": floor.staff["kim"]},
        {"table": floor.tables[2], "dealer": floor.staff["ira"]},
    ]
    missing = flo.tries("POST", f"{floor.at_room}/pushes", {"reliefs": rows})
    assert missing.status in (409, 422) and missing.path == "reliefs[1].dealer", missing.said
    assert [(floor.table(n)["dealer"], floor.seats(n)) for n in floor.opened] == before
    assert floor.player("Ana Soto") == ana and floor.player("Bo Hart") == bo


def wednesday(floor: Floor) -> None:
    """A dealer's permit has ended and is renewed; dearer fees are drafted and filed for Friday."""
    walt, grace = floor.people["walt"], floor.people["grace"]
    floor.opens_shift()
    floor.at(1, "flo", "POST", "open")
    ended = floor.people["flo"].tries(
        "PUT", f"tables/{floor.tables[1]}/down", {"dealer_id": floor.staff["dan"]}
    )
    assert ended.code == "permit_expired", ended.said
    own = f"{ROOM}/people/{floor.staff['dan']}/"
    walt.see(f"{ROOM}/people/?only=expiring", "Dan Reyes")
    walt.done_at(own, f"{own}permit/", "Saved.", number="WP-13/2", expires="2027-11-17")
    floor.at(1, "flo", "POST", "close")
    _opens(floor, "dan", "dot", is_open=True)
    _plays(floor)
    floor.passes(40)
    floor.pushes(t1="del", t2="dan")
    _plays(floor)
    fees = f"{ROOM}/schedules/11/"
    grace.done_at(f"{fees}1/", f"{fees}1/next/", "version 1")
    edit = f"{fees}2/edit/"
    grace.done(edit, "", **{"lines-1-fee_cents": "3", "lines-2-fee_cents": "4"})
    filed = {"effective_from": "2026-11-20", "state_reference": "GEGR-004861-F2"}
    grace.signs_in_afresh()
    grace.refused_at(f"{fees}2/", f"{fees}2/file/", "second person", **filed, **grace.signature)
    grace.done_at(f"{fees}2/", f"{fees}2/file/", "is filed", **filed, **walt.signature)
    _night(floor)


def thursday(floor: Floor) -> None:
    """A proposition player's badge has ended and is renewed, a dealer leaves for good, and a box is short."""
    walt, grace, flo = (floor.people[each] for each in ("walt", "grace", "flo"))
    max_ = floor.player("Max Tremblay")
    floor.opens_shift()
    floor.at(2, "flo", "POST", "open")
    ended = flo.tries("PUT", f"tables/{floor.tables[2]}/seats/5", {"player_id": max_})
    assert ended.code == "badge_expired", ended.said
    own = f"{ROOM}/players/{max_}/"
    walt.done_at(own, f"{own}provider/", "Saved.", badge_number="TPP-50/2", badge_expires="2027-11-18")
    floor.at(2, "flo", "POST", "close")
    _opens(floor, "dot", "kim", is_open=True)
    left = floor.people["del"]
    left.see(f"{ROOM}/tables/")
    gone = f"{ROOM}/people/{floor.staff['del']}/"
    walt.done_at(gone, f"{gone}close/", "account closed")
    left.works = False
    assert "/accounts/login/" in left.open(f"{ROOM}/tables/").request["PATH_INFO"]
    rows = [{"table": floor.tables[1], "dealer": floor.staff["del"]}]
    closed = flo.tries("POST", f"{floor.at_room}/pushes", {"reliefs": rows})
    assert closed.path == "reliefs[0].dealer", closed.said
    _plays(floor)
    short = _night(floor, short=500)
    grace.see(f"{ROOM}/count/", "$5")
    floor.site.works()
    grace.see(f"/boxes/{short}/", "Explain it in the inbox")
    [item] = re.findall(r"\?item=(\d+)", grace.text)
    grace.see(f"{ROOM}/exceptions/?item={item}")
    grace.done(
        f"{ROOM}/exceptions/explain/", "Explained.", "/explain/", note="a chip under the rail, returned"
    )


def friday(floor: Floor) -> None:
    """The dearer fees are in force and set at the tables; a supervisor has forgotten the PIN; the walk-in is somebody known."""
    sam, flo, fay = (floor.people[each] for each in ("sam", "flo", "fay"))
    floor.opens_shift()
    late = flo.tries("POST", f"tables/{floor.tables[1]}/open")
    assert late.code == "schedule_not_in_force" and "version 2" in late.said["error"]["message"], late.said
    [fees] = flo.ask(f"{floor.at_room}/schedules")
    for number in floor.opened:
        floor.sets(number, fees["id"])
    _opens(floor, "kim", "dee", is_open=True)
    _plays(floor)
    floor.deals(1)
    kim, table = floor.people["kim"], f"/tables/{floor.tables[1]}"
    void = {"named_reason": "other", "other_reason": "device failure", "approver": "sam"}
    kim.see(f"{table}/")
    for _try in range(4):
        kim.refused(f"{table}/commands/void/", "PIN", **void, approver_pin="111999")
    kim.post(f"{table}/commands/void/", **void, approver_pin="111999")
    kim.refused(f"{table}/commands/void/", "lift the lock", **void, approver_pin=sam.pin)
    flo.see(f"{ROOM}/", "Locked out", "Sam Okafor")
    flo.done(f"{ROOM}/lockouts/{floor.staff['sam']}/lift/")
    sam.sets_pin("592046")
    kim.see(f"{table}/")
    kim.done(f"{table}/commands/void/", "void", **void, approver_pin=sam.pin)
    floor.sums.voids += 1
    guest = next(row for row in flo.ask(f"{floor.at_room}/players?search=Guest"))["id"]
    own = f"{ROOM}/players/{guest}/"
    flo.done_at(own, f"{own}name/", "Saved.", name="Gus Pope Jr", active="on")
    flo.see(own)
    flo.done(f"{own}merge/", "one person", into="Gus Pope", reason="the same man", **fay.signature)
    _night(floor)


def saturday(floor: Floor) -> None:
    """Somebody is excluded and refused a seat; settings change; a password is lost, a session is ended, a role changes."""
    walt, grace, sam, flo = (floor.people[each] for each in ("walt", "grace", "sam", "flo"))
    _opens(floor, "dan", "dot")
    eli = floor.player("Eli Ford")
    own = f"{ROOM}/players/{eli}/"
    floor.at(2, "flo", "DELETE", "seats/2")
    sam.done_at(own, f"{own}exclude/", "may not play", kind="self_excluded", reason="signed form", ends_on="")
    barred = flo.tries("PUT", f"tables/{floor.tables[2]}/seats/2", {"player_id": eli})
    assert "shift manager" in barred.said["error"]["message"] and "form" not in str(barred.said), barred.said
    _plays(floor)
    page = f"{ROOM}/settings/"
    walt.signs_in_afresh()
    walt.see(page)
    walt.done(f"{page}room/", "$5, within", variance_threshold_cents="$5", **grace.signature)
    floor.room_does("walt", "PUT", f"tables/{floor.tables[9]}/number", {"number": 3})
    dot, lost = floor.people["dot"], f"{ROOM}/people/{floor.staff['dot']}/"
    walt.see(lost)
    walt.done(f"{lost}password/", "The password is set", password="a straight is no flush", **grace.signature)
    dot.begins("a straight is no flush")
    dan = f"{ROOM}/people/{floor.staff['dan']}/"
    walt.see(dan, "Signed in now")
    session = walt.page.context["page"].sessions[0][0].pk
    walt.done(f"{dan}sessions/{session}/end/", "That session is over.")
    ray = f"{ROOM}/people/{floor.staff['ray']}/"
    walt.see(ray)
    role = walt.page.context["page"].roles[0][0].employment.pk
    walt.done(
        f"{ray}roles/{role}/change/", "The role is changed.", role="dealer", provider_id="", **grace.signature
    )
    walt.done(f"{ray}role/", "The role is given.", role="support", provider_id="", **grace.signature)
    role = next(
        held.employment.pk for held, _acts in walt.page.context["page"].roles if held.role == "Dealer"
    )
    walt.done(f"{ray}roles/{role}/take/", "The role is taken away.", **grace.signature)
    _night(floor)


def sunday(floor: Floor) -> None:
    """What was out of the ordinary is explained and closed by two; an exclusion is lifted; mail is subscribed to."""
    walt, grace, sam = (floor.people[each] for each in ("walt", "grace", "sam"))
    _opens(floor, "dan", "dee", without="Eli Ford")
    _plays(floor)
    grace.see(f"{ROOM}/exclusions/", "signed form")
    [held] = grace.ask(f"{floor.at_room}/exclusions")
    lift = f"{ROOM}/exclusions/{held['id']}/lift/"
    grace.done(lift, "", reason="withdrawn in person", **sam.signature)
    floor.seats_player(2, 2, "Eli Ford")
    floor.plays(2)
    page = f"{ROOM}/subscriptions/"
    grace.done_at(page, page, "", what="shift_report", staff_id="", address="owner@delta-oaks.example")
    _night(floor)
    floor.site.works()
    _worked_off(floor, grace, walt)


def _worked_off(floor: Floor, grace: Somebody, walt: Somebody) -> None:
    """Explain and close every exception of the week on the page of the inbox."""
    inbox = f"{ROOM}/exceptions/"
    items = grace.ask(f"{floor.at_room}/items")["results"]
    assert sum(each["kind"] == "void" for each in items) == floor.sums.voids
    for each in items:
        opened = f"{inbox}?item={each['id']}"
        if each["state"] == "open":
            grace.see(opened)
            said = "looked at the recording with the floor"
            grace.done(f"{inbox}explain/", "Explained.", "/explain/", note=said)
        grace.see(opened)
        grace.done(f"{inbox}close/", "Closed.", "/explain/", note="", **walt.signature)
    assert grace.ask(f"{floor.at_room}/items")["results"] == []


def _opens(floor: Floor, first: str, second: str, *, is_open: bool = False, without: str = "") -> None:
    """Open the shift and both tables, unless the shift is; with their dealers and everybody who sits there."""
    if not is_open:
        floor.opens_shift()
    for number, dealer in ((1, first), (2, second)):
        seated = {seat: name for seat, name in SEATED[number].items() if name != without}
        floor.opens(number, dealer, seated)


def _plays(floor: Floor) -> None:
    """Play two rounds at each table, with a tip in each second one."""
    for number in (1, 2, 1, 2):
        floor.plays(number, tip=number == 1)


def _night(floor: Floor, short: int = 0) -> int:
    """Close the tables, count the boxes, hand in and share out tips, close the shift; return the box that is short."""
    for number in floor.opened:
        floor.clears(number)
    floor.hands_in("dot", 1_200)
    variance = floor.counts_boxes(short)
    floor.closes_shift()
    return variance


def looked_through(floor: Floor) -> None:
    """Everybody opens the pages of their work; none leads to the admin."""
    provider = floor.people["walt"].ask(f"{floor.at_room}/statements")[0]["id"]
    week = "?from=2026-11-16&to=2026-11-22"
    pages = {
        "walt": (
            "settings",
            "people",
            "players",
            "providers",
            "schedules",
            "games",
            "tips",
            "results",
            "background",
        ),
        "grace": (
            "compliance",
            "exceptions",
            "checkpoints",
            "inspection",
            "reports",
            "roll-ups",
            "exclusions",
        ),
        "sam": ("", "floor", "floor/alerts", "line-up", "waiting", "count", "tables", "rotation"),
    }
    for who, names in pages.items():
        for name in names:
            floor.people[who].see(f"{ROOM}/{name}{'/' if name else ''}")
            assert "/admin/" not in floor.people[who].text, (who, name)
    for name in ("trends", "collection", "access", "people", "settings", "fee-audit", "exceptions", "tips"):
        floor.people["grace"].see(f"{ROOM}/reports/{name}/{week}")
    floor.people["walt"].see(f"{ROOM}/statements/{provider}/{week}", "Delta Players")


#: The days, Monday first.
WEEK: Final[tuple[Callable[[Floor], None], ...]] = (
    monday,
    tuesday,
    wednesday,
    thursday,
    friday,
    saturday,
    sunday,
)
