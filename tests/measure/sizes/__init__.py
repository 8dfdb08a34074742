"""How big a room is: bytes, statements and processor time of a round, and what rooms and a state need by them.

`statements.py` reads what PostgreSQL counted, `run.py` plays and measures, `page.py` adds up. Times are of processors, as the
processes have used them, and not by the clock: what else runs on the machine has no part in them.
"""

#: Rounds whose bytes, WAL and processor time are measured: whole sheets, and rounds played command by command.
SHEETS, PLAYED = 600, 200
#: Times that a page is read.
READS = 60
#: Times that the statements of one command are counted.
COUNTED = 4
