"""The calendar of obligations: its months, one obligation with its proof and steps, and a file for other calendars."""
