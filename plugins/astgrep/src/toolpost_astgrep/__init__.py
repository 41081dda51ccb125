"""Structural search and rewrite on tree-sitter, as a toolpost plugin."""
