"""The API: thin. A view reads the request, calls one service or selector, and answers."""
