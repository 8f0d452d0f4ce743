"""The headless commands; each returns an exit code of the design, section 7."""
