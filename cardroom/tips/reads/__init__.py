"""What is read of tips."""
