"""The suite's part of any order of commands (`tests/measure/machine`)."""
