"""Background reports (too long for a request, drawn by a worker), and the overview of a room's background work."""
