"""Time and memory, after correctness: both lanes, interleaved, with a stopwatch inside the parts that a cache changes."""
