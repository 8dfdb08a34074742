"""Forms of the acts on the floor: what is typed becomes the arguments of a service, and its refusals come back to the
field they speak of. They check form only; what is allowed, the services decide."""
