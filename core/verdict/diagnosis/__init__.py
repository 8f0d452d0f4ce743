"""Names the cause of a bad step from what both lanes had in hand: signatures rank hypotheses, repairs prove them."""
