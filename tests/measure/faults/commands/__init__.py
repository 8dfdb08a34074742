"""Commands under faults: the web server and PostgreSQL killed while commands are posted, and what has come of each command."""

#: What is killed: the web server on both databases, PostgreSQL where it is the database.
TARGETS = {"sqlite": ("web",), "postgresql": ("web", "postgresql")}
#: By how much answers leave the site later than they are made.
LATE_SECONDS = 0.1
