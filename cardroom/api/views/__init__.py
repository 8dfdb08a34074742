"""API reads: the view classes by noun. Each reads the request, calls one read function, and answers; commands are in `cardroom.api.commands`."""
