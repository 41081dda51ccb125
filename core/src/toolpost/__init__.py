"""toolpost: the tools of a coding agent that are bound to a live resource of one run."""
