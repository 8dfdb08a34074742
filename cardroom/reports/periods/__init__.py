"""Period reports: gaming days and months, added up from the stored reports of their shifts."""
