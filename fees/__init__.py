"""Collection fees: fee schedules, validated before they are filed and quoted before the deal."""
