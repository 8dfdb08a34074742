"""What is asked of a report, and what several reports read: rounds in scope, who banks, hours, changes of settings."""
