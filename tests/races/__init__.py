"""Two acts at the same moment: every pair of acts that can meet at a table or in a room, and the same with the locks off."""
