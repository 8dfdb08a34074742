"""Django project package: settings, URLs, middleware, the Celery application."""
