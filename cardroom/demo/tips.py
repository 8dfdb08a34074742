"""Records the demo room's tips: a rule, what two dealers have handed in, and a chip runner's hours."""

from __future__ import annotations

from typing import Any, Final

from cardroom.floor.models import Down, Shift
from cardroom.rooms.gaming_day import gaming_day
from cardroom.tips.commands.entries import hours_enter, tips_hand_in
from cardroom.tips.commands.rules import pool_rule_set
from cardroom.tips.models import HandIn, PoolRule

from .demo_room import DemoRoom

#: The rule of the invented rooms: dealers pool by hours, and a tenth goes to the chip runner.
TIP_RULE: Final[dict[str, Any]] = {
    "title": "House pool",
    "sharing": PoolRule.Sharing.HOURS,
    "break_minutes": 30,
    "support": PoolRule.Support.SHARE,
    "support_bp": 1000,
    "support_roles": ["support"],
}
#: What each dealer has handed in, in cents.
HANDED: Final = {"dealer": (1700, 450), "dealer2": (900,)}
#: At the most: nobody has worked longer than the shift has lasted.
RUNNER_MINUTES: Final = 240


def tips_shared(demo: DemoRoom) -> None:
    """Let the dealers pool by hours, a tenth for the chip runner, and hand some tips in; what is there already stays."""
    if not PoolRule.objects.filter(room=demo.room).exists():
        demo.at_room(
            "roommanager",
            pool_rule_set,
            **TIP_RULE,
            effective_from=gaming_day(demo.room, demo.clock.now),
        )
    shift = Shift.objects.get(room=demo.room, closed_at__isnull=True)
    if HandIn.objects.filter(shift=shift).exists():
        return
    for who, amounts in HANDED.items():
        dealer = demo.staff[who]
        down = Down.objects.filter(room=demo.room, dealer=dealer, ended_at__isnull=True).first()
        for cents in amounts:
            demo.at_room(
                "floor",
                tips_hand_in,
                shift_id=shift.pk,
                dealer_id=dealer.pk,
                cents=cents,
                down_id=None if down is None else down.pk,
            )
    demo.at_room(
        "floor",
        hours_enter,
        shift_id=shift.pk,
        staff_id=demo.staff["runner"].pk,
        minutes=max(1, min(RUNNER_MINUTES, int((demo.clock.now - shift.opened_at).total_seconds() // 60))),
        work="chip runner",
    )
