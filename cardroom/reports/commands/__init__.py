"""Commands of reports: each locks the room and is taken on any version of it."""
