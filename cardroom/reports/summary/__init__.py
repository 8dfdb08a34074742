"""Content of the first page of a stored report: key figures, exceptions, charts (`cardroom/documents/pdf.py` renders it)."""
