"""A fragment of code as a pattern: metavariables, contexts, the parts that are looked for."""
