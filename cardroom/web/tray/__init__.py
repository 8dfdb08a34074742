"""Pages of the chip tray of a table: its slips, buy-ins, and the slip as PDF."""
