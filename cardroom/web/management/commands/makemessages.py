"""Django's `makemessages`, which also collects the templates of `games.phrases.Phrase` and `plural`, and keeps the order of texts.

xgettext names texts in the order in which it finds their files, which is another one on every machine. A catalogue's entries stay
where they are, and a new one comes after the one that it was found after: what changes is what was written.
"""

from __future__ import annotations

import re
from pathlib import Path

from django.core.management.commands import makemessages

#: What an entry is found by: its context and its text, without its translations.
_KEY = re.compile(r'^(?:#~ )?(?:msgctxt|msgid)(?:_plural)? (?:"(?:[^"\\]|\\.)*"\n?(?:#~ )?)+', re.MULTILINE)


class Command(makemessages.Command):
    """Collect the texts for translators."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=Phrase", "--keyword=plural:1,2"]
    # A text that is new has no translation yet, and none that was guessed from a text like it.
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def write_po_file(self, potfile: str, locale: str) -> None:
        catalogue = Path(potfile).parent / locale / "LC_MESSAGES" / f"{self.domain}.po"
        before = catalogue.read_text(encoding="utf-8") if catalogue.exists() else ""
        super().write_po_file(potfile, locale)
        if before:
            after = catalogue.read_text(encoding="utf-8")
            catalogue.write_text(in_order(before, after), encoding="utf-8")


def in_order(before: str, after: str) -> str:
    """The entries of `after` in the order that they have in `before`, under its head."""
    was, now = _entries(before), _entries(after)
    order = [key for key in was if key in now]
    follows = dict(zip(list(now)[1:], now, strict=False))
    for key in now:
        if key not in was:
            order.insert(order.index(follows[key]) + 1 if key in follows else 0, key)
    now[_HEAD] = was[_HEAD]  # with its date: a run that finds nothing changes nothing
    return "\n\n".join(now[key] for key in order) + "\n"


#: The key of a catalogue's head, which says its language and its plural forms.
_HEAD = 'msgid ""\n'


def _entries(catalogue: str) -> dict[str, str]:
    """Each entry of a catalogue by what it is found by."""
    return {"".join(_KEY.findall(each + "\n")): each for each in catalogue.strip("\n").split("\n\n")}
