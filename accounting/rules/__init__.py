"""What the office decides, as plain Python: values in, a value out."""
