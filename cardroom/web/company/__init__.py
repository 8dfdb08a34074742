"""The page of a company over several licensees: sums of what their sites export, and how each site is."""
