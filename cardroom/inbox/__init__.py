"""Inbox of exceptions: what went otherwise becomes an item with an owner and a state, and people work it off."""
