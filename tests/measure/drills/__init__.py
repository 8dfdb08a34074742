"""Drills: what an operator does on a bad day, done by a script on throwaway servers, with figures and a control that has to fail.

A drill is a module here with a `DRILL` (`drill.py`), named in `every.py`. `cluster.py` sets up PostgreSQL servers with the
two roles of docs/deployment.md, `site.py` the site on them, with tablets that post commands meanwhile. `make drills` runs
all, `make drills DRILL=name` one; docs/measured/drills.md is their page.
"""
