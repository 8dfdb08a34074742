"""Date and time formats by language, in place of Django's own (FORMAT_MODULE_PATH)."""
