"""The pages: who sees what, what is typed, and a round played by posting forms."""
