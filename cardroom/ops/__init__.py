"""Running the site: supervisor, backup and moving, metrics."""
