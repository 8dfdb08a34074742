"""Pages of procedures at a table: decks, stub counts, irregularities, recuts; the page that lists them."""
