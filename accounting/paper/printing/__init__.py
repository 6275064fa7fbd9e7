"""Paper: what a win page says, set by typst."""
