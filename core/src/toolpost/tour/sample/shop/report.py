"""The day's takings."""


def takings(carts):
    """A comment such as x == None, or a string, is no code: "y == None"."""
    return sum(cart.total() for cart in carts if not (cart == None))


def best(carts):
    return max(carts, key=lambda cart: cart.total(), default=None)
