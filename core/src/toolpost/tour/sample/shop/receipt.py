"""What a customer takes home."""

from shop.prices import price


def receipt(names: list[str]) -> str:
    lines = [f"{name}: {price(name) / 100:.2f}" for name in names]
    return "\n".join(lines)
