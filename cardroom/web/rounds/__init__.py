"""One round: its record, and the page that corrects it."""
