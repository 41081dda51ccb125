"""`lsp diagnostics` of `*`: the project checkers that a workspace has use of, and what they find (lsp:project-check)."""
