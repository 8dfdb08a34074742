"""Django's `makemessages`, which also collects the templates of `games.phrases.Phrase` and `plural`."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Collect the texts for translators."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=Phrase", "--keyword=plural:1,2"]
