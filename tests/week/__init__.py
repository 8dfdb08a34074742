"""A room that is run for a week as its people run it: by pages and the API, from its first two people on."""
