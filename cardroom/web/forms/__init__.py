"""Forms of the commands on the floor: what is typed becomes the arguments of a service.

They check form only; what is allowed, the services decide, and their refusals come back to the field they speak of.
"""
