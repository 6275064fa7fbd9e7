"""The peer: the same two messages the way a first Django REST framework project would write them.

Nothing of it is in the product. It keeps no seal, checks no signature and writes no trail, so it is let off lightly.
"""
