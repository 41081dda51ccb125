"""Where a pattern matches in a file: what can be left out, where to look, and whether it does."""
