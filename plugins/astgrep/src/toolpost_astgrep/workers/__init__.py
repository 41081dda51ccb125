"""The processes that parse and match, and the pool of them."""
