"""Language servers, as a toolpost plugin."""
