"""The commands about tips. Each is a command on the room, taken on any version of it, like those of drop and count."""
