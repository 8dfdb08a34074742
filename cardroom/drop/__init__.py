"""Drop and count: boxes at tables, blind double counts, and what was counted held against what was collected."""
