"""The reports of the catalogue, a module each; every one is a function from what is asked to a document."""
