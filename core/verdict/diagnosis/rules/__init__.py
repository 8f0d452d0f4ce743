"""One file per family of causes; a rule looks at a compared step and yields the hypotheses whose signature it sees."""
