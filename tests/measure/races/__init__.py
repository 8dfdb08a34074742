"""Two commands at the same moment: every pair of commands that can meet at a table or in a room, and the same with the locks off."""
