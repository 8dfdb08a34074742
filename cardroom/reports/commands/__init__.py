"""The commands of reports: each is a command on the room, taken on any version of it."""
