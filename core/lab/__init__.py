"""The exercise that this project grew from, as seven steps: what to look at, what was measured, what to ask. No Qt, no torch."""
