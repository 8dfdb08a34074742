"""Process supervisor for one machine: runs the private Valkey, the web server, the worker and beat."""
