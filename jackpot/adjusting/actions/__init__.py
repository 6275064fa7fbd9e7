"""Acts of two people on a jackpot: one asks, another decides. docs/adjustments.md."""
