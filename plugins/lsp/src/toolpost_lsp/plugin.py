"""The plugin: the language servers of a checkout, bound to one run."""

from __future__ import annotations
