"""The site under faults: its background killed at random while shifts close, and what has come of their reports."""

#: What is killed, each as often as the others.
TARGETS = ("worker", "beat", "valkey")
