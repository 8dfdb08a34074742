"""Any order of any commands, drawn from their declarations, beside a model of the money that knows nothing of the services."""
