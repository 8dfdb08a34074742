"""Pages of rules of a rulebook and placards of tables, on screen and as PDF."""
