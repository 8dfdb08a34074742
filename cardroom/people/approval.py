"""Approval by a second person, who signs for one act with their user name or badge and their PIN.

Never with a password: it would be typed on somebody else's tablet. The PIN is checked by `pins.person_by_pin`, before
the act, and is never stored, journalled, logged or sent on.
"""

from __future__ import annotations

from typing import Annotated

from cardroom.core.acts import Signature

from .models import Staff

#: The second person of an act, as every act takes them.
Approval = Annotated[Staff, Signature()]
