"""Django app of reports: stored ones of shifts, days and months, the catalogue drawn when asked for, and their verification.

`shift/` reads a closed shift and makes its report, `periods/` adds up those of days and months, `stored/` keeps and
reads both and builds their document, `summary/` is their first page. `catalogue/` has a module a report that a
compliance officer asks for, over `queries/`; `providers/` the provider's statement; `background/` what is too long for
a request. `verification/` is `manage.py verify`, `checkpoints/` the proof outside the database, `emails/` what
subscribers are sent.
"""
