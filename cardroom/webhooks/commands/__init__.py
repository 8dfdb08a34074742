"""Commands on webhooks; imported by the app as it is ready."""
