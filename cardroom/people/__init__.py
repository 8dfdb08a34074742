"""Staff, roles and permissions; players; proposition-player providers."""
