"""The process that runs the target, its client, and the messages between them."""
