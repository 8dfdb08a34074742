"""How the site is set up: settings, addresses, middleware, the Celery application."""
