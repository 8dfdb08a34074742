"""The schema of this app. History starts with the first release."""
