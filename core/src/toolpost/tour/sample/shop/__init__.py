"""A till that adds up prices."""
