"""What a page reads of a database with years behind it: a million rounds, made by repeating a demo room's past in SQL."""
