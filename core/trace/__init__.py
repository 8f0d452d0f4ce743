"""What was seen: step records and the trace file. Both wings stand on it; it imports no torch."""
