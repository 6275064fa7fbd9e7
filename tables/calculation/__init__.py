"""Long sums beside the web: one patient process of our own calculates, everybody else asks how far it is."""
