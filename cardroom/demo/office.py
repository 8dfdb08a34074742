"""What the demo's office does in the mornings of its past: contracts, badges, obligations, exclusions, a guest named, claims and exceptions worked off."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping
from typing import Final

from django.db.models import QuerySet

from cardroom.floor.commands.accounts import licence_set
from cardroom.floor.commands.exclusions import exclusion_enter
from cardroom.floor.commands.players import player_add, player_merge, player_provider_set
from cardroom.floor.commands.providers import contract_enter, provider_add
from cardroom.floor.execution.locks import lock_row
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import ExpiryOverride
from cardroom.inbox.commands.disputes import dispute_decide, review_ask
from cardroom.inbox.commands.items import items_close, items_explain, items_give, items_refer
from cardroom.inbox.disputes import CODE as CLAIM
from cardroom.inbox.models import Dispute, Item
from cardroom.inbox.search import room_search
from cardroom.people.models import Employment, Exclusion, Player, Role, Staff
from cardroom.people.permits import local_day
from cardroom.rooms.gaming_day import gaming_day_bounds
from cardroom.rooms.models import Room

from .floor_plan import PROPOSITION_PLAYERS
from .obligations import duties_done, duties_entered
from .simulation.mishaps import CLAIMS, Mishap
from .simulation.people import People

Instant = datetime.datetime
#: The provider under contract has four authorized players; a second one the others.
AUTHORIZED: Final = PROPOSITION_PLAYERS[:4]
SECOND_PROVIDER: Final = "Delta Third-Party Players"
_CONTRACTS: Final = ("CPS-2025-014", "DTP-2025-003")
_CONTRACT_BEGAN: Final = datetime.date(2025, 1, 1)
#: In how many days that of the second one ends.
_CONTRACT_ENDS: Final = datetime.timedelta(days=40)
#: Whose badge has run out, and how many days ago; whose work permit had, until it was renewed; both within a past that is longer.
EXPIRED_PLAYER, EXPIRED_DAYS = "Zoe Winslow", 5
_EXPIRED_DEALER, _PERMIT_DAYS = "dealer6", 11
#: How long after it a badge, permit or exclusion holds.
_A_YEAR: Final = datetime.timedelta(days=365)
#: Exclusions by how many days ago they were entered: who, of which kind, why, and for how many days (None: until lifted).
_EXCLUSIONS: Final = {
    28: ("Dale Hutchins", Exclusion.Kind.SELF_EXCLUDED, "Form signed at the cage", 365),
    17: ("Marvin Oakes", Exclusion.Kind.BARRED, "Threw chips at a dealer; told on leaving", 90),
    9: ("Lucille Pratt", Exclusion.Kind.BY_ORDER, "Letter of the Bureau, received today", None),
}
#: How many days ago the guest who came last gave a name that the room knows.
_NAMED, _NAMED_WHY = 12, "Gave the name at the podium; the photo on file agrees"
#: Exceptions are worked off on Mondays and Thursdays: those older than two days are explained, of the others it is said who is to
#: explain them. The second signature comes later, so that what happened in the last nine days is not closed.
_WORKED_OFF: Final = (0, 3)
_FRESH, _UNSIGNED = datetime.timedelta(days=2), datetime.timedelta(days=9)
#: What is referred and not explained: exceptions of the rotation in the last days.
_REFERRED, _REFERRED_DAYS = "rotation", datetime.timedelta(days=20)
_REFERRED_TO: Final = "Bureau of Gambling Control"
_REFERRED_WHY: Final = "Reported by letter with the offers of the evening; the answer is awaited"
#: A claim is looked at on the next morning: surveillance reviews it, and holds its recordings for so long, or it is decided.
_HELD: Final = datetime.timedelta(days=45)
_REVIEW: Final = "Round and payout on the camera of the table, from the deal on"
_DECIDED: Final = "The camera shows the chips of the wager as they were recorded; shown to the player"
#: What explains an exception, by its kind.
_EXPLAINED: Final[Mapping[str, str]] = {
    "void": "Seen on video with the dealer: the stakes went back at once",
    "correction": "Video and chips of the bet agree with the correction",
    "waiver": "Within the published rule: two positions or fewer",
    "override": "The renewal is on file since",
    "badge": "The person did not play or deal before it was in order",
    "variance": "The chips were found with the day's next count, and were given back against signature",
    "tablet": "The tablet was on its charger; nothing was dealt meanwhile",
    "rotation": "Dealer spoken with, and the order of offers gone through at the shift's meeting",
}
_OTHERWISE: Final = "Looked at with those who were there; nothing is left open"


@dataclasses.dataclass(frozen=True)
class Office:
    """The office of the demo's room, in a past of so many `days` before `today`."""

    days: int
    today: datetime.date

    def morning(self, room: Room, people: People, now: Instant) -> None:
        """Do what there is to do on the morning `now`."""
        before = (self.today - local_day(room, now)).days
        if before == self.days:
            self._files_set_up(room, people, now)
        self._permits_renewed(room, people, now)
        duties_done(
            RoomTransaction.at_instant(lock_row(Room, room.pk), people.compliance, now), people.room_manager
        )
        if before in _EXCLUSIONS:
            self._excluded(room, people, now, before)
        if before == _NAMED:
            self._guest_named(room, people, now)
        self._claims_answered(room, people, now)
        if now.astimezone(room.zone).weekday() in _WORKED_OFF:
            self._exceptions_worked_off(room, people, now)

    def _files_set_up(self, room: Room, people: People, now: Instant) -> None:
        """Enter contracts, badges, permits, and what the room is to do."""
        by = RoomTransaction.at_instant(lock_row(Room, room.pk), people.room_manager, now)
        first = room.providers.order_by("pk").get()
        second = provider_add.run(by, name=SECOND_PROVIDER, contract_number=_CONTRACTS[1])["provider"]
        for provider, number in zip((first.pk, second), _CONTRACTS, strict=True):
            contract_enter.run(
                by,
                provider_id=provider,
                number=number,
                begins_on=_CONTRACT_BEGAN,
                ends_on=self.today + _CONTRACT_ENDS if provider != first.pk else None,
            )
        players = {player.name: player.pk for player in room.players.all()}
        for place, name in enumerate(PROPOSITION_PLAYERS):
            expires = self.today + _A_YEAR - datetime.timedelta(days=37 * place)
            if name == EXPIRED_PLAYER and self.days > EXPIRED_DAYS:
                expires = self.today - datetime.timedelta(days=EXPIRED_DAYS)
            player_provider_set.run(
                by,
                player_id=players[name],
                provider_id=first.pk if name in AUTHORIZED else second,
                badge_number=f"TPP-{20417 + 13 * place}",
                badge_expires=expires,
            )
        for place, dealer in enumerate(_dealers(room)):
            expires = self.today + _A_YEAR - datetime.timedelta(days=29 * place)
            if dealer.username == _EXPIRED_DEALER and self.days > _PERMIT_DAYS:
                expires = self.today - datetime.timedelta(days=_PERMIT_DAYS)
            licence_set.run(by, staff_id=dealer.pk, number=f"WP-{61120 + 7 * place}", expires=expires)

        duties_entered(_as(by, people.compliance), people.compliance, self.today)

    def _permits_renewed(self, room: Room, people: People, now: Instant) -> None:
        """Enter the renewed permit of a dealer whose old one was overridden."""
        overridden = ExpiryOverride.objects.filter(room=room, staff__isnull=False)
        for override in overridden.select_related("staff").order_by("pk"):
            dealer = override.staff
            if dealer is not None and dealer.licence_expires == override.expired_on:
                by = RoomTransaction.at_instant(lock_row(Room, room.pk), people.room_manager, now)
                expires = override.expired_on + 2 * _A_YEAR
                licence_set.run(by, staff_id=dealer.pk, number=dealer.licence_number, expires=expires)

    def _excluded(self, room: Room, people: People, now: Instant, before: int) -> None:
        name, kind, reason, days = _EXCLUSIONS[before]
        by = RoomTransaction.at_instant(lock_row(Room, room.pk), people.compliance, now)
        ends = None if days is None else local_day(room, now) + datetime.timedelta(days=days)
        player = player_add.run(_as(by, people.room_manager), name=name)["player"]
        exclusion_enter.run(by, player_id=player, kind=kind, reason=reason, ends_on=ends)

    def _guest_named(self, room: Room, people: People, now: Instant) -> None:
        """Merge the guest who came last into a player who had been there before, and is not at the room now."""
        guests = Player.objects.filter(room=room, is_guest=True, merged_into__isnull=True)
        known = Player.objects.filter(
            room=room, is_guest=False, provider__isnull=True, merged_into__isnull=True
        )
        guest = guests.order_by("-pk").first()
        player = known.exclude(exclusions__isnull=False).order_by("-pk").first()
        if guest is not None and player is not None:
            by = RoomTransaction.at_instant(lock_row(Room, room.pk), people.floors[0], now)
            player_merge.run(
                by, player_id=guest.pk, into_id=player.pk, reason=_NAMED_WHY, approver=people.room_manager
            )

    def _claims_answered(self, room: Room, people: People, now: Instant) -> None:
        """Have a claim that nobody has looked at reviewed, or decide it."""
        claims = Dispute.objects.filter(room=room, outcome="", review_asked_at__isnull=True)
        for dispute in claims.order_by("pk"):
            by = RoomTransaction.at_instant(lock_row(Room, room.pk), people.compliance, now)
            if dispute.claim == CLAIMS[Mishap.CLAIM_ANSWERED]:
                outcome = str(Dispute.Outcome.DENIED)
                dispute_decide.run(by, dispute_id=dispute.pk, outcome=outcome, reason=_DECIDED)
            else:
                held = local_day(room, now) + _HELD
                review_ask.run(by, dispute_id=dispute.pk, hold_until=held, note=_REVIEW)

    def _exceptions_worked_off(self, room: Room, people: People, now: Instant) -> None:
        """Find the room's exceptions up to `now`, and work them off: one person explains them, another signs for the closing."""
        room_search(room.pk, now)
        by = RoomTransaction.at_instant(lock_row(Room, room.pk), people.compliance, now)
        today = gaming_day_bounds(room, self.today)[0]
        items = Item.objects.filter(room=room, closed_at__isnull=True).order_by("kind", "pk")
        for kind in list(dict.fromkeys(items.values_list("kind", flat=True))):
            of_kind = items.filter(kind=kind)
            if new := _ids(of_kind.filter(owner__isnull=True)):
                items_give.run(_as(by, people.room_manager), items=new, owner_id=people.compliance.pk)
            old = of_kind.filter(state=Item.State.OPEN, happened_at__lt=now - _FRESH)
            referred = old.filter(happened_at__gt=today - _REFERRED_DAYS)
            if kind == _REFERRED and (late := _ids(referred)):
                items_refer.run(by, items=late, to=_REFERRED_TO, note=_REFERRED_WHY)
            # What a claim comes to is decided, and thereby explained.
            if kind != CLAIM and (unexplained := _ids(old)):
                items_explain.run(by, items=unexplained, note=_EXPLAINED.get(kind, _OTHERWISE))
            signed = of_kind.filter(state=Item.State.EXPLAINED, happened_at__lt=today - _UNSIGNED)
            if explained := _ids(signed):
                items_close.run(by, items=explained, approver=people.room_manager)


def _ids(items: QuerySet[Item]) -> list[int]:
    return list(items.values_list("pk", flat=True))


def _as(by: RoomTransaction, actor: Staff) -> RoomTransaction:
    """The same place and instant for another person."""
    return RoomTransaction.at_instant(by.room, actor, by.now)


def _dealers(room: Room) -> list[Staff]:
    held = Employment.objects.filter(room=room, role=Role.DEALER).select_related("staff").order_by("pk")
    return [each.staff for each in held]
