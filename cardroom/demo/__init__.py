"""The demo room and simulated play."""
