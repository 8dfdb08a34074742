"""Shift reports: what is read of a closed shift, added up in several ways, told section by section, and built as a document."""
