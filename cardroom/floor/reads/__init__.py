"""Everything that reads the floor and changes nothing."""
