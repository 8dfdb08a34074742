"""What a tablet computes by itself is what the server computes: offers, the bank's rounds, and fees."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest
from playwright.sync_api import Page

from cardroom.web.table.offline_state import schedule_of
from fees.errors import FeeError
from fees.quote import Ante, quote
from fees.rates import Schedule
from tests.fees import documents

pytestmark = pytest.mark.outside


@pytest.fixture
def at_site(page: Page) -> Page:
    """A page of the site, which may load its scripts; nobody is signed in."""
    page.goto("/accounts/login/")
    return page


#: Both options of the document, and each other way to charge that a schedule may have; each publishes two waivers.
SCHEDULES = [
    documents.schedule(
        {
            **document,
            "waivers": [
                documents.waiver("whole", "bank"),
                documents.waiver("part", "bank", portion_cents=60),
            ],
        }
    )
    for document in (
        documents.OPTION_1,
        documents.OPTION_2,
        documents.with_lines(
            documents.own(500, 2500, 50),
            documents.own(2600, None, 150),
            documents.wager("pair_plus", 25),
            documents.bank("round", 300),
        ),
        documents.with_lines(documents.per_position(100), documents.bank("position", 50)),
        documents.with_lines(
            documents.timed("half_hour", 650),
            documents.bank("round", 50),
            documents.jackpot("player", "wager", 25, wager="pair_plus"),
            documents.jackpot("player", "ante", 75),
            documents.jackpot("bank", "ante", 100),
        ),
        documents.with_lines(
            documents.player(100),
            documents.wager_band("pair_plus", 100, 500, 50),
            documents.wager_band("pair_plus", 600, 1500, 75),
            documents.positions(1, 2, 200),
            documents.positions(3, None, 300),
        ),
        documents.with_lines(
            documents.player(0), documents.bank("round", 200), documents.bank("position", 50)
        ),
        documents.with_lines(
            documents.player(50),
            documents.band(500, 2500, 100, per="largest_ante"),
            documents.band(2600, None, 250, per="largest_ante"),
        ),
        documents.with_lines(
            documents.player(50),
            documents.band(500, 2500, 25, per="own_ante"),
            documents.band(2600, None, 75, per="own_ante"),
        ),
        documents.with_lines(documents.timed("half_hour", 500)),
    )
]


def rule(covers: str, place: str | None = None, portion: int | None = None) -> dict[str, Any]:
    """A waiver as the page gives it to the tablet."""
    return {"covers": covers, "place": place, "portion": portion}


#: Which fees of a round are waived, as the page gives the tablet, and by which rule those of seats of seven are.
WAIVED: list[tuple[list[dict[str, Any]], dict[int, str]]] = [
    ([], {}),
    ([rule("players")], dict.fromkeys(range(1, 7), "whole")),
    ([rule("player", "2"), rule("bank")], {2: "whole", 7: "whole"}),
    ([rule("all", portion=60), rule("player", "2")], dict.fromkeys(range(1, 8), "part")),
    ([rule("player", "2"), rule("players", portion=60)], {**dict.fromkeys(range(1, 7), "part"), 2: "whole"}),
]


def test_the_tablet_goes_on_after_all_declined_as_the_server_does(at_site: Page) -> None:
    ends = at_site.evaluate(
        """async (states) => { const { after, initialState } = await import("/static/web/table/offline/reducer.js");
            return states.map(([state, fields]) => {
                const now = after(initialState(state), { slug: "all-declined", fields }, state);
                return [now.phase, now.turn?.seat ?? null, now.version]; }); }""",
        [
            [_offering("renew", renews=True), []],
            [_offering("renew"), []],
            [_offering("vacant"), []],
            [_offering("renew", renews=True), [["accepted_by", "5"]]],
        ],
    )
    assert ends == [["ready", 3, 8], ["renew", 3, 8], ["waits", 3, 8], ["ready", 5, 8]]


def _offering(then: str, **more: Any) -> dict[str, Any]:
    """What a tablet knows while seats 4 and 5 are still to be asked after two rounds of seat 3."""
    state = _offline_state([4, 5], {}, {})
    state["offers"] |= {"then": then, **more}
    return {**state, "turn": {"seat": 3, "rounds": 2}}


def test_the_tablet_counts_the_banks_rounds_in_a_row_as_the_server_does(at_site: Page) -> None:
    """The last bank goes on with its count where nobody else was asked, and begins anew where everybody declined."""
    ends = at_site.evaluate(
        """async (states) => { const { after, initialState } = await import("/static/web/table/offline/reducer.js");
            const answer = (seat, answer) => ({ slug: "answer", fields: [["seat", String(seat)], ["answer", answer]] });
            return states.map(([state, answers]) => {
                let now = answers.reduce((at, [seat, given]) => after(at, answer(seat, given), state), initialState(state));
                const begins = [now.phase, now.turn.rounds];
                now = after({ ...now, live: { bank: 3, bets: [] } }, { slug: "settle", fields: [] }, state);
                return [...begins, now.phase, now.turn.rounds]; }); }""",
        [
            [_offline_state([3], {"3": 1}, {"order": [], "then": "vacant"}), [[3, "accepted"]]],
            [
                _offline_state([5, 3], {}, {"order": [5], "then": "renew"}),
                [[5, "declined"], [3, "accepted"]],
            ],
        ],
    )
    assert ends == [["ready", 1, "waits", 2], ["ready", 0, "ready", 1]]


def test_the_tablet_closes_bets_as_the_server_does(at_site: Page) -> None:
    """A wager that may stand alone needs no main one, and a seat that dice name is chosen first."""
    state: dict[str, Any] = {
        "spots": [
            {"id": "bet", "name": "Bet", "main": True, "needs": "nothing"},
            {"id": "tie", "name": "Tie", "main": False, "needs": "nothing"},
            {"id": "pairs", "name": "Pairs", "main": False, "needs": "main"},
        ],
        "limits": {},
        "schedule": None,
        "noBox": "",
        "namedStart": True,
    }
    said = at_site.evaluate(
        """async ([state, cases]) => { const { whyNotClose } = await import("/static/web/table/offline/reducer.js");
            return cases.map(([wagers, seat]) => whyNotClose(new Map([["action_seat", seat]]), [{ place: "4", seat: 4, wagers, tips: {} }], state)); }""",
        [
            state,
            [[{"bet": 500}, "5"], [{"tie": 500}, "5"], [{"tie": 500, "pairs": 500}, "5"], [{"bet": 500}, ""]],
        ],
    )
    assert said == [
        "",
        "",
        "Seat 4: bonus wagers and tips need a wager on Bet.",
        "Choose the seat at which the action starts.",
    ]


def _offline_state(order: list[int], counted: dict[str, int], after: dict[str, Any]) -> dict[str, Any]:
    """What a tablet knows while the bank is offered in `order`; see `tests/web/table/test_offline.py` for the server's own."""
    return {
        "version": 7,
        "phase": "offer",
        "house": False,
        "meterSpots": [],
        "turn": None,
        "live": None,
        "last": [],
        "bankWager": None,
        "offers": {"order": order, "then": "vacant", "counted": counted},
        "offersAfter": {"3": after},
        "turnRounds": 2,
        "stops": "",
    }


def test_the_tablet_computes_fees_as_the_server_does(at_site: Page) -> None:
    """On antes at every edge of every schedule, and on rounds drawn by a fixed seed."""
    draw = random.Random(40)
    asked, expected = [], []
    for schedule in SCHEDULES:
        least, most = schedule.ante_min_cents, schedule.ante_max_cents or 100_000
        edges = [
            bound + off
            for bound in (least, most, 2500, 2600, 10000, 10100, 20000, 20100)
            for off in (-1, 0, 1, 99)
        ]
        rounds = [[cents] for cents in edges] + [[0, least], [0], [least, 0, least]]
        rounds += [[draw.randrange(least, most + 1) for _ in range(draw.randint(1, 6))] for _ in range(60)]
        for amounts in rounds:
            antes = [
                Ante(
                    seat=seat,
                    player=f"P{seat}",
                    cents=cents,
                    beside={"pair_plus": draw.choice((500, 550, 600, 1500))} if draw.random() < 0.5 else {},
                )
                for seat, cents in enumerate(amounts, 1)
            ]
            if len(antes) > 1:  # one main wager on two spots: each is held to the limits by itself
                antes[0] = dataclasses.replace(
                    antes[0], mains={"Player": antes[0].cents - least, "Banker": least}
                )
            if draw.random() < 0.3:  # an approval says that another wager counts toward total table action
                antes = [
                    dataclasses.replace(each, counts=each.cents + sum((each.beside or {}).values()))
                    for each in antes
                ]
            stakes = [
                {
                    "place": str(ante.seat),
                    "cents": ante.cents,
                    "counts": ante.counts,
                    "wagers": ante.beside,
                    "mains": list((ante.mains or {}).values()),
                }
                for ante in antes
            ]
            for waived, rules in WAIVED:
                asked.append({"schedule": schedule_of(schedule), "antes": stakes, "waived": waived})
                expected.append(quoted(schedule, antes, rules))
    answered = at_site.evaluate(
        """async (asked) => { const { quote } = await import("/static/web/table/fees.js");
            return asked.map(({ schedule, antes, waived }) => { const said = quote(schedule, antes, waived);
                return said.problem ? null : [said.players, said.bank, said.drop, said.jackpot, said.band]; }); }""",
        asked,
    )
    assert answered == expected
    assert None in answered, "some antes are outside their limits"
    assert len({tuple(each) for each in answered if each}) > 30


def quoted(schedule: Schedule, antes: list[Ante], rules: dict[int, str]) -> list[Any] | None:
    """What the server says: players' fees, the bank's, drop, jackpot, and what the bank's went by; None for a refusal."""
    try:
        waived = {(seat, 0): key for seat, key in rules.items()}
        found = quote(schedule, antes, bank_seat=7, waived=waived)
    except FeeError:
        return None
    bank = sum(fee.cents for fee in found.fees if fee.seat == 7)
    return [found.drop_cents - bank, bank, found.drop_cents, found.jackpot_cents, found.bank_label]
