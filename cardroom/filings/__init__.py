"""Django app of what a room files in versions: fee schedules and games. One lifecycle from draft to withdrawal (`services`)."""
