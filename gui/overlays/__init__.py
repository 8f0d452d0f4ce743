"""What lies over the window for a moment: command palette, key list, start page, tour."""
