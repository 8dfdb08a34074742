"""Commands that an expired badge or permit may refuse, and the command by which a supervisor overrides that."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Callable
from typing import Annotated, Concatenate, ParamSpec, TypedDict, Unpack

from cardroom.core.commands import CommandOptions, declare
from cardroom.core.json_types import Id, Label, Reason, Signature
from cardroom.people.models import Player, Staff
from cardroom.people.names import referring
from cardroom.people.permits import Expiry, badge_expired, expiring, local_day, permit_expired
from cardroom.people.rights import RIGHTS, Right, why_not_may
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from games.phrases import Phrase, no_capital

from ..alerts import alert_clear, alert_raise
from ..errors import BadInput, Busy, Forbidden, NotNow, WhyNot
from ..execution.carry_out import Answer, CommandMeta, Returned, TableCommand, table_command
from ..execution.clock import command_time
from ..execution.locks import locked
from ..execution.transactions import TableTransaction
from ..expiry import BADGE_EXPIRED, override_of, without_advice
from ..models import Alert, ExpiryOverride, Seating, Table
from ..reads.table_state import TableState
from .procedures import supervisor_of
from .second_person import given_reason

P = ParamSpec("P")
_Supervisor = Annotated[Staff, Signature(Right.OVERRIDE_EXPIRY)]


class Expired(NotNow):
    """A command was refused since a badge or permit has expired; `subject` is whose."""

    def __init__(self, why: WhyNot, subject: str) -> None:
        super().__init__(why.code, why.message)
        self.subject = subject


class PermittedCommand(TableCommand[P]):
    """A command at a table that an expired badge or permit may refuse: the refusal raises an alert.

    The refused command has written nothing. The alert is a transaction of its own after it, and stands, as over, until
    a member of the floor staff has answered it.
    """

    def __call__(self, meta: CommandMeta, table_id: int, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        try:
            return super().__call__(meta, table_id, *args, **kwargs)
        except Expired as refused:
            with contextlib.suppress(Busy):
                _alert(meta.actor, table_id, refused)
            raise

    def refused(self, state: TableState, why: WhyNot) -> NotNow:
        return refusal_of(why, None if state.turn is None else state.seatings.get(state.turn.seat))


def permitted_command(
    where: str, right: Right, **options: Unpack[CommandOptions]
) -> Callable[[Callable[Concatenate[TableTransaction, P], Returned]], PermittedCommand[P]]:
    """Declare a command at a table that an expired badge or permit may refuse."""
    return lambda function: declare(PermittedCommand(function=function, where=where, right=right, **options))


def refusal_of(why: WhyNot, sitting: Seating | None) -> NotNow:
    """Return the refusal of a command of the player at a seat: of the kind that raises an alert where a badge has expired."""
    if why.code == BADGE_EXPIRED and sitting is not None:
        return Expired(why, f"player:{sitting.player_id}")
    return NotNow.because(why)


def _alert(actor: Staff, table_id: int, refused: Expired) -> None:
    with locked(Table, table_id, "room") as table:
        refusal_alert(TableTransaction(table=table, actor=actor, now=command_time(table).now), refused)


def refusal_alert(tx: TableTransaction, refused: Expired) -> None:
    """Raise the alert of a command that was refused, which is over at once, at a table that is locked."""
    kind, _, pk = refused.subject.partition(":")
    whose = Player.objects.filter(pk=pk) if kind == "player" else ()
    text = referring(f"Turned away: {no_capital(without_advice(refused.message))}", whose)
    alert_raise(tx, Alert.Kind.PERMIT_EXPIRED, refused.subject, text)
    alert_clear(tx, Alert.Kind.PERMIT_EXPIRED, refused.subject)


class OverrideAnswer(TypedDict):
    """An override was recorded."""

    override: int


@table_command(
    "POST expiry-overrides",
    Right.SEAT_PLAYERS,
    no_check="it depends on the person whose badge or permit has expired",
    title=Phrase("Override an expired badge or permit"),
    tag="Seats",
    example={"player_id": 12, "reason": "renewal seen, number to follow"},
    page="override-expiry",
    menu="more",
    done=Phrase("The override is recorded."),
)
def expiry_override(
    tx: TableTransaction,
    *,
    reason: Annotated[Reason, Label(Phrase("Why"))],
    player_id: Annotated[Id, "A provider's player whose badge has expired."] | None = None,
    dealer_id: Annotated[Id, "A dealer whose work permit has expired."] | None = None,
    approver: _Supervisor | None = None,
) -> OverrideAnswer:
    """Let a provider's player sit and bank, or a dealer deal, on an expired badge or permit, for this gaming day.

    A supervisor gives it, or signs it at the dealer's screen, for a reason, never for themself.
    """
    expired = _expired(tx, player_id, dealer_id)
    supervisor = supervisor_of(tx, approver, Right.OVERRIDE_EXPIRY)
    if dealer_id == supervisor.pk:
        raise Forbidden(
            "second_person_required",
            Phrase("Nobody overrides their own permit: ask another supervisor."),
            path="approver",
        )
    if (before := override_of(tx.room, tx.now, expired)) is not None:
        raise NotNow(
            "overridden_before",
            Phrase(
                "{ordered_by} has overridden it for this gaming day already.", ordered_by=before.ordered_by
            ),
        )
    made = ExpiryOverride.objects.create(
        room=tx.room,
        table=tx.table,
        player_id=player_id,
        staff_id=dealer_id,
        what=expired.what,
        number=expired.number,
        expired_on=expired.expires,
        gaming_day=gaming_day(tx.room, tx.now),
        reason=given_reason(reason, Phrase("An override")),
        made_at=tx.now,
        recorded_by=tx.actor,
        ordered_by=supervisor,
    )
    tx.journal(
        "expiry_override",
        {
            "override": made.pk,
            "player": player_id,
            "dealer": dealer_id,
            "name": expired.person,
            "what": made.what,
            "number": made.number,
            "expired_on": made.expired_on.isoformat(),
            "gaming_day": made.gaming_day.isoformat(),
            "ordered_by": {"id": supervisor.pk, "name": str(supervisor)},
        },
        reason=made.reason,
    )
    return {"override": made.pk}


def expired_people(room: Room, now: datetime.datetime) -> list[Expiry]:
    """Return the players of providers and the dealers of a room whose badge or permit has expired, less the overridden."""
    day = local_day(room, now)
    overridden = {
        f"player:{each.player_id}" if each.player_id is not None else f"staff:{each.staff_id}"
        for each in ExpiryOverride.objects.filter(room=room, gaming_day=gaming_day(room, now))
    }
    return [
        expiry
        for expiry in expiring(room, day, roles=RIGHTS[Right.RUN_ROUNDS])
        if expiry.expires < day and expiry.subject not in overridden
    ]


def _expired(tx: TableTransaction, player_id: int | None, dealer_id: int | None) -> Expiry:
    """Return what has expired of the one person that is named. Raises BadInput, and NotNow where nothing has."""
    if (player_id is None) == (dealer_id is None):
        raise BadInput("one_person", Phrase("Name either a player or a dealer."), path="player_id")
    day = local_day(tx.room, tx.now)
    if player_id is not None:
        player = Player.objects.filter(pk=player_id, room=tx.room).first()
        if player is None:
            raise BadInput(
                "unknown_player",
                Phrase("This room has no player {player_id}.", player_id=player_id),
                path="player_id",
            )
        name, expired = str(player), badge_expired(player, day)
    else:
        assert dealer_id is not None  # one of the two is named
        dealer = Staff.objects.filter(pk=dealer_id).first()
        if dealer is None or why_not_may(dealer, Right.RUN_ROUNDS, tx.room):
            raise BadInput(
                "unknown_dealer",
                Phrase("Nobody with number {dealer_id} deals in this room.", dealer_id=dealer_id),
                path="dealer_id",
            )
        name, expired = str(dealer), permit_expired(tx.room, dealer, day)
    if expired is None:
        raise NotNow(
            "not_expired", Phrase("Nothing of {name} has expired: there is nothing to override.", name=name)
        )
    return expired
