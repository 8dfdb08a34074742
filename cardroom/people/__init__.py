"""Django app of people: staff, roles and permissions; players; proposition-player providers."""
