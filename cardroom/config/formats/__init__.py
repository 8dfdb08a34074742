"""Formats of dates and times in place of Django's own, by language: what FORMAT_MODULE_PATH names."""
