def stock(items, wanted):
	for name, count in items:
		if count == None:
			continue
		if name == wanted:
			return count
	return 0
