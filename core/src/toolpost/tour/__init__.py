"""The tour: each family's own script, played on the sample project, every call and answer as an agent would see it.

A script is `tour.jsonl` beside a plugin's module, one step a line:

    {"scene": "Search by structure", "say": "what is shown, for a person"}
    {"call": "ast_grep", "args": {"pattern": "$A == None", "language": "python"}}
    {"call": "resolve", "args": {"action": "accept"}, "error": true}       an error is what this scene shows
    {"scene": "…", "needs": "ty", "install": "uv tool install ty"}         left out where that program is missing
    {"outside": "shop/cart.py", "append": "# a person was here\\n"}         somebody else changes a file
"""
