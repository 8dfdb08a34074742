"""Django app of background jobs: one table, one state machine, the kinds that other apps register, heartbeats of workers."""
