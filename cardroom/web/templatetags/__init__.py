"""Tags and filters of the pages."""
