"""Exports closed gaming days as Parquet, records each version, and compares the files with the rows (docs/parquet.md)."""
