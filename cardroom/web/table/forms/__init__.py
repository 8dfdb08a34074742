"""Forms of the commands at a table that have a layout of their own; they check form only, and the command what is allowed."""
