"""Any order of any acts, drawn from their declarations, beside a model of the money that knows nothing of the services."""
