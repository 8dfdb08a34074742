"""What a shift came to: its report, made once from the database, proven against itself, and exported.

A shift report is made by `shift_reports`: `inputs` reads the facts, with `tie_out` adding up each figure in several ways
and `trays` those of house tables; `figures` puts them together, `sections` says them table by table, `store` writes
them. `shift_document` and `report_document` draw it for page and file, `first_page` what it answers first.
Days and months add up the reports of shifts (`roll_ups`, `roll_up_figures`, `roll_up_tie_out`). The catalogue of
compliance reports is `catalogue`, with a module a report in `compliance/`; `verification` is `manage.py verify`.
"""
