"""The pages that staff use. A folder a subject, with its `views.py`, its forms and what it draws; templates in `templates/web/`."""
