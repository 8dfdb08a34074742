"""Runs the house on one machine: the private Valkey, the site, the worker and beat, under one supervisor."""
