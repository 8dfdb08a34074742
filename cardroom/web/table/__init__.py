"""The table page: what a dealer sees and does at one table, online and offline."""
