"""Sizes that harness and workers agree on."""

LARGEST_NAMED = 30 * 1024 * 1024
"""Bytes of a file that is searched if it is named itself; met in a walk, far less (walk.LARGEST)."""
