"""Settings of drf-spectacular (`SPECTACULAR_SETTINGS`) for the OpenAPI document, as plain data."""

from __future__ import annotations

from typing import Any

_DESCRIPTION = """
Player-dealer table games: tables, the bank, rounds, fees and reports.

**Signing in.** A program sends its token, `Authorization: Bearer crp_…`; what it was not given the right to is 403 `out_of_scope`.
A person uses the site's session: sign in at `/accounts/login/`, send the `sessionid` cookie, and with
everything but a GET the `csrftoken` cookie's value as `X-CSRFToken`. Nobody signed in is 401; a room in which you hold
no role is 404, as if it were not there; a role that does not allow a command is 403 and the answer says which ones do.

**Commands.** Every command carries an `Idempotency-Key` (a new one for each command, the same one when you repeat it:
same answer, no second effect) and `If-Match` with the version on which you decided (the `ETag` of the table or room).
Somebody was faster: 412, with the present state. Every answer carries the new version as `ETag`. A command is carried
out whole or not at all.

**Refusals** have one shape: `{"error": {"code", "message", "path"}}`. `code` is for programs, `message` says what to
do, `path` names the place in the body. Where a rule is behind it, `clause` beside `error` is its source.

**Numbers.** Amounts are whole cents and JSON numbers without a fraction. Seats count clockwise from the house
dealer's left. Instants are UTC. Unknown keys are refused.
"""

SPECTACULAR: dict[str, Any] = {
    "TITLE": "Cardroom",
    "DESCRIPTION": _DESCRIPTION.strip(),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "SERVE_AUTHENTICATION": ["cardroom.api.base.SessionOrNobody"],
    # What goes in and what comes out differ in what is required, so they are two shapes.
    "COMPONENT_SPLIT_REQUEST": True,
    "PATH_CONVERTER_OVERRIDES": {
        "id": {"type": "integer", "minimum": 1, "maximum": 10**18 - 1},
        "seat": {"type": "integer", "minimum": 1, "maximum": 99},
        "behind": {"type": "integer", "minimum": 1, "maximum": 7},
    },
    "ENUM_NAME_OVERRIDES": {
        "TableStateName": "cardroom.floor.models.Table.State",
        "RoundStateName": "cardroom.floor.models.Round.State",
        "RoundSource": "cardroom.floor.models.Round.Source",
        "TableRotationName": "cardroom.floor.reads.table_record.TABLE_ROTATIONS",
        "RotationProfile": "games.rotation.profile.PROFILES",
        "Account": "cardroom.floor.models.Transfer.Account",
        "TransferKind": "cardroom.floor.models.Transfer.Kind",
        "AlertKind": "cardroom.floor.models.Alert.Kind",
        "AnswerToOffer": "cardroom.floor.models.Offer.Answer",
        "RoleName": "cardroom.people.models.Role",
        "ExclusionKind": "cardroom.people.models.Exclusion.Kind",
        "ProcedureKind": "cardroom.floor.models.Procedure.Kind",
        "InspectorName": "cardroom.floor.models.Procedure.Inspector",
        "ShufflerKind": "cardroom.floor.models.Table.Shuffler",
        "WinStateName": "cardroom.floor.models.ProgressiveWin.State",
        "BoxStateName": "cardroom.drop.models.DropBox.State",
        "BoxKind": "cardroom.drop.models.DropBox.Kind",
        "SheetKind": "cardroom.drop.models.CountSheet.Kind",
        "VarianceStatus": "cardroom.drop.models.VarianceNote.Status",
        "SubscriptionWhat": "cardroom.reports.models.Subscription.What",
        "PeriodReportKind": "cardroom.reports.models.PeriodReport.Kind",
        "JobStateName": "cardroom.jobs.models.Job.State",
        "DisputeOutcome": "cardroom.inbox.models.Dispute.Outcome",
        "ItemStateName": "cardroom.inbox.models.Item.State",
        "ItemStepWhat": "cardroom.inbox.models.ItemStep.What",
        "ItemStateOrAny": "cardroom.inbox.reads.items.STATES_ASKED",
        "ObligationKind": "cardroom.obligations.models.Obligation.Kind",
        "ObligationEvery": "cardroom.obligations.models.Obligation.Every",
        "ObligationStateName": "cardroom.obligations.models.Obligation.State",
        "ObligationStepWhat": "cardroom.obligations.models.ObligationStep.What",
        "CalendarStateOrAny": "cardroom.obligations.reads.calendar.STATES_ASKED",
        "FilingStatus": "cardroom.filings.models.Filing.Status",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "persistAuthorization": False},
    "REDOC_DIST": "SIDECAR",
}
