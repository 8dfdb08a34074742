"""The inbox of exceptions: items listed and filtered, one opened with its evidence, and worked off."""
