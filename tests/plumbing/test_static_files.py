"""Static files as the site sends them: whole, in part, not at all when the browser has them; and without a warning."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest

from cardroom.config.environment import PROJECT_DIR
from tests.servers.site import Site

pytestmark = pytest.mark.outside


@pytest.mark.django_db(transaction=True)
def test_a_file_comes_whole_in_part_or_not_at_all(site_environ: dict[str, str], tmp_path: Path) -> None:
    original = (PROJECT_DIR / "cardroom/web/static/web/board/board.css").read_bytes()
    with Site(site_environ, tmp_path / "site.log", static=True) as site:
        address = f"{site.url}/static/web/board/board.css"
        with urllib.request.urlopen(address) as whole:
            assert whole.read() == original
            assert whole.headers["Content-Type"].startswith("text/css")
            changed = whole.headers["Last-Modified"]
        part = urllib.request.Request(address, headers={"Range": "bytes=0-9"})
        with urllib.request.urlopen(part) as answer:
            assert (answer.status, answer.read()) == (206, original[:10])
        known = urllib.request.Request(address, headers={"If-Modified-Since": changed})
        with pytest.raises(urllib.error.HTTPError) as unchanged:
            urllib.request.urlopen(known)
        assert unchanged.value.code == 304
        with urllib.request.urlopen(urllib.request.Request(address, method="HEAD")) as head:
            assert (head.read(), int(head.headers["Content-Length"])) == (b"", len(original))
    assert "must consume" not in (tmp_path / "site.log").read_text()
