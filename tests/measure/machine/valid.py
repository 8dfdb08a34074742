"""Inputs that a command takes in the present state, where there are any: `given(command, cast, table)`.

What an input is named says of which rows its id may be; what a command needs beside that is in `WORDS` by its name. A command
that is not there is given its own example. Commands are tried with these: whether one is taken is the command's to say.
"""

from __future__ import annotations

import base64
import datetime
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from allauth.usersessions.models import UserSession
from django.apps import apps
from django.utils import timezone

from cardroom.core.commands import Declaration
from cardroom.core.json_types import Day, Whole
from cardroom.drop.models import CountSheet, DropBox
from cardroom.filings.models import Filing, GameFiling
from cardroom.floor.commands.imports import FILES
from cardroom.floor.imports.kinds import plan_of
from cardroom.floor.imports.lines import read_lines
from cardroom.floor.models import Relief, Seating, Table, WaitingEntry
from cardroom.floor.reads.table_state import TableState
from cardroom.inbox.models import Dispute, Item
from cardroom.people.models import PasswordReset, Provider, Role, Staff
from cardroom.people.passwords import NewPassword
from cardroom.people.rights import RIGHTS, Right
from tests.cast import BANK_HAND, HANDS, Cast
from tests.filing import WIDE, table_settings

from .inputs import model_of, read

#: Who gives a command, the first of them who may.
_WHO = ("floor", "shift_manager", "count", "room_manager", "compliance", "provider_lead")
#: Everybody who gives a command of drop and count: two people count a box, and a third one again.
_WHO_IN = {"Drop and count": ("count", "count_2", "shift_manager", "room_manager", "floor")}
#: Who signs it: somebody else, the first who may.
_SIGNS = ("shift_manager", "floor_2")
_SIGNS_IN = {
    "Filings": ("compliance", "room_manager"),
    "Drop and count": ("count_2",),
    "Exceptions": ("compliance", "room_manager"),
    "Obligations": ("compliance", "room_manager"),
    "Line-up": ("dealer_2",),  # the relief that waits in the worlds of races
}
#: Who signs what one right gives, where that is nobody else.
_SIGNS_WITH = {Right.SET_PEOPLE: ("compliance",)}
CHIPS = [{"kind": "chip", "cents": 500, "pieces": 3}]
PASSWORD = NewPassword("nine high straight beats it")
#: Hands of a game in which the table has two, and the players none.
TWO_HANDS = {"player_hand": "Kh Qd 6c", "banker_hand": "2c Ts 5d"}
#: A royal flush, what may be dealt beside it, and a bank that does not qualify.
WINNING, WITH_IT, LOW_HAND = "As Ks Qs", ("9s 9c 3d", "Js Jh 5c", "Tc 9d 2h"), "2c 4d 7h"
LATER = datetime.date(2027, 1, 4)
#: The smallest PDF that is attached to a draft, in Base64.
PDF = base64.b64encode(b"%PDF-1.7\n%%EOF\n").decode()
Given = tuple[str, dict[str, Any]]


def given(
    command: Declaration, cast: Cast, table: Table | None = None, *, more: bool = False
) -> Iterator[Given]:
    """Who might give a command now, and with what; each in turn may be refused all the same. `more`: in further ways too."""
    table = table or cast.table
    words = WORDS.get(command.name, lambda cast, table: [_plain(command)])(cast, table)
    may = [who for who in _WHO if who in RIGHTS[command.right]][:2]
    if more:
        words = [*words, *MORE.get(command.name, lambda cast, table: [])(cast, table)]
        if command.tag in _WHO_IN:
            may = [
                who
                for who in _WHO_IN[command.tag]
                if who in cast.people and who.removesuffix("_2") in RIGHTS[command.right]
            ]
    for word, who in itertools.product(words, may):
        for ids in _ids(command, cast, table, word):
            values = {**word, **ids}
            yield who, {**values, **read(command, values), **_signed(command, cast, who)}


def _plain(command: Declaration) -> dict[str, Any]:
    """What a command gives as its example, less the ids, which are of other rows, and the signature; days as days."""
    inputs = {each.name: each for each in command.inputs}
    by_key = {each.key: each.name for each in command.inputs}
    said = {by_key.get(key, key): value for key, value in command.example.items()}
    return {
        name: datetime.date.fromisoformat(value) if isinstance(inputs[name].kind, Day) else value
        for name, value in said.items()
        if name in inputs and not model_of(name)
    }


def _signed(command: Declaration, cast: Cast, who: str) -> dict[str, Staff]:
    if command.signature is None:
        return {}
    signs = _SIGNS_WITH.get(command.right, ()) + _SIGNS_IN.get(command.tag, ()) + _SIGNS
    return {
        command.signature.name: next(
            cast.people[each] for each in signs if each != who and each in cast.people
        )
    }


def _ids(command: Declaration, cast: Cast, table: Table, word: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every choice of rows for the ids that a command asks for and `word` does not name, the latest first."""
    asked = [
        each.name
        for each in command.inputs
        if each.required and model_of(each.name) and isinstance(each.kind, Whole) and each.name not in word
    ]
    for chosen in itertools.product(*(_rows(name, cast, table) for name in asked)):
        yield dict(zip(asked, chosen, strict=True))


def _rows(name: str, cast: Cast, table: Table) -> list[int]:
    model: Any = apps.get_model(model_of(name) or "")
    rows = model._default_manager.order_by("-pk")
    if name == "dealer_id":
        rows = rows.filter(employments__role=Role.DEALER, employments__room=cast.room)
    elif name == "shift_id":
        rows = rows.filter(room=cast.room)
    elif hasattr(model, "table"):
        rows = rows.filter(table=table)
    elif hasattr(model, "room"):
        rows = rows.filter(room=cast.room)
    return list(rows.values_list("pk", flat=True)[:12])


# --- What commands need beside ids ---------------------------------------------------------------------------------------


def _seats(cast: Cast, table: Table) -> list[int]:
    """The seats that may bet: all but the bank's."""
    state = cast.state(table)
    banks = state.live.bank_seat if state.live else state.turn.seat if state.turn else None
    return [seat for seat in sorted(state.seatings) if seat != banks]


def _of_providers(cast: Cast, table: Table) -> list[int]:
    """The seats of providers' players."""
    return [seat for seat, stay in cast.state(table).seatings.items() if stay.player.provider_id is not None]


def _bets(cast: Cast, table: Table) -> list[dict[str, Any]]:
    wagers = "ante", "bet", "player"
    return [
        {"positions": [{"seat": seat, "wagers": {wager: 1000}} for seat in _seats(cast, table)[:2]]}
        for wager in wagers
    ]


def _betting(cast: Cast, table: Table) -> list[int]:
    """The seats that have bet in the round in play."""
    live = cast.state(table).live
    return [] if live is None else [bet["seat"] for bet in live.bets]


def _settled(cast: Cast, table: Table) -> list[dict[str, Any]]:
    live = cast.state(table).live
    if live is None:
        return []
    if _rulebook(table) == "baccarat":
        return [{"hands": TWO_HANDS, "positions": []}]
    bets = [bet["seat"] for bet in live.bets]
    if _rulebook(table) == "ultimate_texas_holdem":
        folded = [{"seat": seat, "decision": "check check fold"} for seat in bets]
        return [{"hands": {"bank_hand": "Qs Js", "board": "9h 9c 4d 2c 7d"}, "positions": folded}]
    hands = [{"seat": seat, "hand": HANDS.get(seat, HANDS[7]), "decision": "play"} for seat in bets]
    return [{"bank_hand": BANK_HAND, "positions": hands}]


def _corrected(cast: Cast, table: Table) -> list[dict[str, Any]]:
    """The last round as it was recorded, with other wagers."""
    last = cast.state(table).last
    if last is None:
        return []
    by_hand = {} if last.sheet is None else {each["seat"]: each for each in last.sheet["positions"]}
    positions = [
        {
            "seat": bet["seat"],
            "wagers": {**bet["wagers"], next(iter(bet["wagers"])): 1500},
            **({"hand": by_hand[bet["seat"]]["hand"], "decision": "play"} if by_hand else {}),
        }
        for bet in last.bets
    ]
    bank = {} if last.house_banks else {"bank_wager_cents": last.bank_wager_cents}
    hand = {} if last.sheet is None else {"bank_hand": last.sheet["bank_hand"]}
    return [{"round_id": last.pk, **bank, **hand, "positions": positions, "reason": "misread"}]


def _recorded(cast: Cast, table: Table) -> list[dict[str, Any]]:
    """A whole round at the table by its rulebook, in which somebody beside the bank, or the house, has a wager."""
    state = cast.state(table)
    if not (seats := _seats(cast, table)) or not (state.turn or state.house_banks):
        return []
    seat = seats[-1]
    common: dict[str, Any] = {"rulebook": _rulebook(table), **_banked(state)}
    player = {"seat": seat, "player": state.seatings[seat].player.name}
    if common["rulebook"] == "baccarat":
        return [{"sheet": {**common, "positions": [{**player, "wagers": {"player": 1000}}], **TWO_HANDS}}]
    hand = {"hand": HANDS.get(seat, HANDS[7]), "decision": "play"}
    positions = [{**player, "wagers": {"ante": 1000}, **hand}]
    return [{"sheet": {**common, "bank_hand": BANK_HAND, "positions": positions}}]


def _banked(state: TableState) -> dict[str, Any]:
    """What a sheet says of its bank: nothing where nobody holds it, as at a table that the house banks."""
    return {} if state.turn is None else {"bank": {"seat": state.turn.seat, "wager": 20000}}


def _offered(cast: Cast, table: Table) -> list[dict[str, Any]]:
    seat = cast.state(table).step.seat
    return [] if seat is None else [{"seat": seat, "answer": "accepted"}]


def _free(cast: Cast, table: Table) -> int:
    return next(seat for seat in range(1, 12) if seat not in cast.state(table).seatings)


def _standing(cast: Cast) -> list[int]:
    return [player.pk for player in cast.waiting[:3]]


def _elsewhere(cast: Cast, table: Table) -> list[int]:
    """Who sits at another table of the room, whoever sat down last first."""
    there = Seating.objects.filter(table__room=cast.room, left_at__isnull=True).exclude(table=table)
    return list(there.order_by("-pk").values_list("player", flat=True))


def _waits(cast: Cast, **of: Any) -> list[dict[str, Any]]:
    """Who waits in the room, whoever came last first."""
    entries = WaitingEntry.objects.filter(room=cast.room, ended_at__isnull=True, **of)
    return [{"entry_id": pk} for pk in entries.order_by("-pk").values_list("pk", flat=True)]


def _items(cast: Cast, **more: Any) -> list[dict[str, Any]]:
    """Each exception of the room by itself, whichever was found last first."""
    items = Item.objects.filter(room=cast.room).order_by("-pk")
    return [{"items": [pk], **more} for pk in items.values_list("pk", flat=True)]


def _disputes(cast: Cast, **more: Any) -> list[dict[str, Any]]:
    """Each claim of the room by itself, the last one first."""
    disputes = Dispute.objects.filter(room=cast.room).order_by("-pk")
    return [{"dispute_id": pk, **more} for pk in disputes.values_list("pk", flat=True)]


def _settings(cast: Cast, table: Table) -> list[dict[str, Any]]:
    game = table.game or cast.game
    if table.schedule_id is None:
        return [table_settings(cast.room, rulebook=game.rulebook)]
    limits = cast.state(table).table.wager_limits or {}
    first = GameFiling.objects.filter(room=cast.room, status=Filing.Status.FILED, rulebook=game.rulebook)
    return [
        {
            "game_id": pk,
            "schedule_id": table.schedule_id,
            "wager_limits": {key: list(WIDE) for key in limits},
        }
        for pk in (game.pk, first.order_by("pk").values_list("pk", flat=True)[0])
    ]


def _shift(cast: Cast) -> list[int]:
    return list(cast.room.shifts.order_by("-pk").values_list("pk", flat=True))


def _boxes(cast: Cast, table: Table) -> list[dict[str, Any]]:
    hung = DropBox.objects.filter(room=cast.room, dropped_at=None)
    return [{"boxes": [box.pk]} for box in hung]


def _corrections(cast: Cast, table: Table) -> list[dict[str, Any]]:
    sheets = CountSheet.objects.filter(box__room=cast.room).order_by("-pk")[:6]
    pieces = [{**CHIPS[0], "pieces": 4}]
    return [
        {"box_id": each.box_id, "corrects": each.pk, "pieces": pieces, "reason": "overlooked"}
        for each in sheets
    ]


def _drafts(cast: Cast, key: str, model: str, **more: Any) -> list[dict[str, Any]]:
    rows: Any = apps.get_model(model)
    found = rows._default_manager.filter(room=cast.room, status=Filing.Status.DRAFT)
    return [{key: pk, **more} for pk in found.values_list("pk", flat=True)]


#: A levy that may be filed.
LEVY: dict[str, Any] = {
    "levied_by": "city",
    "authority": "City of Cache Slough",
    "source": "Code 5.24",
    "period": "month",
    "base": ["collection"],
    "lines": [{"per": "period", "fixed_cents": 100}],
}


def _document(cast: Cast) -> dict[str, Any]:
    document: dict[str, Any] = cast.schedule(1).document
    return document


def _games(cast: Cast, rulebook: str) -> list[int]:
    filed = GameFiling.objects.filter(room=cast.room, rulebook=rulebook, status=Filing.Status.FILED)
    return list(filed.values_list("number", flat=True))


def _pushes(cast: Cast, table: Table) -> list[dict[str, Any]]:
    """A push of the table alone, by each dealer who does not deal, in the place of the relief that waits there."""
    waits = Relief.objects.filter(table=table, down=None, ended_at=None).values_list("pk", flat=True).first()
    dealers = Staff.objects.filter(employments__role=Role.DEALER, employments__room=cast.room)
    free = (
        dealers.exclude(downs__ended_at=None, downs__isnull=False)
        .order_by("-pk")
        .values_list("pk", flat=True)
    )
    return [{"reliefs": [{"table": table.pk, "dealer": pk, "replaces": waits}]} for pk in free]


def _resets() -> list[dict[str, Any]]:
    """The requests for new passwords, whichever room asked."""
    return [{"reset_id": pk} for pk in PasswordReset.objects.order_by("-pk").values_list("pk", flat=True)]


def _imported(name: str) -> Callable[[Cast, Table], list[dict[str, Any]]]:
    """The example of a kind of files, with the digest of what an import of it would do now."""

    def words(cast: Cast, table: Table) -> list[dict[str, Any]]:
        kind = FILES[name].kind
        data = kind.example.encode()
        judged = kind.judged(cast.room, cast.people["room_manager"], {}, read_lines(kind.columns, data))
        return [{"content": base64.b64encode(data).decode(), "plan": plan_of(judged)}]

    return words


def _rulebook(table: Table) -> str:
    return table.game.rulebook if table.game else "california"


def _times(cast: Cast) -> dict[str, Any]:
    day = timezone.now().astimezone(cast.room.zone).date()
    return {"first": day, "last": day, "table": None, "shift": None}


def _rule(day: datetime.date) -> dict[str, Any]:
    shared = {"sharing": "hours", "support": "share", "support_bp": 1000, "support_roles": ["support"]}
    return {"title": "Tips", "effective_from": day, **shared}


#: What a command is given, by its name; ids that are left out are of each row that there is.
WORDS: dict[str, Callable[[Cast, Table], list[dict[str, Any]]]] = {
    "account_make": lambda c, t: [{"username": "kaguilar", "name": "Kim Aguilar", "password": PASSWORD}],
    "account_set": lambda c, t: [{"name": "Kim Aguilar"}],
    "exclusion_enter": lambda c, t: [{"kind": "self_excluded", "reason": "form of today", "ends_on": LATER}],
    "guest_seat": lambda c, t: [{"seat": _free(c, t)}],
    "licence_set": lambda c, t: [{"number": "WP-20418", "expires": LATER}],
    "password_ask": lambda c, t: [{"password": PASSWORD, "reason": "forgot it"}],
    "password_consent": lambda c, t: _resets(),
    "password_refuse": lambda c, t: _resets(),
    "password_set": lambda c, t: [{"password": PASSWORD}],
    "permit_set": lambda c, t: [{"number": "WP-20418", "expires": LATER}],
    "player_provider_set": lambda c, t: [
        {"provider_id": firm, "badge_number": "TPP-1042", "badge_expires": LATER}
        for firm in Provider.objects.filter(room=c.room).values_list("pk", flat=True)
    ],
    "role_give": lambda c, t: [{"person": c.people["support"].username, "role": "dealer"}],
    "seat_hold": lambda c, t: [{"seat": seat, "minutes": 10} for seat in _seats(c, t)],
    "seat_hold_end": lambda c, t: [{"seat": seat} for seat in _seats(c, t)],
    "staff_session_end": lambda c, t: [
        {"staff_id": staff, "session_id": pk}
        for pk, staff in UserSession.objects.order_by("-pk").values_list("pk", "user")
    ],
    "commands_set_aside": lambda c, t: [
        {
            "reason": "played on paper",
            "commands": [
                {
                    "command": "deal",
                    "title": "Deal",
                    "typed": [["Seat 4", "ante $20"]],
                    "at": "2026-11-18T19:00:00.000Z",
                    "by": "Ada",
                    "key": "0123",
                    "version": 12,
                }
            ],
        }
    ],
    "back_line_join": lambda c, t: [{"seat": 3, "player_id": each} for each in _standing(c)],
    "back_line_leave": lambda c, t: [{"seat": 3, "behind": 1}],
    "back_line_move": lambda c, t: [{"seat": 3, "behind": 1, "to_seat": _free(c, t)}],
    "bank_wager_set": lambda c, t: [{"bank_wager_cents": 30000}],
    "bets_close": lambda c, t: [{}],
    "bets_place": _bets,
    "board_show": lambda c, t: [{"cards": cards} for cards in ("9h 9c 4d", "9h 9c 4d 2c 7d", "")],
    "box_waive": lambda c, t: [{"reason": "late"}],
    "boxes_drop": _boxes,
    "boxes_place": lambda c, t: [
        {"boxes": [{"table": each, "number": 99, "kind": kind}]}
        for kind in ("drop", "jackpot")
        for each in Table.objects.filter(room=c.room).order_by("-pk").values_list("pk", flat=True)
    ],
    "buy_in": lambda c, t: [{"seat": seat, "cents": 2000} for seat in _seats(c, t)[:1]],
    "contract_end": lambda c, t: [{"reason": "replaced"}],
    "contract_enter": lambda c, t: [{"number": "P-12", "begins_on": datetime.date(2026, 1, 1)}],
    "count_again": lambda c, t: [{"pieces": CHIPS}],
    "count_correct": _corrections,
    "count_enter": lambda c, t: [{"pieces": CHIPS}],
    "decisions_record": lambda c, t: [
        {"positions": [{"seat": seat, "decision": decision}]}
        for seat in _betting(c, t)
        for decision in ("check", "4x", "2x", "1x")
    ],
    "deck_inspect": lambda c, t: [{"by": "dealer"}, {"by": "floor"}],
    "deck_place": lambda c, t: [{"colour": colour} for colour in ("green", "red")],
    "down_end": lambda c, t: [{}],
    "expiry_override": lambda c, t: [
        {"reason": "renewed", "dealer_id": c.people["dealer_4"].pk} for _ in range("dealer_4" in c.people)
    ],
    "fee_waive": lambda c, t: [
        *({"rule": "first_hand", "reason": "late", "seat": s} for s in _seats(c, t)[::-1]),
        {"rule": "bank_free", "reason": "late"},
    ],
    "game_discard": lambda c, t: _drafts(c, "game_id", "filings.GameFiling"),
    "game_document_attach": lambda c, t: _drafts(
        c, "game_id", "filings.GameFiling", name="approval.pdf", content=PDF
    ),
    "game_document_detach": lambda c, t: _drafts(c, "game_id", "filings.GameFiling"),
    "game_draft": lambda c, t: [{"number": 60, "rulebook": _rulebook(t), "options": {}}],
    "game_edit": lambda c, t: _drafts(c, "game_id", "filings.GameFiling", title="New", options={}),
    "game_file": lambda c, t: _drafts(
        c, "game_id", "filings.GameFiling", effective_from=LATER, state_reference="B"
    ),
    "hand_in_reverse": lambda c, t: [{"reason": "twice"}],
    "hours_enter": lambda c, t: [
        {"shift_id": s, "staff_id": c.people["support"].pk, "minutes": 60, "work": "host"} for s in _shift(c)
    ],
    "hours_reverse": lambda c, t: [{"reason": "twice"}],
    "irregularity_report": lambda c, t: [{"irregularity": "card_face_up"}],
    "line_up_set": lambda c, t: [
        {"strings": [{"name": "A", "tables": [t.pk], "dealers": [c.people["dealer"].pk]}]}
    ],
    "later_bets_place": lambda c, t: [
        {"positions": [{"seat": seat, "wagers": {wager: 500}}]}
        for seat in _betting(c, t)
        for wager in c.state(t).terms.later
    ],
    "item_camera_note": lambda c, t: [
        {"item_id": each["items"][0], "camera": "T14-B", "minute": "20:41"} for each in _items(c)
    ],
    "dispute_decide": lambda c, t: _disputes(c, outcome="denied", reason="paid as filed"),
    "dispute_open": lambda c, t: [{"claim": "says the ante was not paid"}],
    "review_ask": lambda c, t: _disputes(c, hold_until=LATER, note="the payout"),
    "review_end": lambda c, t: _disputes(c, note="paid as filed"),
    "obligation_give": lambda c, t: [{"owner_id": c.people["compliance"].pk}],
    "items_close": lambda c, t: _items(c),
    "items_explain": lambda c, t: _items(c, note="misdeal"),
    "items_give": lambda c, t: _items(c, owner_id=c.people["compliance"].pk),
    "items_note_down": lambda c, t: _items(c, note="asked"),
    "items_refer": lambda c, t: _items(c, to="the bureau", note="letter"),
    "items_reopen": lambda c, t: _items(c, note="seen again"),
    "lockout_lift": lambda c, t: [{"staff_id": c.people["dealer_2"].pk}],
    "background_report_start": lambda c, t: [{"report": "rotation", "options": {}, **_times(c)}],
    "background_statement_start": lambda c, t: [_times(c)],
    "meter_set": lambda c, t: [{"shown_cents": 250000, "reserve_cents": 0, "reason": "taken over"}],
    "offer_answer": _offered,
    "offers_decline": lambda c, t: [{}],
    "must_move_set": lambda c, t: [
        *({"to_table": pk} for pk in Table.objects.filter(room=c.room).values_list("pk", flat=True)),
        {"to_table": 0},
    ],
    "player_bring": lambda c, t: [{"seat": _free(c, t), "player_id": each} for each in _elsewhere(c, t)],
    "player_leave": lambda c, t: [{"seat": seat} for seat in _seats(c, t)[::-1]],
    "player_move": lambda c, t: [{"seat": seat, "to_seat": _free(c, t)} for seat in _seats(c, t)[::-1]],
    "player_seat": lambda c, t: [{"seat": _free(c, t), "player_id": each} for each in _standing(c)],
    **{f"{name}_import": _imported(name) for name in FILES},
    "levy_discard": lambda c, t: _drafts(c, "levy_id", "filings.Levy"),
    "levy_draft": lambda c, t: [{"number": 7, "document": LEVY}],
    "levy_edit": lambda c, t: _drafts(c, "levy_id", "filings.Levy", title="New", document=LEVY),
    "levy_file": lambda c, t: _drafts(c, "levy_id", "filings.Levy", effective_from=LATER),
    "pool_close": lambda c, t: [
        {"shift_id": s, "total_cents": cents} for s in _shift(c) for cents in (0, 700, 1400)
    ],
    "pool_rule_set": lambda c, t: [_rule(LATER)],
    "push_start": _pushes,
    "rack_close": lambda c, t: [{"seat": seat, "cents": 990_000} for seat in _of_providers(c, t)],
    "rack_hand_over": lambda c, t: [{"seat": seat, "cents": 1_000_000} for seat in _of_providers(c, t)],
    "rack_open": lambda c, t: [{"seat": seat, "cents": 1_000_000} for seat in _of_providers(c, t)],
    "relief_take": lambda c, t: [{}],
    "reliefs_confirm": lambda c, t: [{}],
    "reliefs_cancel": lambda c, t: [{}],
    "round_correct": _corrected,
    "round_open": lambda c, t: [{"bank_wager_cents": 20000}, {}],
    "round_record": _recorded,
    "round_settle": _settled,
    "schedule_discard": lambda c, t: _drafts(c, "schedule_id", "filings.FeeSchedule"),
    "schedule_draft": lambda c, t: [
        {"number": 60, "rulebook": _rulebook(t), "document": _document(c), "games": _games(c, _rulebook(t))}
    ],
    "schedule_edit": lambda c, t: _drafts(
        c,
        "schedule_id",
        "filings.FeeSchedule",
        title="New",
        document=_document(c),
        games=_games(c, _rulebook(t)),
    ),
    "schedule_file": lambda c, t: _drafts(
        c, "schedule_id", "filings.FeeSchedule", effective_from=LATER, state_reference="B"
    ),
    "shift_close": lambda c, t: [{"shift_id": s, "confirmed": True} for s in _shift(c)],
    "shift_open": lambda c, t: [{"name": "Grave"}],
    "stub_count": lambda c, t: [{"stub": 52, "dealt": 0}, {"stub": 46, "dealt": 6}, {"stub": 43, "dealt": 9}],
    "subscription_make": lambda c, t: [{"what": "shift_report", "address": "new@cardroom.example"}],
    "table_set": _settings,
    "waiting_add": lambda c, t: [
        {"game": number, "name": "Red cap"}
        for number in Table.objects.filter(room=c.room).values_list("game__number", flat=True)
        if number is not None
    ],
    "waiting_call": lambda c, t: _waits(c),
    "waiting_no_show": lambda c, t: _waits(c),
    "waiting_remove": lambda c, t: _waits(c),
    "waiting_seat": lambda c, t: [
        {**each, "seat": _free(c, t)} for each in ([] if t.game is None else _waits(c, game=t.game.number))
    ],
    "time_collect": lambda c, t: [{}],
    "time_take_back": lambda c, t: [{"reason": "twice"}],
    "tips_hand_in": lambda c, t: [
        {"shift_id": s, "dealer_id": c.people["dealer"].pk, "cents": 700} for s in _shift(c)
    ],
    "tray_close": lambda c, t: [{"chips": {"10000": 500}, "note": "counted"}],
    "tray_open": lambda c, t: [{"chips": {"10000": 500}, "note": "counted"}],
    "turn_end": lambda c, t: [{"reason": "wants to bet"}],
    "undo": lambda c, t: [{"reason": "entered by mistake"}],
    "variance_answer": lambda c, t: [{"status": "explained", "text": "found"}],
    "win_key": lambda c, t: [{"seat": seat} for seat in range(1, 8)],
}


# --- What they may be given beside that ------------------------------------------------------------------------------


def _progressive(cast: Cast, table: Table) -> list[dict[str, Any]]:
    wagers = {"ante": 1000, "progressive": 100}
    return [{"positions": [{"seat": seat, "wagers": wagers} for seat in _seats(cast, table)[:2]]}]


def _won(cast: Cast, table: Table) -> list[dict[str, Any]]:
    """A deal in which the first position wins a progressive, if it has bet on one."""
    live = cast.state(table).live
    seats = [] if live is None else [bet["seat"] for bet in live.bets]
    positions = [
        {"seat": seat, "hand": hand, "decision": "play"}
        for seat, hand in zip(seats, (WINNING, *WITH_IT), strict=False)
    ]
    return [{"bank_hand": LOW_HAND, "positions": positions}] if positions else []


def _charged_anew(cast: Cast, table: Table) -> list[dict[str, Any]]:
    """The last round with antes of the next band, and what these would have cost in the box."""
    return [
        {
            **word,
            "positions": [
                {**each, "wagers": {**each["wagers"], "ante": 10000}} for each in word["positions"]
            ],
            "drop": "as_due",
        }
        for word in _corrected(cast, table)
        if all("ante" in each["wagers"] for each in word["positions"])
    ]


def _two_positions(cast: Cast, table: Table) -> list[dict[str, Any]]:
    """A whole round of two positions, of a table that the house banks too."""
    state = cast.state(table)
    positions = [
        {
            "seat": seat,
            "player": state.seatings[seat].player.name,
            "wagers": {"ante": 1000},
            "hand": HANDS.get(seat, HANDS[7]),
            "decision": "play",
        }
        for seat in _seats(cast, table)[:2]
    ]
    common = {"rulebook": _rulebook(table), **_banked(state)}
    return [{"sheet": {**common, "bank_hand": BANK_HAND, "positions": positions}}]


#: What commands are given beside `WORDS`, by name.
MORE: dict[str, Callable[[Cast, Table], list[dict[str, Any]]]] = {
    "bets_place": _progressive,
    "round_correct": _charged_anew,
    "round_record": _two_positions,
    "round_settle": _won,
}
