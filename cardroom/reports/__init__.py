"""Django app of reports: of shifts, gaming days and months as they were made, of the catalogue as they are asked for; and their proof.

`shift/` reads a closed shift and makes its report, `periods/` adds up those of days and months, `stored/` keeps and
reads both and builds their document, `summary/` is their first page. `catalogue/` has a module a report that a
compliance officer asks for, over `queries/`; `providers/` the provider's statement; `background/` what is too long for
a request. `verification/` is `manage.py verify`, `checkpoints/` the proof outside the database, `emails/` what
subscribers are sent.
"""
