"""The first page of a stored report: key figures against an earlier time, what to look at, and charts."""
