"""How shifts, days, weeks and months went, each beside the same time before: what the home pages of a room begin with."""
