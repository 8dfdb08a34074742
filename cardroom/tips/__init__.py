"""Django app of tips: won and handed in, the rules by which dealers share them, and the pool's sheet of a shift."""
