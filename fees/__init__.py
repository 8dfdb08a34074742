"""What a room may charge: collection fees as filed schedules, checked before filing and quoted before the deal."""
