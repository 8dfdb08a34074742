"""Django date and time formats for English."""
