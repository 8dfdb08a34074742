"""Work in the background: one table of jobs, one state machine, and the kinds of jobs that other apps register."""
