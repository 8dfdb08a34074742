"""Pages of one round: its record, and the form that corrects it."""
