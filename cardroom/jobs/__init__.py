"""Work in the background: one table of jobs, one state machine, the kinds of jobs that other apps register, and who works there."""
