"""Shift reports: what is read of a closed shift, added up in several ways, as sections, and built as a document."""
