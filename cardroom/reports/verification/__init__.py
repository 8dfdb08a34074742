"""Verification (`manage.py verify`): what is stored is proven from journal, rows and rulebooks."""
