"""Weeks of believable play in a demo room: what its floor and count room would have recorded, had they played it.

Rounds are settled by the real engine and charged by the real quote. The acts that come by the hundred thousand are
written a shift at a time (`scribe`), the same rows that the services would have written one by one; all others are the
services themselves, told what time it is.
"""
