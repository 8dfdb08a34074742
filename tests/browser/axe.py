"""axe-core in the page that is open: what it finds wrong, in light and dark.

Dark differs from light in colors alone (tests/browser/test_accessibility.py holds the stylesheet to that), so that in
dark the rules about colors run and in light every rule. The script is put into a document once, and of what axe-core
found only the violations come back to the test.
"""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

#: WCAG 2 A and AA.
STANDARD = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa")
#: The rules whose outcome a color changes.
OF_COLORS = ("color-contrast", "link-in-text-block")
_RUN = "options => axe.run(options).then(results => results.violations)"


def faults(page: Page, *, every_rule: bool = False) -> list[str]:
    """What axe-core finds wrong, a line a fault with the first place of it; `every_rule`: its best practices too."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    in_light = {} if every_rule else {"runOnly": {"type": "tag", "values": STANDARD}}
    return [
        *_run(page, "light", in_light),
        *_run(page, "dark", {"runOnly": {"type": "rule", "values": OF_COLORS}}),
    ]


def _run(page: Page, scheme: Any, options: dict[str, Any]) -> list[str]:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    return [
        f"{scheme}: {fault['id']} ×{len(fault['nodes'])}: "
        f"{fault['nodes'][0]['target']} {fault['nodes'][0]['failureSummary']}"
        for fault in page.evaluate(_RUN, {**options, "resultTypes": ["violations"]})
    ]
