"""What pages, API and reports read of drop and count. No figure of a count leaves here before the count stands."""
