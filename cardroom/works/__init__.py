"""Work in the background: who carries it out, and whether they are alive."""
