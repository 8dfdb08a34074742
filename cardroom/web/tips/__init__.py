"""Pages of tips: the room's rule, entries and hours of a shift, the pool's sheet."""
