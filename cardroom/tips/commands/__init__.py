"""Commands on tips. Each locks the room and is taken on any version of it, like those of drop and count."""
