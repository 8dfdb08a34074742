"""The instruments: what `make` measures, and writes to docs/measured. The suite collects no test here."""
