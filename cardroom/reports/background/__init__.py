"""Reports too long for a request, drawn by a worker, and what else the background has to do for a room."""
