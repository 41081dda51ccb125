"""Which files a search looks at."""
