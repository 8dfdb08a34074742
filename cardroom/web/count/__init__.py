"""Pages of drop and count: boxes, the blind counts, and the count sheet of a shift."""
