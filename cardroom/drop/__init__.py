"""Drop and count: boxes at tables, blind double counts, and what was counted compared with what was collected."""
