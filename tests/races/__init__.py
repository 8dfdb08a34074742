"""The suite's part of every pair of commands at the same moment (`tests/measure/races`)."""
