"""API reads, by noun: each view reads the request, calls one read function, and answers. Commands: `cardroom.api.commands`."""
