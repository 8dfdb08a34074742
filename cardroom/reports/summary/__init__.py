"""Computes the content of the first page of a stored report (key figures against an earlier time, exceptions, charts); `cardroom/documents/pdf.py` renders it."""
