"""E-mail backend for a site without a mail server: writes e-mails to the log."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

logger = logging.getLogger(__name__)


class LoggedMail(BaseEmailBackend):
    """Writes each e-mail's text to the log; of attachments, the name and size alone."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            attached = [
                f"attached: {name}, {len(content):,} bytes" for name, content, _ in message.attachments
            ]
            head = [
                f"from: {message.from_email}",
                f"to: {', '.join(message.to)}",
                f"subject: {message.subject}",
            ]
            logger.info(
                "an e-mail that no mail server takes:\n%s",
                "\n".join([*head, "", str(message.body), *attached]),
            )
        return len(email_messages)
