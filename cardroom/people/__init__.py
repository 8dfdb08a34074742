"""Staff, their roles and rights; players; proposition-player providers."""
