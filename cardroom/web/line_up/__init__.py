"""Pages of the line-up of a room: who deals where, who comes next, pushes, and the plan."""
