"""What a room may charge: collection fees as filed schedules, checked before filing, quoted before the deal."""
