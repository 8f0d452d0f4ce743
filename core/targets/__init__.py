"""What can be debugged: built-in models, and the faults that can be planted in how their cache is used."""
