"""The pages: what staff see and touch. Thin views over the floor's selectors and services; display in `templates/`."""
