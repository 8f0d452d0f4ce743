"""(trace, selection) -> what a panel paints, as arrays and text. No Qt, no torch, no state."""
