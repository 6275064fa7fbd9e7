"""The demo's tour: a jackpot played by a guest, ticked off from what the table really did."""
