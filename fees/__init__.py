"""What a room may charge: fee schedules, checked before they are filed and quoted before the deal."""
