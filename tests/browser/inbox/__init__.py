"""The inbox of exceptions in a browser."""
