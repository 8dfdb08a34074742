"""Pages of one's own account: password, PIN, language, sessions, locking a tablet; the session middleware."""
