"""What a customer is about to buy."""


class Cart:
    def __init__(self, voucher=None):
        self.lines = []
        self.voucher = voucher

    def add(self, name, price, count=1):
        if price == None:
            raise ValueError(f"{name} has no price")
        self.lines.append((name, price, count))

    def total(self):
        total = sum(price * count for _, price, count in self.lines)
        if self.voucher == None:
            return total
        return max(0, total - self.voucher)
