"""One file rewritten: what is put where, so that code stays whole."""
