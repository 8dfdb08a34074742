"""Generates the people of a simulated month, who work and play there: invented, the same for the same seed."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Callable, Iterable, Sequence

from cardroom.people.models import Employment, Player, Provider, Role, Staff
from cardroom.rooms.models import Room

from .habits import Habits, habits_drawn

_FIRST = (
    *("Abel", "Adela", "Alma", "Amir", "Anita", "Arlo", "Bea", "Bruno", "Carla", "Cesar", "Chen", "Cleo"),
    *("Dario", "Delia", "Dong", "Edith", "Elio", "Emil", "Fern", "Flora", "Gabe", "Gia", "Hugo", "Ines"),
    *("Ivo", "Jada", "Joon", "Kara", "Kofi", "Lars", "Leona", "Lin", "Mara", "Milo", "Nadia", "Nils"),
    *("Odell", "Opal", "Paco", "Petra", "Quan", "Rhea", "Rico", "Sana", "Seth", "Tala", "Theo", "Uma"),
    *("Vera", "Wade", "Xenia", "Yael", "Yuri", "Zane"),
)
_LAST = (
    *("Abbott", "Aoki", "Arroyo", "Bautista", "Bell", "Calloway", "Chavez", "Cho", "Dang", "Diaz", "Doyle"),
    *(
        "Espino",
        "Farrow",
        "Gallo",
        "Garza",
        "Hale",
        "Hsu",
        "Ibarra",
        "Jensen",
        "Kaur",
        "Khan",
        "Lam",
        "Lozano",
    ),
    *("Mendez", "Moss", "Nava", "Ng", "Ochoa", "Olsen", "Pham", "Prado", "Quinn", "Rios", "Rocha", "Saito"),
    *("Salas", "Singh", "Sosa", "Tran", "Ueda", "Vang", "Vega", "Wong", "Xiong", "Yang", "Zamora"),
)
#: Of a table's seats in a day so many different people play there.
_PLAYERS_A_TABLE = 22
#: Beside a room's own players so many others come.
_OTHERS = 40
SHIFTS = ("Day", "Swing", "Graveyard")


@dataclasses.dataclass(frozen=True)
class Guest:
    """A player and what they are like."""

    player: Player
    habits: Habits

    @property
    def proposition(self) -> bool:
        """Whether a provider pays them to play."""
        return self.player.provider_id is not None


@dataclasses.dataclass(frozen=True)
class People:
    """All people of a simulated room. `dealers` and `floors` are by the number of the shift: each has its own."""

    manager: Staff
    room_manager: Staff
    compliance: Staff
    runner: Staff
    counters: list[Staff]
    floors: list[Staff]
    dealers: list[list[Staff]]
    regulars: list[Guest]
    propositions: list[Guest]


def people_of(
    room: Room,
    *,
    tables: int,
    seed: int,
    limits: tuple[int, int | None],
    one_crew: bool = False,
    paid: Sequence[str] = (),
) -> People:
    """Return the people of `room`, those who are missing made: enough to play at so many tables.

    Names and habits come of the seed alone. A person who was made before is the same one again. With `one_crew` the room's
    own dealers and floor work in every shift, with as many more as the tables need, and its own players come beside fewer others;
    `paid` are the names of the providers' players.
    """
    chance = random.Random(f"{seed} people")  # noqa: S311  # invented people, no secret
    names = [f"{first} {last}" for first, last in itertools.product(_FIRST, _LAST)]
    chance.shuffle(names)
    unnamed = iter(names)
    in_a_shift = tables + (tables + 2) // 3
    if one_crew:
        crew = [_holder(room, Role.DEALER, place, named=lambda: next(unnamed)) for place in range(in_a_shift)]
        dealers, floors = [crew] * len(SHIFTS), [_holder(room, Role.FLOOR)] * len(SHIFTS)
    else:
        dealers = [
            [
                _employed(room, Role.DEALER, f"dealer-{shift[0].lower()}{number}", next(unnamed))
                for number in range(1, in_a_shift + 1)
            ]
            for shift in SHIFTS
        ]
        floors = [_employed(room, Role.FLOOR, f"floor-{shift[0].lower()}", next(unnamed)) for shift in SHIFTS]
    provider = room.providers.order_by("pk").first() or Provider.objects.create(
        room=room, name="Cordelia Proposition Services"
    )
    there = {player.name: player for player in room.players.all()}

    def guests(names: Iterable[str], of: Provider | None) -> list[Guest]:
        found = []
        for name in names:
            player = there.get(name) or Player.objects.create(room=room, name=name, provider=of)
            found.append(Guest(player, habits_drawn(chance, proposition=of is not None, limits=limits)))
        return found

    own = [name for name, player in sorted(there.items()) if player.provider_id is None] if one_crew else []
    others = _OTHERS if one_crew else tables * _PLAYERS_A_TABLE
    made = tables + tables // 2 + 1

    return People(
        manager=_holder(room, Role.SHIFT_MANAGER),
        room_manager=_holder(room, Role.ROOM_MANAGER),
        compliance=_holder(room, Role.COMPLIANCE),
        runner=_holder(room, Role.SUPPORT),
        counters=[_holder(room, Role.COUNT, place) for place in range(3)],
        floors=floors,
        dealers=dealers,
        regulars=guests([*own, *itertools.islice(unnamed, others)], None),
        propositions=guests(paid or list(itertools.islice(unnamed, made)), provider),
    )


def _holder(room: Room, role: Role, place: int = 0, *, named: Callable[[], str] | None = None) -> Staff:
    """The person at `place` among those who hold `role` and work here still; a new one where there are fewer."""
    roles = Employment.objects.filter(room=room, role=role, staff__is_active=True)
    found = list(roles.select_related("staff").order_by("pk")[place : place + 1])
    if found:
        return found[0].staff
    name = f"{role.label} {place + 1}" if named is None else named()
    return _employed(room, role, f"{role}-{place + 1}", name)


def _employed(room: Room, role: Role, name: str, display_name: str) -> Staff:
    """A person of the room by user name. An account made for the simulation cannot sign in."""
    username = f"{room.code}-{name}"
    person, new = Staff.objects.get_or_create(username=username, defaults={"display_name": display_name})
    if new:
        person.set_unusable_password()
        person.save(update_fields=["password"])
    Employment.objects.get_or_create(staff=person, room=room, role=role)
    return person
