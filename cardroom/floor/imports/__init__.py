"""Files of a room's people, CSV or TOML: a module a kind of file, read line by line and judged before anything is written.

`lines` reads a file, `kinds` is what every kind has (what becomes of a line, its faults, the plan, the file of what was left out),
and `players`, `staff` and `providers` are the kinds. Their commands are `cardroom.floor.commands.imports`.
"""
