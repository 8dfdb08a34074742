"""The scripts of the table page: a module runs once, however it is named."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STATIC = ROOT / "cardroom/web/static/web"


def test_a_module_that_others_import_is_not_loaded_by_a_tag_as_well() -> None:
    """A tag names a file by its stamped address and an import by its plain one: to a browser these are two modules,
    and the listeners of both would hear each press.
    """
    page = (ROOT / "templates/web/table/table.html").read_text()
    loaded = set(re.findall(r"<script type=\"module\" src=\"{% static 'web/([\w/-]+\.js)' %}\">", page))
    imported = {
        (module.parent / name).resolve().relative_to(STATIC).as_posix()
        for module in STATIC.rglob("*.js")
        for name in re.findall(r'^import (?:.* from )?"([\w./-]+\.js)";', module.read_text(), re.MULTILINE)
    }
    assert loaded
    assert {"table/keypad.js", "table/press_delay.js", "parts/live.js"} <= imported
    assert loaded & imported == set()
