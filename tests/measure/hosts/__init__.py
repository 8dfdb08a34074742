"""The site on seven hosts, each a network namespace of this machine: cut off, killed, full, with a clock that is wrong.

`network.py` makes hosts and cuts, `cluster.py` puts PostgreSQL with its standby on two of them, `site.py` web, worker and
Valkey on the others, `faults.py` lists what is done to them, `run.py` does one after the other while `clients.py` post
commands from outside. `make hosts` runs it, as root on Linux.
"""
