"""The views, by noun. Each reads its request, calls one service or selector, and answers."""
