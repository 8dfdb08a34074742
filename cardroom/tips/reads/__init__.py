"""What is read of tokes."""
