"""What it means: tolerance, first bad step, where it begins. It reads traces and never runs a model."""
