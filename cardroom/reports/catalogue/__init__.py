"""The report catalogue: a module a report; every one is a function from what is asked to a document."""
