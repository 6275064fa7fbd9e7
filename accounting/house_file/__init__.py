"""A casino in one file: read, compared with what stands, and loaded whole or not at all."""
