"""Real servers for the suite: started for one run, gone after it."""
