"""Pages of reports: shifts, days and months, the catalogue, statements, background jobs, subscriptions, checkpoints."""
