"""Benchmarks of the rules engine: `make bench` runs them and writes docs/measured/benchmarks.md."""
