"""The pages that staff use: a folder a subject, with its `views.py`, forms and template contexts; `templates/web/` mirrors it."""
