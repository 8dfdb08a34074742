"""Every provision of the rule documents, where the product enforces it, and which tests prove it.

`docs/clauses/*.toml` holds the provisions, tests carry their ids (`tests.clauses`), and
`python -m tests.traceability` runs the marked tests and writes the pages of `docs/traceability`.
"""
