"""Makes the report of one shift over and over, as a worker would: `python -m tests.measure.bench.posting.reports SHIFT`.

Prints, a JSON object a line: the seconds to read and figure out, and those to draw the PDF. Ends with its input.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time

import django


def main() -> None:
    """Make reports until nobody wants more."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    from cardroom.config.databases import snapshot
    from cardroom.core.canonical import canonical_hash
    from cardroom.documents.pdf import pdf_of
    from cardroom.floor.models import Shift
    from cardroom.reports.models import ShiftReport
    from cardroom.reports.sections.registry import sections_read
    from cardroom.reports.shift.document import shift_document_of
    from cardroom.reports.shift.inputs import inputs_read
    from cardroom.reports.shift.making import figures_of, shift_report_make

    shift = Shift.objects.select_related("room", "opened_by", "closed_by").get(pk=int(sys.argv[1]))
    report = shift_report_make(shift.pk)
    ended = threading.Event()

    def listen() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    while not ended.is_set():
        began = time.perf_counter()
        with snapshot():
            inputs, sections = inputs_read(shift), sections_read(shift)
        canonical_hash([figures_of(shift, inputs), sections])
        made = time.perf_counter()
        pdf_of(shift_document_of(ShiftReport.objects.get(pk=report.pk)), printed_by="", printed_at="")
        print(json.dumps({"made": made - began, "pdf": time.perf_counter() - made}), flush=True)


if __name__ == "__main__":
    main()
