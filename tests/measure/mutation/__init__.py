"""Mutation testing: `make mutants` breaks one expression or statement at a time and tells which breaks no test notices.

`mutants.py` makes the mutants of a module, `plugin.py` runs the tests against each in a fork of one pytest process, and
`subjects.py` says which modules are broken and which tests must notice. Libraries were looked at first: mutmut 3 leaves out
whatever stands outside of functions or has a decorator, which is the whole table of rights, and cosmic-ray starts a
process with Django for each mutant, some four seconds.
"""
