"""E-mails to subscribers: who gets what, how it is sent, and what it says."""
