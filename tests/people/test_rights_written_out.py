"""The table of rights and the duties that are kept apart, written out a second time: a right given by mistake shows here."""

from __future__ import annotations

from cardroom.people.duties import APART, DUTIES, Duty
from cardroom.people.models import Role
from cardroom.people.rights import RIGHTS, Right

#: Dealer, floor, shift manager, count team, compliance, room manager, provider lead, inspector, surveillance, support staff, program.
_LETTERS = dict(zip("dfsncrpivug", Role, strict=True))
_HELD = """
    see_floor                  d f s . c r . i v . .
    run_rounds                 d f s . . . . . . . .
    run_rounds_anywhere        . f s . . . . . . . .
    seat_players               d f s . . . . . . . .
    keep_players               . f s . . r . . . . .
    call_waiting               d f s . . r . . . . .
    see_exclusions             . . s . c r . i v . .
    keep_exclusions            . . s . c r . . . . .
    open_tables                . f s . . . . . . . .
    set_tables                 . f s . . r . . . . .
    change_dealer              . f s . . . . . . . .
    take_over                  d f s . . . . . . . .
    answer_alerts              . f s . . . . . . . .
    supervise                  . f s . . . . . . . .
    confirm_wins               . f s . . . . . . . .
    keep_tray                  . f s . . . . . . . .
    witness_rack               . f s . . . . . . . .
    waive_fees                 . f s . . . . . . . .
    override_expiry            . f s . . . . . . . .
    approve_correction         . f s . . . . . . . .
    approve_void_before_deal   . f s . . . . . . . .
    approve_void_after_deal    . . s . . . . . . . .
    run_shifts                 . . s . . . . . . . .
    see_boxes                  . f s n c r . i v . .
    drop_boxes                 . f s n . . . . . . .
    count                      . . . n . . . . . . .
    recount                    . . s n . . . . . . .
    correct_counts             . . s n . . . . . . .
    see_counts                 . . s n c r . i v . .
    answer_variances           . . s . c . . . . . .
    see_own_tips               d f s n c r . i v u .
    see_tips                   . . s . c r . i v . .
    keep_tips                  . f s . . . . . . . .
    close_tips                 . . s . . . . . . . .
    set_tips                   . . . . . r . . . . .
    see_reports                . . s . c r . i v . .
    see_statements             . . . . c r p i . . .
    take_claims                . f s . c r . . . . .
    see_items                  . . s . c r . i v . .
    work_items                 . . s . c r . . . . .
    end_reviews                . . . . c . . . v . .
    see_obligations            . . s . c r . i . . .
    keep_obligations           . . . . c r . . . . .
    try_again                  . . s . c r . . . . .
    subscribe                  . . . . c r . . . . .
    verify                     . . . . c . . i . . .
    file_schedules             . . . . c r . . . . .
    approve_filing             . . . . c r . . . . .
    lift_lockouts              . f s . . r . . . . .
    see_who_signs              d f s n c r . . . . .
    approve_administration     . . . . c r . . . . .
    set_people                 . . . . . r . . . . .
"""
_MEETS_NOT = """
    dealer           count compliance room_manager provider_lead inspector surveillance
    floor            count compliance room_manager provider_lead inspector surveillance
    shift_manager    count compliance room_manager provider_lead inspector surveillance
    count            dealer floor shift_manager compliance room_manager provider_lead inspector surveillance
    compliance       dealer floor shift_manager count room_manager provider_lead inspector surveillance
    room_manager     dealer floor shift_manager count compliance provider_lead inspector surveillance
    provider_lead    dealer floor shift_manager count compliance room_manager inspector surveillance support
    inspector        dealer floor shift_manager count compliance room_manager provider_lead surveillance support
    surveillance     dealer floor shift_manager count compliance room_manager provider_lead inspector support
    support          provider_lead inspector surveillance
    program          dealer floor shift_manager count compliance room_manager provider_lead inspector surveillance support
"""


def test_each_right_is_held_by_the_roles_of_this_table_and_no_other() -> None:
    written = {}
    for line in _HELD.split("\n")[1:-1]:
        name, *marks = line.split()
        written[Right[name.upper()]] = frozenset(_LETTERS[mark] for mark in marks if mark != ".")
    assert written.keys() == set(Right)
    assert {right: RIGHTS.get(right, frozenset()) for right in Right} == written


def test_the_roles_that_never_meet_in_one_person_are_these() -> None:
    written = set()
    for line in _MEETS_NOT.split("\n")[1:-1]:
        role, *others = (Role(name) for name in line.split())
        written |= {frozenset({role, other}) for other in others}
    assert written == APART


def test_what_weakens_protection_or_says_who_may_do_what_takes_a_second_person() -> None:
    signed = {
        Duty.GIVE_ROLE,
        Duty.TAKE_ROLE,
        Duty.SET_PASSWORD,
        Duty.TAKE_FACTOR_OFF,
        Duty.CHANGE_ACCOUNT,
        Duty.CHANGE_ROOM,
        Duty.MAKE_PROGRAM,
    }
    written = {duty: Right.APPROVE_ADMINISTRATION if duty in signed else None for duty in Duty}
    written[Duty.RESET_TOGETHER] = Right.SET_PEOPLE
    assert {duty: takes.second for duty, takes in DUTIES.items()} == written
