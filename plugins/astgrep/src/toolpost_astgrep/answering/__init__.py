"""What the tools answer."""
